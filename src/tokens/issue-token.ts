import type { Queryable, Transaction } from '../database/database.ts'
import { Problem } from '../http/problems.ts'
import { requireProject } from '../projects/project.sql.ts'
import { scopes as allScopes, type Scope } from './scopes.ts'
import type { Token } from './token.schema.ts'
import { fillToken, insertToken, lockToken, replaceToken } from './token.sql.ts'
import { generateToken, hashToken } from './token-format.ts'

/** Shown once: the secret is not stored and cannot be shown again. */
export type IssuedToken = Token & { token: string }

export const defaultTokenName = 'API client'

export type TokenRequest = { name?: string; scopes?: readonly Scope[]; expiresAt?: string | null }

export async function issueToken(
  database: Queryable,
  projectId: number,
  request: TokenRequest = {},
): Promise<IssuedToken> {
  await requireProject(database, projectId)
  const { token, ...secret } = drawSecret()
  return { ...(await insertToken(database, projectId, { ...wanted(request), ...secret })), token }
}

/** A token without a secret: whoever shows it for the first time has it made. */
export async function reserveToken(
  database: Queryable,
  projectId: number,
  request: TokenRequest = {},
): Promise<Token> {
  return insertToken(database, projectId, { ...wanted(request), hash: null, lastCharacters: null })
}

/** Makes the secret of a reserved token: once, and only while the token is good for something. */
export async function showToken(tx: Transaction, projectId: number, id: number): Promise<IssuedToken> {
  const reserved = await lockToken(tx, id)
  if (reserved?.project !== projectId) throw noToken(id)
  if (reserved.shown) throw new Problem('token_already_shown')
  refuseEnded(reserved)
  const { token, ...secret } = drawSecret()
  return { ...(await fillToken(tx, id, secret)), token }
}

function wanted({ name = defaultTokenName, scopes = allScopes, expiresAt = null }: TokenRequest) {
  return { name, scopes, expiresAt }
}

function drawSecret(): { token: string; hash: string; lastCharacters: string } {
  const token = generateToken()
  return { token, hash: hashToken(token), lastCharacters: token.slice(-4) }
}

/** A successor with the same name, scopes and expiry; the old one works on for the overlap. */
export async function succeedToken(
  tx: Transaction,
  id: number,
  overlapSeconds: number,
): Promise<IssuedToken> {
  const old = await lockToken(tx, id)
  if (old === undefined) throw noToken(id)
  refuseEnded(old)
  const successor = await issueToken(tx, old.project, {
    name: old.name,
    scopes: old.scopes,
    expiresAt: old.expires_at,
  })
  await replaceToken(tx, id, successor.id, overlapSeconds)
  return successor
}

export function noToken(id: number): Problem {
  return new Problem('not_found', { detail: `There is no token ${id}.` })
}

function refuseEnded({ id, successor_id, revoked_at, expires_at }: Token): void {
  const ended = (how: string) => new Problem('token_ended', { detail: `Token ${id} ${how}` })
  if (successor_id !== null) throw ended(`was rotated already; rotate its successor ${successor_id}.`)
  if (revoked_at !== null) throw ended('is revoked; issue a new one.')
  if (expires_at !== null && Date.parse(expires_at) <= Date.now())
    throw ended('has expired; issue a new one.')
}
