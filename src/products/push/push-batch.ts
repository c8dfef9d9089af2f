import { lookUpCategories } from '../../categories/look-up-categories.ts'
import {
  createMissingCategories,
  type FreshCategories,
  noFreshCategories,
} from '../../categories/missing-categories.ts'
import type { Queryable, Transaction } from '../../database/database.ts'
import { mapInTurns } from '../../database/scheduling/map-in-turns.ts'
import { sql } from '../../database/sql.ts'
import type { ProductRow } from '../describe-product.ts'
import { type Content, contentOf } from '../product-content.ts'
import { writeChanges, writeCreations } from '../write-products.ts'
import { type AppliedLine, applyLine, type Push, type Pushed } from './apply-lines.ts'
import { findPushedProducts } from './product-push.sql.ts'
import type { Batch } from './read-batches.ts'

/** Loads what a batch names, applies its lines and writes what became of the products. Tells how far that is ahead of the clock. */
export async function writeBatch(
  tx: Transaction,
  push: Push,
  batch: Batch,
): Promise<{ applied: AppliedLine[]; ahead: number }> {
  const freshCategories = noFreshCategories()
  const { applied, products } = await applyBatch(tx, push, batch, { hold: true, freshCategories })
  await createMissingCategories(tx, push.projectId, freshCategories, categoriesOf(products.values()))
  const ahead = await writePushed(tx, push, products.values(), batch.ids)
  return { applied, ahead }
}

type Loading = {
  /** Locks what is loaded until the transaction ends. */
  hold: boolean
  /** Products as the batches before would have left them. */
  known?: ReadonlyMap<string, Pushed>
  /** Categories that the batches before would have made. */
  freshCategories: FreshCategories
}

/** Loads the products and categories that a batch names, and applies its lines to them in order. Writes nothing. */
export async function applyBatch(
  database: Queryable,
  { projectId, mode, ruleset }: Push,
  { lines, skus }: Batch,
  { hold, known = new Map(), freshCategories }: Loading,
): Promise<{ applied: AppliedLine[]; products: Map<string, Pushed> }> {
  const unknown = [...skus].filter((sku) => !known.has(sku))
  const rows = unknown.length === 0 ? [] : await findPushedProducts(database, projectId, unknown, hold)
  const products = new Map([...known, ...rows.map((row) => [row.sku, loadedProduct(row)] as const)])
  const lists = lines.flatMap((line) =>
    'product' in line && line.product.categories ? [line.product.categories] : [],
  )
  const categories = await lookUpCategories(database, projectId, lists, hold, freshCategories)
  const applied = await mapInTurns(lines, (line) => applyLine(line, { mode, ruleset }, products, categories))
  return { applied, products }
}

function loadedProduct(row: ProductRow): Pushed {
  const { id, version, quantity, reserved } = row
  return {
    id,
    version,
    created: undefined,
    content: contentOf(row),
    levels: { quantity, reserved },
    steps: [],
    adjustments: [],
  }
}

const idAndSku = {
  names: ['sku'],
  columns: sql`product.id, product.sku`,
  read: (row: { id: number; sku: string }) => row,
}
/** How many milliseconds a change is ahead of the clock, where a product has more steps than there was time for. */
const aheadOfClock = {
  names: [],
  columns: sql`ceil(greatest(0, extract(epoch from product.updated_at - clock_timestamp()) * 1000))::int as ahead`,
  read: (row: { ahead: number }) => row,
}

/**
 * Writes what the lines made of the products: a handful of statements, however many they are. New ones take the ids that were
 * set aside, and others when those do not suffice. Returns how many milliseconds the last change is ahead of the clock.
 */
async function writePushed(
  tx: Transaction,
  { projectId, author, ruleset }: Push,
  products: Iterable<Pushed>,
  ids: ReadonlyMap<string, number>,
): Promise<number> {
  const touched = [...products].filter(
    ({ created, steps, adjustments }) => created !== undefined || steps.length > 0 || adjustments.length > 0,
  )
  const fresh = touched.filter(({ created }) => created !== undefined)
  if (fresh.length > 0) await insertNew(tx, { projectId, author, ruleset }, fresh, ids)
  const changes = touched
    .filter(({ steps, adjustments }) => steps.length > 0 || adjustments.length > 0)
    .map(({ id, version, ...product }) => ({
      ...product,
      row: { id: id as number, version },
      author,
      ruleset,
    }))
  if (changes.length === 0) return 0
  const rows = await writeChanges(tx, projectId, changes, aheadOfClock)
  return Math.max(0, ...rows.map(({ ahead }) => ahead))
}

/** Those that some product has, or had on the way. */
function* categoriesOf(products: Iterable<Pushed>): Generator<Content['categories'][number]> {
  for (const { created, steps } of products) {
    yield* created?.content.categories ?? []
    for (const { after } of steps) yield* after.categories ?? []
  }
}

async function insertNew(
  tx: Transaction,
  { projectId, author, ruleset }: Omit<Push, 'mode'>,
  fresh: readonly Pushed[],
  setAside: ReadonlyMap<string, number>,
): Promise<void> {
  const creations = fresh.map(({ content: { sku }, created }) => {
    const { content, levels } = created as NonNullable<Pushed['created']>
    return { id: setAside.get(sku), content, levels, author, ruleset }
  })
  const written = await writeCreations(tx, projectId, creations, idAndSku, { skipsExisting: false })
  const idBySku = new Map(written.map(({ id, sku }) => [sku, id]))
  for (const product of fresh) product.id = idBySku.get(product.content.sku)
}
