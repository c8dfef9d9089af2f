import { type Fence, fenceColumns, fenceHead } from '../../model/freshness/fence.sql.ts'
import type { FreshResponses, View } from '../../model/freshness/fresh-responses.ts'
import type { Scope } from '../../model/scopes.ts'
import { deleteInBatches } from '../../platform/database/batching/delete-in-batches.ts'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { sql, write } from '../../platform/database/sql.ts'
import { matchesWords } from '../../platform/database/statements/matches-words.ts'
import { type Page, type PageRequest, selectPage } from '../../platform/database/statements/select-page.ts'
import {
  apiAccess,
  burst,
  publicMedia,
  requestsPerSecond,
  selfServiceTokens,
} from '../projects/project-access.sql.ts'
import type { Role } from '../roles.ts'
import { requiresSecondFactor } from '../second-factors/second-factor.sql.ts'

/** Who is signed in. */
export type SignedIn = {
  user_id: number
  token_hash: string
  email: string
  name: string
  operator: boolean
  created_at: string
  expires_at: string
  updated_at: string
  /** Whether a role of the user requires a second factor, and the session was opened without one. */
  lacks_second_factor: boolean
  second_factor_reset_at: string | null
}

export type SessionProject = {
  id: number
  name: string
  plan: string
  currency: string
  ruleset: number
  api_access: boolean
  public_media: boolean
  requests_per_second: number | null
  burst: number
  role: Role
  /** Whether managers can create tokens, and with which scopes; null means all. */
  self_service_tokens: boolean
  self_service_scopes: Scope[] | null
  /** Only if the service stores responses. */
  view?: View | undefined
}

// Every request reads its session, so that a revoked right ends at once.
export async function findSession(database: Queryable, tokenHash: string): Promise<SignedIn | undefined> {
  const [row] = await database.query(sql<SignedIn>`
    select session.user_id, session.token_hash, users.email, users.name, users.operator, session.created_at,
      session.expires_at, session.updated_at, users.second_factor_reset_at,
      not session.second_factor and ${requiresSecondFactor} as lacks_second_factor
    from sessions as session join users on users.id = session.user_id
    where session.token_hash = ${tokenHash} and session.expires_at > clock_timestamp() and users.disabled_at is null`)
  return row
}

/** Undefined for a disabled user. */
export async function findPasswordHash(database: Queryable, email: string): Promise<string | undefined> {
  const [row] = await database.query(sql<{ password: string }>`
    select account.password from accounts as account join users on users.id = account.user_id
    where users.email = ${email.toLowerCase()} and account.provider_id = 'credential'
      and users.disabled_at is null`)
  return row?.password
}

/** False if `current` is no longer the password. */
export async function replacePassword(
  tx: Transaction,
  userId: number,
  current: string,
  next: string,
): Promise<boolean> {
  const rows = await tx.query(sql<{ id: number }>`
    update accounts set password = ${next}, updated_at = now()
    where user_id = ${userId} and provider_id = 'credential' and password = ${current} returning id`)
  return rows.length > 0
}

/** Returns the number of deleted sessions. */
export async function deleteOtherSessions(
  database: Queryable,
  userId: number,
  keptHash: string,
): Promise<number> {
  const statement = sql`delete from sessions where user_id = ${userId} and token_hash <> ${keptHash} returning id`
  return (await database.query(write(statement))).length
}

export async function deleteSession(database: Queryable, tokenHash: string): Promise<void> {
  await database.query(write(sql`delete from sessions where token_hash = ${tokenHash}`))
}

const projectColumns = sql`project.id, project.name, project.plan, project.currency, project.ruleset,
  ${apiAccess} as api_access, ${publicMedia} as public_media, ${requestsPerSecond} as requests_per_second, ${burst} as burst,
  case when users.operator then 'operator' else membership.role end as role,
  ${selfServiceTokens} as self_service_tokens, project.self_service_scopes`

/** Projects that a user can see: all for an operator, otherwise those with a membership. */
const visible = (userId: number) => sql`
  projects as project join plans as plan on plan.code = project.plan
  join users on users.id = ${userId}
    and (users.operator or exists (
      select from memberships as own where own.project_id = project.id and own.user_id = users.id))
  left join memberships as membership on membership.project_id = project.id and membership.user_id = users.id`

/** Undefined if the project does not exist or the user cannot see it. */
export async function findProjectOf(
  database: Queryable,
  userId: number,
  projectId: number,
  stored?: FreshResponses,
): Promise<SessionProject | undefined> {
  const where = sql`where project.id = ${projectId}`
  if (stored === undefined) {
    const [row] = await database.query(
      sql<SessionProject>`select ${projectColumns} from ${visible(userId)} ${where}`,
    )
    return row
  }
  const known = sql`${stored.knownNumber(projectId)}::bigint`
  const [row] = await database.query(sql<SessionProject & Fence>`
    select ${projectColumns}, ${fenceColumns(known)} from ${visible(userId)} ${fenceHead} ${where}`)
  if (row === undefined) return undefined
  const { server, unrecorded, number, key, since, unnumbered, ...project } = row
  const fence = { server, unrecorded, number, key, since, unnumbered }
  return { ...project, view: stored.observe({ ...project, project_id: projectId }, fence) }
}

/** Whether a project has views. Pages read it once, so that they send no request for views that do not exist. */
const hasViewDefinitions = sql`exists (
  select from rulesets as ruleset
  where ruleset.project_id = project.id and ruleset.version = project.ruleset
    and ruleset.views -> 'definitions' <> '[]')`

export async function hasViews(database: Queryable, projectId: number): Promise<boolean> {
  const [row] = await database.query(sql<{ has_views: boolean }>`
    select ${hasViewDefinitions} as has_views from projects as project where project.id = ${projectId}`)
  return row?.has_views === true
}

/** Sorted by name in a search, otherwise by creation. */
export function listProjectsOf(
  database: Queryable,
  userId: number,
  search: string | undefined,
  page: PageRequest,
): Promise<Page<SessionProject & { has_views: boolean }>> {
  const projects = visible(userId)
  return selectPage(database, {
    columns: sql`${projectColumns}, ${hasViewDefinitions} as has_views`,
    from: projects,
    where: matchesWords([sql`project.name`, sql`project.id`], search),
    orderBy: search === undefined ? sql`project.id` : sql`project.name, project.id`,
    page,
  })
}

export async function deleteExpired(database: Queryable, signal: AbortSignal): Promise<void> {
  for (const table of ['sessions', 'sign_in_failures', 'used_challenges'])
    await deleteInBatches(database, { table, column: 'expires_at', before: sql`now()` }, signal)
}
