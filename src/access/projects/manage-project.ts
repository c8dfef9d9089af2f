import type { Queryable, Writable } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problems.ts'
import { type Actor, insertAuditEntry } from '../audit/audit.sql.ts'
import { currencyPattern } from './project.schema.ts'
import {
  insertProject,
  listPlanCodes,
  lockProject,
  type Project,
  type ProjectChanges,
  updateProject,
} from './project.sql.ts'

const rateLimitPattern = /^(plan|none|[1-9][0-9]{0,5})$/

type NewProject = { name: string; plan?: string; currency?: string; isDemo?: boolean }

export async function createProject(database: Writable, actor: Actor, input: NewProject): Promise<Project> {
  const { plan = 'free', currency = 'EUR', isDemo = false } = input
  const name = input.name.trim()
  if (name === '') throw new Error('a project needs a name')
  if (!currencyPattern.test(currency))
    throw new Error(`the currency must be an ISO 4217 code such as EUR, not "${currency}"`)
  return database.transaction(async (tx) => {
    await rejectUnknownPlan(tx, plan)
    const project = await insertProject(tx, { name, plan, currency, isDemo })
    await insertAuditEntry(tx, actor, {
      action: 'project.create',
      projectId: project.id,
      target: `project ${project.id}`,
      details: { name, plan, currency },
    })
    return project
  })
}

const settings = [
  'plan',
  'api_access',
  'rate_limit',
  'self_service_tokens',
  'self_service_scopes',
  'media',
] as const

export function changeProject(
  database: Writable,
  actor: Actor,
  id: number,
  changes: ProjectChanges,
): Promise<Project> {
  return database.transaction(async (tx) => {
    const before = await lockProject(tx, id)
    await rejectUnknownPlan(tx, changes.plan)
    rejectInvalidRateLimit(changes.rateLimit)
    const after = await updateProject(tx, id, changes)
    const changed = settings.filter((name) => String(before[name]) !== String(after[name]))
    if (changed.length === 0) return after
    await insertAuditEntry(tx, actor, {
      action: 'project.change',
      projectId: id,
      target: `project ${id}`,
      details: Object.fromEntries(
        changed.map((name) => [name, { before: before[name], after: after[name] }]),
      ),
    })
    return after
  })
}

async function rejectUnknownPlan(database: Queryable, plan: string | undefined): Promise<void> {
  if (plan === undefined) return
  const known = await listPlanCodes(database)
  if (known.includes(plan)) return
  const error = { pointer: '/plan', code: 'invalid_choice', message: `must be one of ${known.join(', ')}` }
  throw new Problem('invalid_body', { errors: [error] })
}

function rejectInvalidRateLimit(rateLimit: string | undefined): void {
  if (rateLimit === undefined || rateLimitPattern.test(rateLimit)) return
  throw new Error(
    `the rate limit must be a number of requests per second up to 999999, "none" or "plan", not "${rateLimit}"`,
  )
}
