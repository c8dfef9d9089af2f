import type { Scope } from '../../model/scopes.ts'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { Problem } from '../../platform/http/problems.ts'
import type { MediaAccess, Override } from './project.schema.ts'
import { apiAccess } from './project-access.sql.ts'

/** A project as the operator sees it. */
export type Project = {
  id: number
  name: string
  plan: string
  api_access: Override
  rate_limit: string
  self_service_tokens: Override
  self_service_scopes: Scope[] | null
  media: MediaAccess
  currency: string
  is_demo: boolean
  created_at: string
  updated_at: string
}

export type ProjectChanges = {
  plan?: string | undefined
  apiAccess?: Override | undefined
  rateLimit?: string | undefined
  selfServiceTokens?: Override | undefined
  /** null means all. */
  selfServiceScopes?: Scope[] | null | undefined
  media?: MediaAccess | undefined
}

const columns = sql`id, name, plan, api_access, rate_limit, self_service_tokens, self_service_scopes, media, currency, is_demo, created_at, updated_at`

export async function insertProject(
  tx: Transaction,
  project: { name: string; plan: string; currency: string; isDemo: boolean },
): Promise<Project> {
  const [row] = await tx.query(sql<Project>`
    insert into projects (name, plan, currency, is_demo)
    values (${project.name}, ${project.plan}, ${project.currency}, ${project.isDemo})
    returning ${columns}`)
  return row as Project
}

export async function requireProject(database: Queryable, id: number): Promise<Project> {
  const [row] = await database.query(sql<Project>`select ${columns} from projects where id = ${id}`)
  if (row === undefined) throw projectNotFound(id)
  return row
}

function projectNotFound(id: number): Problem {
  return new Problem('not_found', { detail: `There is no project ${id}.` })
}

/** Locks the project against changes until the transaction ends. */
export async function lockProject(tx: Transaction, id: number): Promise<Project> {
  const [row] = await tx.query(sql<Project>`select ${columns} from projects where id = ${id} for update`)
  if (row === undefined) throw projectNotFound(id)
  return row
}

/** Whether the project has API access. The lock keeps the result valid until the transaction ends. */
export async function lockProjectAccess(tx: Transaction, id: number): Promise<boolean> {
  const [row] = await tx.query(sql<{ api_access: boolean }>`
    select ${apiAccess} as api_access from projects as project join plans as plan on plan.code = project.plan
    where project.id = ${id} for update of project`)
  return row?.api_access === true
}

export function listProjects(database: Queryable): Promise<Project[]> {
  return database.query(sql<Project>`select ${columns} from projects order by id`)
}

export async function updateProject(tx: Transaction, id: number, changes: ProjectChanges): Promise<Project> {
  const [row] = await tx.query(sql<Project>`
    update projects
    set plan = coalesce(${changes.plan ?? null}, plan),
        api_access = coalesce(${changes.apiAccess ?? null}, api_access),
        rate_limit = coalesce(${changes.rateLimit ?? null}, rate_limit),
        self_service_tokens = coalesce(${changes.selfServiceTokens ?? null}, self_service_tokens),
        self_service_scopes = case when ${changes.selfServiceScopes !== undefined} then ${changes.selfServiceScopes ?? null}::text[] else self_service_scopes end,
        media = coalesce(${changes.media ?? null}, media),
        updated_at = now()
    where id = ${id}
    returning ${columns}`)
  return row as Project
}

export async function listPlanCodes(database: Queryable): Promise<string[]> {
  const rows = await database.query(
    sql<{ code: string }>`select code from plans order by requests_per_second, code`,
  )
  return rows.map(({ code }) => code)
}
