import { allowedPart, grants, type Scope } from '../../model/scopes.ts'
import type { Transaction, Writable } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problems.ts'
import type { Actor } from '../audit/audit.sql.ts'
import { tokenLimits } from '../limits.ts'
import { lockProject } from '../projects/project.sql.ts'
import { type IssuedToken, issueToken, revokeToken, rotateToken } from './manage-token.ts'
import type { Token } from './token.schema.ts'
import { countOwnTokens, lockToken, type TokenRequest } from './token.sql.ts'

/** The self-service rights of project managers. */
export type SelfService = { project_id: number; isAllowed: boolean; scopes: readonly Scope[] }

/** Issues a token with scopes that the operator allows. */
export function issueOwnToken(
  database: Writable,
  actor: Actor,
  { project_id, isAllowed, scopes: allowed }: SelfService,
  { scopes = allowed, ...request }: TokenRequest,
): Promise<IssuedToken> {
  if (!isAllowed) throw notAllowed()
  const index = scopes.findIndex((scope) => !grants(allowed, scope))
  if (index >= 0) throw scopeNotAllowed(index, allowed)
  return database.transaction(async (tx) => {
    if ((await lockAndCountTokens(tx, project_id)) >= tokenLimits.ownTokens)
      throw new Problem('too_many_tokens')
    return issueToken(tx, actor, project_id, { ...request, scopes, selfService: true })
  })
}

/** The successor gets the scopes that the operator still allows. The old token counts until its overlap ends. */
export function rotateOwnToken(
  database: Writable,
  actor: Actor,
  { project_id, isAllowed, scopes: allowed }: SelfService,
  id: number,
  overlapSeconds: number,
): Promise<IssuedToken> {
  if (!isAllowed) throw notAllowed()
  return database.transaction(async (tx) => {
    const count = await lockAndCountTokens(tx, project_id)
    await requireOwnToken(tx, project_id, id)
    if (overlapSeconds > 0 && count >= tokenLimits.ownTokens) throw noRoomForOverlap()
    return rotateToken(tx, actor, id, overlapSeconds, (held) => requireAllowedScopes(held, allowed))
  })
}

/** The lock prevents other transactions from adding a token before this one ends. */
async function lockAndCountTokens(tx: Transaction, projectId: number): Promise<number> {
  await lockProject(tx, projectId)
  return countOwnTokens(tx, projectId)
}

function requireAllowedScopes(held: readonly Scope[], allowed: readonly Scope[]): readonly Scope[] {
  const left = allowedPart(held, allowed)
  if (left.length > 0) return left
  throw new Problem('insufficient_role', {
    detail: `The operator no longer allows any scope of this token (${held.join(', ')}); revoke it and create another.`,
  })
}

function noRoomForOverlap(): Problem {
  return new Problem('too_many_tokens', {
    detail: `The project already has ${tokenLimits.ownTokens} self-service tokens, and both tokens would be valid during the overlap; rotate with an overlap of 0s, or revoke a token first.`,
  })
}

/** Always allowed, so that managers can revoke a leaked token. */
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
      detail: `The operator issued token ${id}; only the operator can rotate or revoke it.`,
    })
}

function notAllowed(): Problem {
  return new Problem('insufficient_role', {
    detail: 'Only the operator issues tokens for this project; ask the operator for one.',
  })
}

function scopeNotAllowed(index: number, allowed: readonly Scope[]): Problem {
  const message = `must be one of ${allowed.join(', ')}: the operator allows no other scopes`
  return new Problem('invalid_body', {
    errors: [{ pointer: `/scopes/${index}`, code: 'invalid_choice', message }],
  })
}
