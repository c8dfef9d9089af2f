import type { Transaction, Writable } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problems.ts'
import { type Actor, insertAuditEntry } from '../audit/audit.sql.ts'
import { notifyUsers } from '../notifications/notify-users.ts'
import { lockProjectAccess, updateProject } from '../projects/project.sql.ts'
import type { IssuedToken } from '../tokens/manage-token.ts'
import type { Token } from '../tokens/token.schema.ts'
import { insertToken } from '../tokens/token.sql.ts'
import { generateSecret } from '../tokens/token-format.ts'
import type { AccessRequest } from './access-request.schema.ts'
import { decideRequest, lockRequest } from './access-request.sql.ts'

type Approved = AccessRequest & { token: Token | IssuedToken }

/**
 * Enables API access and creates a token, in one transaction. The token gets its secret when a member shows it in the console,
 * or at once with `showToken`, if the operator hands it over.
 */
export function approveRequest(
  database: Writable,
  actor: Actor,
  id: number,
  { showToken = false }: { showToken?: boolean } = {},
): Promise<Approved> {
  return database.transaction(async (tx) => {
    const { project, name } = await lockOpenRequest(tx, id)
    // No override if the plan includes API access: it would outlive the plan.
    if (!(await lockProjectAccess(tx, project.id))) await updateProject(tx, project.id, { apiAccess: 'on' })
    const secret = showToken ? generateSecret() : undefined
    const token = await insertToken(tx, project.id, { name }, secret)
    const decision = { state: 'approved', reason: null, tokenId: token.id, by: actor.name } as const
    const request = await decide(tx, actor, project.id, id, decision)
    await insertAuditEntry(tx, actor, {
      action: 'access_request.approve',
      projectId: project.id,
      target: `access request ${id}`,
      details: { token_id: token.id, token_shown: showToken, email: request.email },
    })
    return { ...request, token: { ...token, ...(secret && { token: secret.token }) } }
  })
}

export function declineRequest(
  database: Writable,
  actor: Actor,
  id: number,
  reason: string,
): Promise<AccessRequest> {
  return database.transaction(async (tx) => {
    const { project } = await lockOpenRequest(tx, id)
    const decision = { state: 'declined', reason, tokenId: null, by: actor.name } as const
    const request = await decide(tx, actor, project.id, id, decision)
    await insertAuditEntry(tx, actor, {
      action: 'access_request.decline',
      projectId: project.id,
      target: `access request ${id}`,
      details: { reason, email: request.email },
    })
    return request
  })
}

/** Notifies the member who requested access, unless the decision is their own. */
async function decide(
  tx: Transaction,
  actor: Actor,
  projectId: number,
  id: number,
  decision: Parameters<typeof decideRequest>[2],
): Promise<AccessRequest> {
  const { request, createdBy } = await decideRequest(tx, id, decision)
  if (createdBy !== actor.name)
    await notifyUsers(tx, {
      ...{ kind: 'access_decided', projectId, to: { email: createdBy } },
      ...{ objectId: id, state: decision.state, title: decision.reason ?? '', actor: actor.name },
    })
  return request
}

async function lockOpenRequest(tx: Transaction, id: number): Promise<AccessRequest> {
  const request = await lockRequest(tx, id)
  if (request === undefined) throw new Problem('not_found', { detail: `There is no access request ${id}.` })
  if (request.state !== 'open') {
    throw new Problem('access_request_decided', {
      detail: `Access request ${id} was ${request.state} by ${request.decided_by} at ${request.decided_at}.`,
    })
  }
  return request
}
