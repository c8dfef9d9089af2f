import { approveRequest, declineRequest } from '../../access/access-requests/decide-request.ts'
import { requestAccess } from '../../access/access-requests/request-access.ts'
import type { Actor } from '../../access/audit/audit.sql.ts'
import { notifyUsers } from '../../access/notifications/notify-users.ts'
import { createProject } from '../../access/projects/manage-project.ts'
import { issueToken } from '../../access/tokens/manage-token.ts'
import { findUserIdByEmail } from '../../access/users/user.sql.ts'
import { saveView } from '../../console-api/saved-views/manage-view.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { addDemoUsage, moveProject, moveRequest, moveTokens } from './demo-admin-dates.ts'

const tokens = [
  { name: 'Sample: web shop', scopes: ['products:read'] },
  { name: 'Sample: warehouse', scopes: ['products:write'] },
  { name: 'Sample: price list', scopes: ['products:write'] },
  { name: 'Sample: AI copywriter', scopes: ['products:write', 'prompts:read'] },
] as const

/** Adds the tokens that appear in the product history, with usage. No one knows their secrets. */
export async function addTokens(tx: Transaction, actor: Actor, projectId: number): Promise<void> {
  for (const { name, scopes } of tokens) await issueToken(tx, actor, projectId, { name, scopes: [...scopes] })
  await moveTokens(tx, projectId)
  await addDemoUsage(tx, projectId)
}

/** Adds two projects without products, with API access requests for the admin area: approved, declined and open. */
export async function addRequests(tx: Transaction, actor: Actor, email: string): Promise<void> {
  const [books, lakeside] = ['Sample: Harbor Books', 'Sample: Lakeside Outdoors']
  const create = async (name: string, daysAgo: number) => {
    const { id } = await createProject(tx, actor, { name, plan: 'free', isDemo: true })
    await moveProject(tx, id, daysAgo)
    return id
  }
  const ask = async (projectId: number, purpose: string) =>
    (await requestAccess(tx, projectId, email, { name: 'Demo member', email, purpose })).id

  const first = await create(books, 60)
  const approved = await ask(
    first,
    'Show our books in the new web shop and update stock from the point of sale every hour.',
  )
  await approveRequest(tx, actor, approved)
  await moveRequest(tx, approved, { asked: 33, decided: 31 })

  const second = await create(lakeside, 50)
  const declined = await ask(second, 'Testing.')
  await declineRequest(
    tx,
    actor,
    declined,
    'Please describe which application will call the API and how often.',
  )
  await moveRequest(tx, declined, { asked: 21, decided: 20 })
  const open = await ask(
    second,
    'Our rental system reads prices and stock for about 300 products every ten minutes.',
  )
  await moveRequest(tx, open, { asked: 1, decided: 1 })
}

const views = {
  'Sold out': 'status=active&in_stock=false',
  'Missing descriptions': 'quality_rule=description_length&ordering=-updated_at',
  Drafts: 'status=pending&columns=sku,name,updated_at',
}

/** Adds saved views for the demo member. */
export async function saveViews(tx: Transaction, projectId: number, email: string): Promise<void> {
  const userId = (await findUserIdByEmail(tx, email)) as number
  for (const [name, query] of Object.entries(views))
    await saveView(tx, { projectId, userId, isManager: true }, { name, query })
}

/** Notifies the demo member about the open proposals, which are older than the account. */
export async function addNotifications(tx: Transaction, projectId: number): Promise<void> {
  const open = await tx.query(
    sql<{ objectId: number; title: string; actor: string }>`
      select id as "objectId", title, actor from proposals where project_id = ${projectId} and state = 'open' order by id`,
  )
  for (const proposal of open)
    await notifyUsers(tx, { ...proposal, kind: 'proposal_waiting', projectId, to: 'managers', subject: '' })
}
