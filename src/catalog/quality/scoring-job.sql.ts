import { qualityLimits } from '../../model/limits/quality.ts'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import type { JobEnd } from '../../platform/jobs/job.ts'
import { productCount } from '../rulesets/marking.sql.ts'
import { scoringKind } from '../rulesets/scoring-job.ts'
import type { VisitedProduct } from './scores.sql.ts'

/** Maintenance would request the job again, because the project still has scores of an older ruleset. */
export const scoringEnd: JobEnd = {
  whyKept:
    'products that it has not scored yet would keep the score of older quality rules. If the rules are too expensive, change them',
}

export type ScoringJob = {
  projectId: number
  version: number
  walks: number
  afterId: number
  /** Outdated products in this walk, before this batch. */
  outdated: number
  isFirstWalk: boolean
  /** Whether the walk began when all writers used the ruleset. */
  isSettled: boolean
  isCompleted: boolean
  /** Until the next walk is due. */
  waitMilliseconds: number
}

/** The state of scoring in a project; undefined if it has finished. */
export async function findScoring(
  database: Queryable,
  projectId: number,
  settleSeconds: number,
): Promise<ScoringJob | undefined> {
  const began = sql`case when after_id = 0 then clock_timestamp() else walk_began_at end`
  const [job] = await database.query(sql<ScoringJob>`
    select project_id as "projectId", version, walks, after_id as "afterId", outdated, walks = 0 as "isFirstWalk",
           ${began} >= changed_at + ${settleSeconds}::float8 * interval '1 second' as "isSettled",
           completed_at is not null as "isCompleted",
           greatest(0, floor(extract(epoch from due_at - clock_timestamp()) * 1000))::float8 as "waitMilliseconds"
    from scoring_jobs where project_id = ${projectId}`)
  return job
}

/** Locks the scoring state if it has not changed; returns false otherwise. */
export async function lockScoring(
  tx: Transaction,
  { projectId, version, walks, afterId }: ScoringJob,
): Promise<boolean> {
  const rows = await tx.query(sql`
    select from scoring_jobs
    where project_id = ${projectId} and version = ${version} and walks = ${walks} and after_id = ${afterId}
    for no key update skip locked`)
  return rows.length > 0
}

/** Requests jobs for projects that have none: an older release changed their ruleset, or they come from a backup. */
export async function requestMissingScoring(database: Queryable): Promise<void> {
  await database.query(sql`
    insert into jobs (project_id, kind, key, due_at) select project_id, ${scoringKind}, '', due_at from scoring_jobs
    on conflict do nothing`)
}

/** The next products by ID, whether outdated or not. */
export function listProductsAfter(
  tx: Queryable,
  projectId: number,
  id: number,
  isOutdated: Sql,
): Promise<VisitedProduct[]> {
  return tx.query(sql<VisitedProduct>`
    select project_id as "projectId", id, ${isOutdated} as outdated from products as product
    where project_id = ${projectId} and id > ${id} order by id limit ${qualityLimits.checkedProducts}`)
}

export async function continueWalk(
  tx: Transaction,
  projectId: number,
  step: { afterId: number; outdated: number; scored: number },
): Promise<void> {
  await tx.query(sql`
    update scoring_jobs
    set walk_began_at = case when after_id = 0 then transaction_timestamp() else walk_began_at end,
        after_id = ${step.afterId}, outdated = outdated + ${step.outdated}, scored = scored + ${step.scored},
        due_at = clock_timestamp()
    where project_id = ${projectId}`)
}

/** The next walk begins after the pause, and not before all writers use the ruleset. */
export async function restartWalk(
  tx: Transaction,
  projectId: number,
  next: { isCompleted: boolean; scored: number; pauseSeconds: number; settleSeconds: number },
): Promise<void> {
  await tx.query(sql`
    update scoring_jobs
    set walks = walks + 1, after_id = 0, outdated = 0, scored = scored + ${next.scored},
        completed_at = case when ${next.isCompleted} then coalesce(completed_at, clock_timestamp()) end,
        due_at = greatest(
          clock_timestamp() + ${next.pauseSeconds}::float8 * interval '1 second',
          changed_at + ${next.settleSeconds}::float8 * interval '1 second')
    where project_id = ${projectId}`)
}

/** No product has had a score of an older ruleset for a long time. */
export async function finishScoring(tx: Transaction, projectId: number, version: number): Promise<void> {
  await tx.query(sql`delete from scoring_jobs where project_id = ${projectId}`)
  await tx.query(sql`delete from rulesets where project_id = ${projectId} and version < ${version}`)
}

/** The number of products scored by the ruleset in force; undefined if all are. */
export async function findProgress(
  database: Queryable,
  projectId: number,
): Promise<{ scored: number; products: number } | undefined> {
  const [job] = await database.query(sql<{ scored: number; products: number }>`
    select scored, ${productCount(projectId)} as products from scoring_jobs
    where project_id = ${projectId} and completed_at is null`)
  if (job === undefined || job.products === 0) return undefined
  // A product that was written with the older ruleset in the meantime is scored twice.
  return { ...job, scored: Math.min(job.scored, job.products) }
}
