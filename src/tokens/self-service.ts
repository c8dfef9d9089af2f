import type { Actor } from '../audit/audit.sql.ts'
import type { Transaction, Writable } from '../database/database.ts'
import { Problem } from '../http/problems.ts'
import { lockProject } from '../projects/project.sql.ts'
import { type IssuedToken, issueToken, revokeToken, rotateToken } from './manage-token.ts'
import { grants, type Scope } from './scopes.ts'
import type { Token } from './token.schema.ts'
import { countOwnTokens, lockToken, type TokenRequest } from './token.sql.ts'

const mostTokens = 50

/** What a project lets its managers do. */
export type SelfService = { project_id: number; isAllowed: boolean; scopes: readonly Scope[] }

/** Makes a token of the project, as far as the operator lets its managers. */
export function issueOwnToken(
  database: Writable,
  actor: Actor,
  { project_id, isAllowed, scopes: allowed }: SelfService,
  { scopes = allowed, ...request }: TokenRequest,
): Promise<IssuedToken> {
  if (!isAllowed) throw notAllowed()
  const place = scopes.findIndex((scope) => !grants(allowed, scope))
  if (place >= 0) throw beyond(place, allowed)
  return database.transaction(async (tx) => {
    // One after the other, so that nobody counts while another adds one.
    await lockProject(tx, project_id)
    if ((await countOwnTokens(tx, project_id)) >= mostTokens) throw new Problem('too_many_tokens')
    return issueToken(tx, actor, project_id, { ...request, scopes, selfService: true })
  })
}

export function rotateOwnToken(
  database: Writable,
  actor: Actor,
  { project_id, isAllowed }: SelfService,
  id: number,
  overlapSeconds: number,
): Promise<IssuedToken> {
  if (!isAllowed) throw notAllowed()
  return database.transaction(async (tx) => {
    await requireOwnToken(tx, project_id, id)
    return rotateToken(tx, actor, id, overlapSeconds)
  })
}

/** Always allowed: whoever sees that a token has leaked ends it, whatever else the operator allows. */
export function revokeOwnToken(
  database: Writable,
  actor: Actor,
  projectId: number,
  id: number,
): Promise<Token> {
  return database.transaction(async (tx) => {
    await requireOwnToken(tx, projectId, id)
    return revokeToken(tx, actor, id)
  })
}

async function requireOwnToken(tx: Transaction, projectId: number, id: number): Promise<void> {
  const token = await lockToken(tx, id)
  if (token?.project !== projectId)
    throw new Problem('not_found', { detail: `There is no token ${id} in this project.` })
  if (!token.self_service)
    throw new Problem('insufficient_role', {
      detail: `Token ${id} was issued by the operator, who alone rotates and revokes it.`,
    })
}

function notAllowed(): Problem {
  return new Problem('insufficient_role', {
    detail: 'The tokens of this project are issued by the operator; ask for one.',
  })
}

function beyond(place: number, allowed: readonly Scope[]): Problem {
  const message = `must be one of ${allowed.join(', ')}: the operator allows no others`
  return new Problem('invalid_body', {
    errors: [{ pointer: `/scopes/${place}`, code: 'invalid_choice', message }],
  })
}
