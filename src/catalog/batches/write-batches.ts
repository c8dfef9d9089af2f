import { setTimeout as sleep } from 'node:timers/promises'
import { largeBytes } from '../../model/product/product-columns.ts'
import { advisoryLocks, lockInProject } from '../../platform/database/advisory-locks.ts'
import {
  bulkLimits,
  type Queryable,
  type Transaction,
  type Writable,
} from '../../platform/database/database.ts'
import { sqlState } from '../../platform/database/failures.ts'
import { planEachTime, type Sql, sql, write } from '../../platform/database/sql.ts'
import { sqlStates } from '../../platform/database/sql-states.ts'
import { databaseLimits } from '../../platform/limits/database.ts'
import { prefetch } from '../../platform/scheduling/prefetch.ts'
import { retry } from '../../platform/scheduling/retry.ts'
import { writeLimits } from '../limits.ts'
import type { VariantCounts } from '../structure/find-conflicts.ts'
import {
  type Batch,
  type Push,
  skusOf,
  tooMuchContention,
  type WriteOptions,
  writeBatch,
} from './apply-batch.ts'
import type { AppliedLine, PushedLine } from './apply-line.ts'

const duplicateRetries = {
  attempts: writeLimits.duplicateAttempts,
  isRetryable: (error: unknown) => sqlState(error) === sqlStates.uniqueViolation,
  exhausted: tooMuchContention,
}

/** Writes lines in the transaction of their batch. */
export type WriteLines = (
  lines: PushedLine[],
  how?: Pick<WriteOptions, 'locked' | 'apply'>,
) => Promise<AppliedLine[]>

/** The properties of a line that are known before the transaction of its batch. Lines of a push have more. */
export type PlannedLine = { line: number; sku: string | null; bytes?: number }

/** The work in the transaction of a batch. It may be repeated. */
type BatchWork<Line, Result> = (tx: Transaction, lines: Line[], write: WriteLines) => Promise<Result>

/**
 * Writes batches in parallel, each in its own transaction. Turns keep their order, and so do batches with the same product.
 * Reports results in the order of the batches.
 */
export async function writeBatches<Line extends PlannedLine, Result>(
  database: Writable,
  push: Push,
  turns: AsyncIterable<{ batches: AsyncGenerator<Line[]> }>,
  work: BatchWork<Line, Result>,
  report: (result: Result) => void = () => {},
): Promise<void> {
  const counts: VariantCounts = new Map()
  for await (const { batches } of turns)
    await runInParallel(
      planBatches(database, push.projectId, batches, push.mode !== 'update'),
      (batch) => writeInTransaction(database, push, batch, counts, work),
      report,
    )
}

/** Not a concurrency limit: whether a batch waits depends on its products. */
async function runInParallel<Line, Result>(
  batches: AsyncGenerator<Batch<Line>>,
  writeOne: (batch: Batch<Line>) => Promise<Result>,
  report: (result: Result) => void,
): Promise<void> {
  const running: { skus: Set<string>; reported: Promise<void> }[] = []
  let failed = false
  try {
    for await (const batch of prefetch(batches)) {
      const mustWait = () =>
        running.length === databaseLimits.batchesOfProject ||
        running.some((other) => !other.skus.isDisjointFrom(batch.skus))
      while (mustWait()) {
        await running[0]?.reported
        running.shift()
      }
      if (failed) break
      const before = running.at(-1)?.reported
      const reported = writeOne(batch).then(async (result) => {
        await before
        report(result)
      })
      // The error is thrown when the result is awaited.
      reported.catch(() => {
        failed = true
      })
      running.push({ skus: batch.skus, reported })
    }
    await running.at(-1)?.reported
  } finally {
    await Promise.allSettled(running.map(({ reported }) => reported))
  }
}

async function writeInTransaction<Line, Result>(
  database: Writable,
  push: Push,
  batch: Batch<Line>,
  counts: VariantCounts,
  work: BatchWork<Line, Result>,
): Promise<Result> {
  let lastAhead = 0
  const result = await retryOnDuplicate((isExclusive) =>
    database.transaction(
      async (tx) => {
        await lockPushes(tx, push.projectId, isExclusive)
        return work(tx, batch.lines, async (lines, how) => {
          const part = { lines, skus: skusOf(lines), ids: batch.ids }
          const { applied, ahead } = await writeBatch(tx, push, part, { ...how, variants: { counts, batch } })
          lastAhead = ahead
          return applied
        })
      },
      { ...bulkLimits, project: push.projectId },
    ),
  )
  await waitForClock(lastAhead)
  return result
}

/** Changes of one product are a millisecond apart, which may be more time than they took. No response shows a future time. */
export async function waitForClock(ahead: number): Promise<void> {
  if (ahead > 0) await sleep(ahead)
}

/**
 * Another request created a product with a SKU of the batch. It can be changed now. The second attempt locks the project, because
 * pushes of the same new SKUs could otherwise fail repeatedly.
 */
export function retryOnDuplicate<Result>(work: (isExclusive: boolean) => Promise<Result>): Promise<Result> {
  return retry(duplicateRetries, (failures) => work(failures > 0))
}

/*
 * Pushes never deadlock with each other. An atomic push locks the whole project. Other pushes lock in the same order: existing
 * products by ID, then categories by name, then new products by SKU.
 */

/** Held until the transaction ends. While the lock is exclusive, no other push writes to the project. */
export function lockPushes(tx: Transaction, projectId: number, isExclusive: boolean): Promise<void> {
  return lockInProject(tx, advisoryLocks.push, projectId, isExclusive ? 'alone' : 'shared')
}

/**
 * Splits batches whose short lines change large products. Reserves IDs in the order in which lines introduce new SKUs, so that
 * products are numbered in this order even if a later batch commits first.
 */
export async function* planBatches<Line extends PlannedLine>(
  database: Queryable,
  projectId: number,
  batches: AsyncIterable<Line[]>,
  reservesIds: boolean,
): AsyncGenerator<Batch<Line>> {
  const sizes = new Map<string, number>()
  for await (const lines of batches) {
    const skus = skusOf(lines)
    const found = await preflightSkus(database, projectId, [...skus], reservesIds)
    for (const { sku, bytes } of found)
      if (bytes !== null) sizes.set(sku, Math.max(bytes, sizes.get(sku) ?? 0))
    const fresh = found.filter(({ id }) => id !== null)
    const isNew = new Set(fresh.map(({ sku }) => sku))
    const sorted = fresh.map(({ id }) => id as number).sort((a, b) => a - b)
    const ids = new Map(
      [...skus].filter((sku) => isNew.has(sku)).map((sku, index) => [sku, sorted[index] as number]),
    )
    for (const part of splitBySize(lines, sizes)) yield { lines: part, skus: skusOf(part), ids }
  }
}

/** Counts what earlier lines add to a product as part of its size for later lines. */
function* splitBySize<Line extends PlannedLine>(
  lines: Line[],
  sizes: Map<string, number>,
): Generator<Line[]> {
  let part: Line[] = []
  let sum = 0
  for (const line of lines) {
    const sku = 'errors' in line ? null : line.sku
    const size = sizes.get(line.sku ?? '') ?? 0
    if (part.length > 0 && sum + size > writeLimits.batchProductBytes) {
      yield part
      part = []
      sum = 0
    }
    part.push(line)
    sum += size
    const next = size + (line.bytes ?? 0)
    if (sku !== null && next > worthRemembering) sizes.set(sku, next)
  }
  if (part.length > 0) yield part
}

const worthRemembering = 4_000

/** A new SKU with an ID that is reserved for it, or the SKU of a large product with its approximate size. */
type SkuPreflight = { sku: string; id: number | null; bytes: number | null }

const largeProductBytes = 4_000
/** Estimated, because decompressing values to measure them could take seconds. */
const compressionRatio = 10

function packedBytes(column: Sql): Sql {
  return sql`pg_column_size(${column}) * case when pg_column_compression(${column}) is null then 1 else ${compressionRatio}::int end`
}

/** Reserves IDs for new SKUs, unless nothing can be created, and measures products before they are locked and read. */
function preflightSkus(
  database: Queryable,
  projectId: number,
  skus: string[],
  reservesIds: boolean,
): Promise<SkuPreflight[]> {
  // Lateral with a limit: one index lookup per SKU. Planned for each query: a plan from when the table was small would not
  // use the index.
  const statement = planEachTime(sql<SkuPreflight>`
      select wanted.sku, case when product.id is null then nextval('products_id_seq') end as id, product.bytes
      from unnest(${skus}::text[]) as wanted (sku) left join lateral (
        select id, ${largeBytes('stored', packedBytes)} + ${packedBytes(sql`stored.provenance`)} as bytes
        from products as stored where project_id = ${projectId} and sku = wanted.sku limit 1
      ) as product on true
      where (product.id is null and ${reservesIds}) or product.bytes > ${largeProductBytes}`)
  return database.query(write(statement, projectId))
}
