import { createMissingCategories } from '../../categories/look-up-categories.ts'
import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Content } from '../product-content.ts'
import { type Author, writeChanges, writeCreations } from '../write-products.ts'
import type { Pushed } from './apply-lines.ts'

const idAndSku = {
  names: ['sku'],
  columns: sql`product.id, product.sku`,
  read: (row: { id: number; sku: string }) => row,
}
/** How many milliseconds a change is ahead of the clock, where a product has more steps than there was time for. */
const aheadOfClock = {
  names: [],
  columns: sql`ceil(extract(epoch from product.updated_at - clock_timestamp()) * 1000)::int as ahead`,
  read: (row: { ahead: number }) => row,
}

/**
 * Writes what the lines made of the products: a handful of statements, however many they are. New ones take the ids that were
 * set aside, and others when those do not suffice. Returns how many milliseconds the last change is ahead of the clock.
 */
export async function writePushed(
  tx: Transaction,
  projectId: number,
  author: Author,
  products: Iterable<Pushed>,
  ids: ReadonlyMap<string, number>,
): Promise<number> {
  const touched = [...products].filter(
    ({ created, steps, adjustments }) => created !== undefined || steps.length > 0 || adjustments.length > 0,
  )
  await createMissingCategories(tx, projectId, categoriesOf(touched))
  const fresh = touched.filter(({ created }) => created !== undefined)
  if (fresh.length > 0) await insertNew(tx, projectId, author, fresh, ids)
  const changes = touched
    .filter(({ steps, adjustments }) => steps.length > 0 || adjustments.length > 0)
    .map(({ id, version, ...product }) => ({ ...product, row: { id: id as number, version }, author }))
  if (changes.length === 0) return 0
  const rows = await writeChanges(tx, projectId, changes, aheadOfClock)
  return Math.max(0, ...rows.map(({ ahead }) => ahead))
}

function* categoriesOf(products: readonly Pushed[]): Generator<Content['categories'][number]> {
  for (const { created, steps } of products) {
    yield* created?.content.categories ?? []
    for (const { after } of steps) yield* after.categories ?? []
  }
}

async function insertNew(
  tx: Transaction,
  projectId: number,
  author: Author,
  fresh: readonly Pushed[],
  setAside: ReadonlyMap<string, number>,
): Promise<void> {
  const creations = fresh.map(({ content: { sku }, created }) => {
    const { content, levels } = created as NonNullable<Pushed['created']>
    return { id: setAside.get(sku), content, levels, author }
  })
  const written = await writeCreations(tx, projectId, creations, idAndSku, { skipsExisting: false })
  const idBySku = new Map(written.map(({ id, sku }) => [sku, id]))
  for (const product of fresh) product.id = idBySku.get(product.content.sku)
}
