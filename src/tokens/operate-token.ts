import { type Actor, recordAct } from '../audit/audit.sql.ts'
import type { Database, Transaction } from '../database/database.ts'
import {
  type IssuedToken,
  issueToken,
  noToken,
  showToken,
  succeedToken,
  type TokenRequest,
} from './issue-token.ts'
import type { Token } from './token.schema.ts'
import { revokeTokenRow } from './token.sql.ts'

export function grantToken(
  database: Database,
  actor: Actor,
  projectId: number,
  request: TokenRequest,
): Promise<IssuedToken> {
  return database.transaction(async (tx) => {
    const token = await issueToken(tx, projectId, request)
    await record(tx, actor, 'token.create', token, { scopes: token.scopes, expires_at: token.expires_at })
    return token
  })
}

/** A successor with the same name, scopes and expiry; the old one works on for the overlap. */
export function rotateToken(
  database: Database,
  actor: Actor,
  id: number,
  overlapSeconds: number,
): Promise<IssuedToken> {
  return database.transaction(async (tx) => {
    const successor = await succeedToken(tx, id, overlapSeconds)
    await record(
      tx,
      actor,
      'token.rotate',
      { ...successor, id },
      {
        successor_id: successor.id,
        overlap_seconds: overlapSeconds,
      },
    )
    return successor
  })
}

export function revokeToken(database: Database, actor: Actor, id: number): Promise<Token> {
  return database.transaction(async (tx) => {
    const token = await revokeTokenRow(tx, id)
    if (token === undefined) throw noToken(id)
    await record(tx, actor, 'token.revoke', token)
    return token
  })
}

/** Not an operator's act, but who saw a secret belongs into the trail. */
export function revealToken(
  database: Database,
  actor: Actor,
  projectId: number,
  id: number,
): Promise<IssuedToken> {
  return database.transaction(async (tx) => {
    const token = await showToken(tx, projectId, id)
    await record(tx, actor, 'token.show', token)
    return token
  })
}

function record(
  tx: Transaction,
  actor: Actor,
  action: string,
  { id, project, name }: Token,
  details: object = {},
): Promise<void> {
  return recordAct(tx, actor, {
    action,
    projectId: project,
    target: `token ${id}`,
    details: { name, ...details },
  })
}
