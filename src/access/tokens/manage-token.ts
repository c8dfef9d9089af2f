import type { Scope } from '../../model/scopes.ts'
import type { Transaction, Writable } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problems.ts'
import { type Actor, insertAuditEntry } from '../audit/audit.sql.ts'
import { requireProject } from '../projects/project.sql.ts'
import type { Token } from './token.schema.ts'
import {
  insertToken,
  lockToken,
  replaceToken,
  revokeTokenRow,
  setTokenSecret,
  type TokenRequest,
} from './token.sql.ts'
import { generateSecret } from './token-format.ts'

/** The secret is shown only once: the database stores only its hash. */
export type IssuedToken = Token & { token: string }

export function issueToken(
  database: Writable,
  actor: Actor,
  projectId: number,
  request: TokenRequest = {},
): Promise<IssuedToken> {
  return database.transaction(async (tx) => {
    await requireProject(tx, projectId)
    const secret = generateSecret()
    const issued = await insertToken(tx, projectId, request, secret)
    const { scopes, expires_at } = issued
    await recordTokenAction(tx, actor, 'token.create', issued, { scopes, expires_at })
    return { ...issued, token: secret.token }
  })
}

/** Generates the secret of a token that was approved without one: once, and only while the token is valid. */
export function showToken(
  database: Writable,
  actor: Actor,
  projectId: number,
  id: number,
): Promise<IssuedToken> {
  return database.transaction(async (tx) => {
    const waiting = await lockToken(tx, id)
    if (waiting?.project !== projectId) throw tokenNotFound(id)
    if (waiting.shown) throw new Problem('token_already_shown')
    rejectEnded(waiting)
    const secret = generateSecret()
    const shown = await setTokenSecret(tx, id, secret)
    // The audit trail records who saw a secret, also if a member did.
    await recordTokenAction(tx, actor, 'token.show', shown)
    return { ...shown, token: secret.token }
  })
}

/** Issues a successor with the same name, scopes and expiry. The old token stays valid during the overlap. */
export function rotateToken(
  database: Writable,
  actor: Actor,
  id: number,
  overlapSeconds: number,
  scopesOf: (held: readonly Scope[]) => readonly Scope[] = (held) => held,
): Promise<IssuedToken> {
  return database.transaction(async (tx) => {
    const old = await lockToken(tx, id)
    if (old === undefined) throw tokenNotFound(id)
    rejectEnded(old)
    const { project, name, expires_at: expiresAt, self_service: selfService } = old
    const scopes = scopesOf(old.scopes)
    const secret = generateSecret()
    const successor = await insertToken(tx, project, { name, scopes, expiresAt, selfService }, secret)
    await replaceToken(tx, id, successor.id, overlapSeconds)
    const details = { successor_id: successor.id, overlap_seconds: overlapSeconds, scopes }
    await recordTokenAction(tx, actor, 'token.rotate', old, details)
    return { ...successor, token: secret.token }
  })
}

export function revokeToken(database: Writable, actor: Actor, id: number): Promise<Token> {
  return database.transaction(async (tx) => {
    const token = await revokeTokenRow(tx, id)
    if (token === undefined) throw tokenNotFound(id)
    await recordTokenAction(tx, actor, 'token.revoke', token)
    return token
  })
}

function recordTokenAction(
  tx: Transaction,
  actor: Actor,
  action: string,
  { id, project, name }: Token,
  details: object = {},
): Promise<void> {
  const target = `token ${id}`
  return insertAuditEntry(tx, actor, { action, projectId: project, target, details: { name, ...details } })
}

function tokenNotFound(id: number): Problem {
  return new Problem('not_found', { detail: `There is no token ${id}.` })
}

function rejectEnded({ id, successor_id, revoked_at, expires_at }: Token): void {
  const ended = (how: string) => new Problem('token_ended', { detail: `Token ${id} ${how}` })
  if (successor_id !== null) throw ended(`is already rotated; rotate its successor ${successor_id}.`)
  if (revoked_at !== null) throw ended('is revoked; issue a new one.')
  if (expires_at !== null && Date.parse(expires_at) <= Date.now())
    throw ended('has expired; issue a new one.')
}
