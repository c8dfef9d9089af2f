import { setImmediate as nextTurn } from 'node:timers/promises'
import { noFreshCategories } from '../../categories/missing-categories.ts'
import type { Database } from '../../database/database.ts'
import type { Line } from '../../http/request/split-body.ts'
import type { Push, Pushed } from './apply-lines.ts'
import { describeChanges } from './describe-changes.ts'
import { applyBatch } from './push-batch.ts'
import { givenSku, type PushedLine, planBatches, readAhead, readBatches } from './read-batches.ts'
import { rememberProducts } from './remember-products.ts'
import { type Report, verdictOf } from './verdicts.ts'

/** Characters of products that a dry run keeps. */
const mostRemembered = 16 * 1024 * 1024

/**
 * Reads the lines and applies them, and writes nothing. A product that a later line names again is remembered as it would be by
 * then; where there is no room for it, the lines before that name it are applied once more. Returns how many are rejected.
 */
export async function dryRun(
  database: Database,
  push: Push,
  lines: (Line | undefined)[],
  report: Report,
  { keepsLines = false, tellsChanges = true } = {},
): Promise<number> {
  const repeated = await repeatedSkus(lines)
  const memory = rememberProducts(mostRemembered)
  const earlier = new Map<string, PushedLine[]>()
  const freshCategories = noFreshCategories()
  let rejected = 0
  report.begin()
  const read = readBatches(lines, keepsLines)
  for await (const batch of readAhead(planBatches(database, push.projectId, read, false))) {
    const known = new Map<string, Pushed>()
    const replayed: PushedLine[] = []
    for (const sku of batch.skus) {
      const product = memory.find(sku)
      if (product === undefined) replayed.push(...(earlier.get(sku) ?? []))
      else known.set(sku, product)
    }
    const all = { ...batch, lines: [...replayed, ...batch.lines] }
    const { applied, products } = await applyBatch(database, push, all, {
      hold: false,
      known,
      freshCategories,
    })
    for (const line of batch.lines)
      if (line.sku !== null && repeated.has(line.sku)) earlier.getOrInsert(line.sku, []).push(line)
    for (const [sku, product] of products) if (repeated.has(sku)) memory.keep(sku, product)
    const verdicts = applied.slice(replayed.length).map((line) => ({
      ...verdictOf(line),
      ...(tellsChanges && { changes: describeChanges(line.changes) }),
    }))
    rejected += verdicts.filter(({ outcome }) => outcome === 'rejected').length
    report.tell(verdicts)
  }
  return rejected
}

/** SKUs that stand in several lines. Lines that cannot be read have none. */
async function repeatedSkus(lines: (Line | undefined)[]): Promise<Set<string>> {
  const met = new Set<string>()
  const repeated = new Set<string>()
  for (const [index, line] of lines.entries()) {
    if (index % 100 === 0) await nextTurn()
    const sku = line?.bytes === undefined ? null : looseSku(line.bytes)
    if (sku === null) continue
    if (met.has(sku)) repeated.add(sku)
    met.add(sku)
  }
  return repeated
}

function looseSku(bytes: Buffer): string | null {
  try {
    return givenSku(JSON.parse(bytes.toString('utf8')))
  } catch {
    return null
  }
}
