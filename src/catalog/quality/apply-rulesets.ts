import { markUnrecordedChange } from '../../model/freshness/unrecorded-change.sql.ts'
import { qualityLimits } from '../../model/limits/quality.ts'
import type { Transaction, Writable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { JobKind, JobResult } from '../../platform/jobs/job.ts'
import { walkInBatches } from '../../platform/scheduling/walk-in-batches.ts'
import { findProducts } from '../products/product.sql.ts'
import type { Rulesets } from '../rulesets/rulesets.ts'
import { scoringKind } from '../rulesets/scoring-job.ts'
import { type ComputedScore, computeScores, setScores, type VisitedProduct } from './scores.sql.ts'
import {
  continueWalk,
  findScoring,
  finishScoring,
  listProductsAfter,
  lockScoring,
  restartWalk,
  type ScoringJob,
} from './scoring-job.sql.ts'

type Pauses = { readonly [Name in `${'settle' | 'retry' | 'late'}Seconds`]: number }

const firstBatch = 25

/** Scores the products of a project again after its ruleset changed. Projects take turns of one second. */
export function scoringJobs(database: Writable, rulesets: Rulesets): JobKind {
  return {
    name: scoringKind,
    maxConcurrent: qualityLimits.scorings,
    maxPerProject: qualityLimits.scorings,
    reserved: 0,
    maxAttempts: qualityLimits.scoringAttempts,
    maxPauseSeconds: qualityLimits.scoringPauseSeconds,
    run: ({ projectId, signal, attempts }) =>
      scoreProject(database, rulesets, projectId, { signal, attempts }),
  }
}

type Turn = { signal: AbortSignal; attempts?: number; milliseconds?: number }

/** Scores batches until all products are scored, the turn is over, or the next batch has to wait. */
export async function scoreProject(
  database: Writable,
  rulesets: Rulesets,
  projectId: number,
  { signal, attempts = 0, milliseconds = qualityLimits.scoringTurnMilliseconds }: Turn,
  changed: Partial<Pauses> = {},
): Promise<JobResult> {
  const chosen = { ...qualityLimits, ...changed }
  const walk = {
    ...{
      first: firstBatch / 4 ** attempts,
      most: qualityLimits.scoredProducts,
      batchMilliseconds: qualityLimits.scoredMilliseconds,
    },
    ...{ signal, turnMilliseconds: milliseconds },
  }
  const result = await walkInBatches<JobResult>(walk, async (size, keepSize) => {
    const job = await findScoring(database, projectId, chosen.settleSeconds)
    if (job === undefined) return 'done'
    if (job.waitMilliseconds > 0) return { againInMilliseconds: job.waitMilliseconds }
    const outdated = await scoreBatch(database, rulesets, job, size, chosen)
    if (outdated === 0) keepSize()
    return undefined
  })
  return result ?? { againInMilliseconds: 0 }
}

type Batch = {
  visited: VisitedProduct[]
  passed: VisitedProduct[]
  outdated: VisitedProduct[]
  scores: ComputedScore[]
}

/** Returns how many products had outdated scores. */
async function scoreBatch(
  database: Writable,
  rulesets: Rulesets,
  job: ScoringJob,
  most: number,
  chosen: Pauses,
): Promise<number> {
  const { projectId, version, afterId } = job
  const visited = await listProductsAfter(database, projectId, afterId, isOutdatedBy(version))
  const passed = upToFullBatch(visited, most)
  const outdated = passed.filter((product) => product.outdated)
  const rows = [...(await findProducts(database, outdated)).values()]
  const ruleset = await rulesets.of({ project_id: projectId, ruleset: version })
  const scores = await computeScores(rows, () => ruleset)
  await database.transaction((tx) => recordBatch(tx, job, { visited, passed, outdated, scores }, chosen))
  return outdated.length
}

function isOutdatedBy(version: number) {
  return sql`product.quality_ruleset <> ${version}`
}

/** Records nothing if another process continued the walk, or if the ruleset changed again. */
async function recordBatch(
  tx: Transaction,
  job: ScoringJob,
  { visited, passed, outdated, scores }: Batch,
  chosen: Pauses,
): Promise<void> {
  const { projectId, version } = job
  if (scores.length > 0) await markUnrecordedChange(tx, [projectId])
  if (!(await lockScoring(tx, job))) return
  const done = await setScores(tx, scores, isOutdatedBy(version))
  const left = outdated.length - done
  const scored = job.isFirstWalk ? passed.length - left : done
  const last = passed.at(-1)
  if (
    last !== undefined &&
    (passed.length < visited.length || visited.length === qualityLimits.checkedProducts)
  )
    await continueWalk(tx, projectId, { afterId: last.id, outdated: outdated.length, scored })
  else await endWalk(tx, job, { isClean: job.outdated + outdated.length === 0, scored }, chosen)
}

/** The first products, up to the number of outdated ones that one batch scores. */
function upToFullBatch(visited: VisitedProduct[], most: number): VisitedProduct[] {
  let outdated = 0
  const end = visited.findIndex((product) => product.outdated && ++outdated > most)
  return end < 0 ? visited : visited.slice(0, end)
}

/** Scoring is complete after a walk without outdated products that began when no request used the older ruleset. */
async function endWalk(
  tx: Transaction,
  { projectId, version, isSettled, isCompleted }: ScoringJob,
  { isClean, scored }: { isClean: boolean; scored: number },
  { settleSeconds, retrySeconds, lateSeconds }: Pauses,
): Promise<void> {
  const isDone = isClean && isSettled
  if (isDone && isCompleted) return finishScoring(tx, projectId, version)
  const pauseSeconds = isDone ? lateSeconds : retrySeconds
  await restartWalk(tx, projectId, { isCompleted: isDone, scored, pauseSeconds, settleSeconds })
}
