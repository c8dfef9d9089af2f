import type { Database, Queryable } from '../database/database.ts'
import { requireProject } from '../projects/project.sql.ts'
import { scopes as allScopes, type Scope } from './scopes.ts'
import { insertToken, lockToken, replaceToken, type Token } from './token.sql.ts'
import { generateToken, hashToken } from './token-format.ts'

/** Shown once: the secret is not stored and cannot be shown again. */
export type IssuedToken = Token & { token: string }

export type TokenRequest = { name?: string; scopes?: readonly Scope[]; expiresAt?: string | null }

export async function issueToken(
  database: Queryable,
  projectId: number,
  request: TokenRequest = {},
): Promise<IssuedToken> {
  await requireProject(database, projectId)
  const token = generateToken()
  const row = await insertToken(database, projectId, {
    name: request.name ?? 'API client',
    hash: hashToken(token),
    lastCharacters: token.slice(-4),
    scopes: request.scopes ?? allScopes,
    expiresAt: request.expiresAt ?? null,
  })
  return { ...row, token }
}

/** A successor with the same name, scopes and expiry; the old one works on for the overlap. */
export function rotateToken(database: Database, id: number, overlapSeconds: number): Promise<IssuedToken> {
  return database.transaction(async (tx) => {
    const old = await lockToken(tx, id)
    if (old === undefined) throw new Error(`there is no token ${id}`)
    refuseEnded(old)
    const successor = await issueToken(tx, old.project, {
      name: old.name,
      scopes: old.scopes,
      expiresAt: old.expires_at,
    })
    await replaceToken(tx, id, successor.id, overlapSeconds)
    return successor
  })
}

function refuseEnded({ id, successor_id, revoked_at, expires_at }: Token): void {
  const anew = 'issue a new one with "catalog token create"'
  if (successor_id !== null)
    throw new Error(`token ${id} was rotated already; rotate its successor ${successor_id}`)
  if (revoked_at !== null) throw new Error(`token ${id} is revoked; ${anew}`)
  if (expires_at !== null && Date.parse(expires_at) <= Date.now())
    throw new Error(`token ${id} has expired; ${anew}`)
}
