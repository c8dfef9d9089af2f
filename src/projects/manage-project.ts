import type { Queryable } from '../database/database.ts'
import { Problem } from '../http/problems.ts'
import { currencyPattern } from './project.schema.ts'
import {
  insertProject,
  listPlanCodes,
  type Project,
  type ProjectChanges,
  requireProject,
  updateProject,
} from './project.sql.ts'

const rateLimitPattern = /^(plan|none|[1-9][0-9]{0,5})$/

export type NewProject = { name: string; plan?: string; currency?: string; isDemo?: boolean }

export async function createProject(
  database: Queryable,
  { name, plan = 'free', currency = 'EUR', isDemo = false }: NewProject,
): Promise<Project> {
  const trimmed = name.trim()
  if (trimmed === '') throw new Error('a project needs a name')
  if (!currencyPattern.test(currency))
    throw new Error(`the currency is an ISO 4217 code such as EUR, not "${currency}"`)
  await refuseUnknownPlan(database, plan)
  return insertProject(database, { name: trimmed, plan, currency, isDemo })
}

export async function changeProject(
  database: Queryable,
  id: number,
  changes: ProjectChanges,
): Promise<Project> {
  await refuseUnknownPlan(database, changes.plan)
  if (changes.rateLimit !== undefined && !rateLimitPattern.test(changes.rateLimit)) {
    throw new Error(
      `the rate limit is a number of requests a second up to 999999, "none" or "plan", not "${changes.rateLimit}"`,
    )
  }
  return (await updateProject(database, id, changes)) ?? requireProject(database, id)
}

async function refuseUnknownPlan(database: Queryable, plan: string | undefined): Promise<void> {
  if (plan === undefined) return
  const known = await listPlanCodes(database)
  if (known.includes(plan)) return
  const fault = { pointer: '/plan', code: 'invalid_choice', message: `must be one of ${known.join(', ')}` }
  throw new Problem('invalid_body', { errors: [fault] })
}
