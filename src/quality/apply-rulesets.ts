import type { Transaction, Writable } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { Rulesets } from './rulesets.ts'
import { batchSizes, lockOutdated, type Met, setScores } from './scores.sql.ts'
import { claimJob, endJob, goOn, listProductsAfter, type ScoringJob, walkAgain } from './scoring-job.sql.ts'

const pauses = {
  /** Whoever writes a product knows the ruleset of the moment when the request arrived, and its body may take this long. */
  settleSeconds: 40,
  /** For a product that somebody holds. */
  retrySeconds: 1,
  /** A slow push, or a reader who still has a row with an older score. */
  lateSeconds: 3_600,
}
type Pauses = typeof pauses

/**
 * After a ruleset changed, scores the products of its project again. Each batch is a short transaction that holds the job, so that
 * several services take turns and no product is scored twice, and one that is killed leaves the rest to the others.
 */
export async function applyRulesets(
  database: Writable,
  rulesets: Rulesets,
  signal: AbortSignal,
  changed: Partial<Pauses> = {},
): Promise<void> {
  const chosen = { ...pauses, ...changed }
  while (!signal.aborted && (await database.transaction((tx) => applyBatch(tx, rulesets, chosen)))) {
    // The next one.
  }
}

/** Returns whether there was anything to do. */
async function applyBatch(tx: Transaction, rulesets: Rulesets, chosen: Pauses): Promise<boolean> {
  const job = await claimJob(tx, chosen.settleSeconds)
  if (job === undefined) return false
  const { projectId, version, afterId } = job
  const isOutdated = sql`product.quality_ruleset <> ${version}`
  const looked = await listProductsAfter(tx, projectId, afterId, isOutdated)
  const passed = upToFullBatch(looked)
  const outdated = passed.filter((product) => product.outdated)
  const rows = await lockOutdated(tx, outdated, isOutdated)
  const ruleset = await rulesets.of({ project_id: projectId, ruleset: version })
  await setScores(tx, rows, () => ruleset)

  const left = outdated.length - rows.length
  const scored = job.isFirstWalk ? passed.length - left : rows.length
  const last = passed.at(-1)
  if (last !== undefined && (passed.length < looked.length || looked.length === batchSizes.looked))
    await goOn(tx, projectId, { afterId: last.id, outdated: outdated.length, scored })
  else await endWalk(tx, job, { isClean: job.outdated + outdated.length === 0, scored }, chosen)
  return true
}

/** As many as have no more outdated ones among them than a transaction scores. */
function upToFullBatch(looked: Met[]): Met[] {
  let outdated = 0
  const end = looked.findIndex((product) => product.outdated && ++outdated > batchSizes.scored)
  return end < 0 ? looked : looked.slice(0, end)
}

/** All have their score after a walk that met no other, and that began when nobody wrote by the older ruleset any more. */
async function endWalk(
  tx: Transaction,
  { projectId, version, isSettled, isCompleted }: ScoringJob,
  { isClean, scored }: { isClean: boolean; scored: number },
  { settleSeconds, retrySeconds, lateSeconds }: Pauses,
): Promise<void> {
  const isDone = isClean && isSettled
  if (isDone && isCompleted) return endJob(tx, projectId, version)
  const pauseSeconds = isDone ? lateSeconds : retrySeconds
  await walkAgain(tx, projectId, { isCompleted: isDone, scored, pauseSeconds, settleSeconds })
}
