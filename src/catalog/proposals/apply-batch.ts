import type { Transaction, Writable } from '../../platform/database/database.ts'
import type { Push } from '../batches/apply-lines.ts'
import { lockPushes } from '../batches/product-push.sql.ts'
import type { Batch } from '../batches/read-batches.ts'
import type { VariantCounts } from '../batches/refuse-lines.ts'
import { bulkLimits, retryOnDuplicate, untilPast } from '../push/push-products.ts'
import { loadChanges } from './load-changes.ts'
import { findNamedProducts } from './locked-products.ts'
import { isFollowing } from './merge-line.ts'
import type { LineState } from './proposal.schema.ts'
import { countLines, type StateCounts } from './proposal.sql.ts'
import {
  type AppliedState,
  findMade,
  lockLines,
  type OpenLine,
  updateLines,
  type Wanted,
} from './proposal-line.sql.ts'
import { writeLines } from './write-lines.ts'

export type Applying = {
  push: Push
  proposalId: number
  /** Who applies it, for what a prompt wrote. */
  reviewer: string
  /** Some of its lines, which are tried again where they were in conflict. */
  numbers: number[] | undefined
  /** Writes those of them that are in conflict whatever somebody else has written. */
  overwrite: boolean
}

type LinesToApply = { lines: OpenLine[]; ids: Map<string, number>; variantCounts: VariantCounts }

/** Writes some lines with their states, or nothing of them. Lines that somebody else has written meanwhile are left alone. */
export async function applyBatch(
  database: Writable,
  applying: Applying,
  { states }: Wanted,
  batch: LinesToApply,
): Promise<void> {
  const { push, proposalId } = applying
  const { projectId } = push
  const limits = { ...bulkLimits, project: projectId }
  // One object for all attempts: what an attempt before this one has counted under it is forgotten.
  const planned: Batch = { lines: [], skus: new Set(), ids: batch.ids }
  const write = async (tx: Transaction, alone: boolean) => {
    await lockPushes(tx, projectId, alone)
    const numbers = batch.lines.map(({ line }) => line)
    const held = await lockLines(tx, projectId, proposalId, numbers, states)
    const left = batch.lines.filter(({ line }) => held.has(line))
    if (left.length === 0) return 0
    const found = await followMade(tx, projectId, proposalId, left)
    const products = await findNamedProducts(tx, projectId, found, true)
    const lines = await loadChanges(tx, projectId, proposalId, found, products)
    const overwritten = new Set(
      applying.overwrite ? numbers.filter((line) => held.get(line) === 'conflict') : [],
    )
    const { variantCounts } = batch
    const attempt = { push, reviewer: applying.reviewer, lines, overwritten, planned, variantCounts }
    const { results, ahead } = await writeLines(tx, attempt, products)
    await updateLines(tx, projectId, proposalId, results)
    await countLines(tx, projectId, proposalId, countsOf(held, results))
    return ahead
  }
  await untilPast(await retryOnDuplicate((alone) => database.transaction((tx) => write(tx, alone), limits)))
}

/** A line that changes what a line before it was to make is about that product, once it is made. */
async function followMade(
  tx: Transaction,
  projectId: number,
  proposalId: number,
  lines: OpenLine[],
): Promise<OpenLine[]> {
  const following = lines.filter(isFollowing)
  if (following.length === 0) return lines
  const skus = following.flatMap(({ sku }) => sku ?? [])
  const made = await findMade(tx, projectId, proposalId, skus)
  return lines.map((line) =>
    isFollowing(line) ? { ...line, product_id: made.get(line.sku ?? '') ?? null } : line,
  )
}

function countsOf(before: ReadonlyMap<number, LineState>, results: readonly AppliedState[]): StateCounts {
  const counts: Record<string, number> = {}
  const count = (state: LineState, by: number) => {
    const name = state === 'rejected' ? 'refused' : state
    counts[name] = (counts[name] ?? 0) + by
  }
  for (const { line, state } of results) {
    count(before.get(line) as LineState, -1)
    count(state, 1)
  }
  return counts
}
