import type { Verdict } from '../../catalog/batches/verdicts.ts'
import { adjustStock } from '../../catalog/inventory/adjust-stock.ts'
import type { Author } from '../../catalog/products/write-products.ts'
import { pushProducts } from '../../catalog/push/push-products.ts'
import type { NewProduct } from '../../model/product/product-input.schema.ts'
import type { Ruleset } from '../../model/quality/ruleset.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { Line } from '../../platform/http/request/split-body.ts'
import type { Chapter } from './demo-chapters.ts'
import { moveChanges } from './demo-dates.ts'

export type Shop = { projectId: number; ruleset: Ruleset }

export async function pushChapters(tx: Transaction, shop: Shop, chapters: Chapter[]): Promise<void> {
  for (const some of roundsOf(chapters)) {
    const [{ author }] = some as [Chapter]
    const written = some.flatMap(({ daysAgo, lines }) => lines.map(({ sku }) => ({ sku, daysAgo })))
    await pushLines(
      tx,
      shop,
      author,
      some.flatMap(({ lines }) => lines),
    )
    await moveChanges(tx, shop.projectId, written)
  }
}

/** Chapters that are pushed at once, because that is faster: those of one author, but a product's second change after its first. */
function roundsOf(chapters: Chapter[]): Chapter[][] {
  const changed = new Set<string>()
  const rounds = chapters.map((chapter) => {
    const isSecond = chapter.lines.some(({ sku }) => changed.has(sku))
    for (const { sku } of chapter.lines) changed.add(sku)
    return { chapter, key: `${isSecond ? 2 : 1} ${chapter.author.actor} ${chapter.author.source}` }
  })
  const byKey = Map.groupBy(rounds, ({ key }) => key)
  const keys = byKey.keys().toArray().sort()
  return keys.map((key) => (byKey.get(key) ?? []).map(({ chapter }) => chapter))
}

export async function pushLines(
  tx: Transaction,
  { projectId, ruleset }: Shop,
  author: Author,
  lines: object[],
): Promise<void> {
  const push = { projectId, author, ruleset, mode: 'update' } as const
  await pushProducts(tx, push, linesOf(lines), { begin: () => {}, tell: refuseRejected })
}

export function linesOf(lines: object[]): Line[] {
  return lines.map((line, index) => ({
    number: index + 1,
    bytes: Buffer.from(JSON.stringify(line)),
    spent: [],
  }))
}

/** The demo is the same everywhere: what is wrong with it here is a mistake in its data. */
function refuseRejected(verdicts: Verdict[]): void {
  const rejected = verdicts.find(({ outcome }) => outcome !== 'updated')
  if (rejected !== undefined) throw new Error(`the demo cannot be: ${JSON.stringify(rejected)}`)
}

type Movement = { sku: string; daysAgo: number; delta: number; reason: string }

const warehouse = { actor: 'Sample: warehouse', source: 'api' } as const
const reasons = ['Sold at the counter', 'Damaged in the warehouse', 'Sent as a replacement'] as const

/** Deliveries and losses of the last weeks, and by how much they changed the stock of each product. */
export function stockMovements(products: NewProduct[]): {
  moved: Map<string, number>
  movements: Movement[]
} {
  const stocked = products.filter(({ inventory }) => inventory?.tracked && (inventory.quantity ?? 0) >= 30)
  const movements = stocked.slice(0, 40).flatMap(({ sku }, index): Movement[] => [
    { sku, daysAgo: 29 - (index % 14), delta: 24, reason: `Delivery ${4100 + (index % 14)}` },
    { sku, daysAgo: 2 + (index % 12), delta: -1 - (index % 4), reason: reasons[index % 3] as string },
  ])
  const moved = new Map<string, number>()
  for (const { sku, delta } of movements) moved.set(sku, (moved.get(sku) ?? 0) + delta)
  return { moved, movements: movements.sort((one, other) => other.daysAgo - one.daysAgo) }
}

export async function moveStock(
  tx: Transaction,
  projectId: number,
  ids: ReadonlyMap<string, number>,
  movements: Movement[],
): Promise<void> {
  for (const some of Map.groupBy(movements, ({ delta }) => Math.sign(delta)).values()) {
    for (const { sku, delta, reason } of some)
      await adjustStock(tx, projectId, ids.get(sku) as number, warehouse, { delta, reason }, undefined)
    await moveChanges(tx, projectId, some)
  }
}
