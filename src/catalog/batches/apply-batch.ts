import { type Content, contentOf } from '../../model/product/product-content.ts'
import type { ProductRow } from '../../model/product/product-row.ts'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { Problem } from '../../platform/http/problems.ts'
import { mapInTurns } from '../../platform/scheduling/map-in-turns.ts'
import { lookUpCategories } from '../categories/look-up-categories.ts'
import {
  createMissingCategories,
  type FreshCategories,
  noFreshCategories,
} from '../categories/missing-categories.ts'
import { writeChanges, writeCreations } from '../products/write-products.ts'
import { lookUpVersions } from '../prompts/look-up-versions.ts'
import { referencesOfWrite } from '../structure/apply-structure.ts'
import { lookUpProducts } from '../structure/look-up-products.ts'
import { compareVariants, type FoundProduct } from '../structure/references.sql.ts'
import { type AppliedLine, copyState, loadedState, type ProductState, type Push } from './applied-line.ts'
import { applyLine, type Lookups } from './apply-line.ts'
import { findPushedProducts, findShown } from './batch.sql.ts'
import { findConflicts, type Refusals, type VariantCounts } from './find-conflicts.ts'
import type { Batch, PushedLine } from './read-batches.ts'

/** Loads what a batch names, applies its lines and writes what became of the products. Tells how far that is ahead of the clock. */
export async function writeBatch(
  tx: Transaction,
  push: Push,
  batch: Batch,
  how: WriteOptions = {},
): Promise<{ applied: AppliedLine[]; ahead: number }> {
  const freshCategories = noFreshCategories()
  const { applied, products } = await applyBatch(tx, push, batch, {
    hold: true,
    freshCategories,
    ...how,
  })
  const named = { author: push.author, categories: categoriesOf(products.values()) }
  await createMissingCategories(tx, push.projectId, freshCategories, [named])
  const ahead = await writePushed(tx, push, products.values(), batch.ids)
  return { applied, ahead }
}

/** Applies a line for a proposal, which needs more than the result. `apply` does what a push does. */
export type ApplyAround = (
  line: PushedLine,
  held: ProductState | undefined,
  apply: () => AppliedLine,
) => AppliedLine

export type WriteOptions = {
  /** Shared by batches that cannot see each other's rows in the database. */
  variants?: { counts: VariantCounts; batch: object }
  /** Products that the transaction has locked already: their ids, by their SKUs. */
  locked?: ReadonlyMap<string, number> | undefined
  apply?: ApplyAround | undefined
}

type Loading = WriteOptions & {
  /** Locks what is loaded until the transaction ends. */
  hold: boolean
  /** Products as the batches before would have left them. */
  known?: ReadonlyMap<string, ProductState>
  /** Categories that the batches before would have made. */
  freshCategories: FreshCategories
  /** Products that the batches before would have made, and the values of their variants, where nothing is written. */
  fresh?: FreshProducts | undefined
}

export type FreshProducts = { bySku: Map<string, FoundProduct>; combinations: Map<string, string> }
/** So many times the first line of a product that is to blame is refused, then all of them. */
const patientTimes = 5
const mostTimes = 20

/** Loads the products and categories that a batch names, and applies its lines to them in order. Writes nothing. */
export async function applyBatch(
  database: Queryable,
  { projectId, show, ...rules }: Push,
  batch: Pick<Batch, 'lines' | 'skus'>,
  {
    hold,
    known = new Map(),
    freshCategories,
    fresh,
    variants = { counts: new Map(), batch },
    locked,
    apply = (_line, _held, applied) => applied(),
  }: Loading,
): Promise<{ applied: AppliedLine[]; products: Map<string, ProductState> }> {
  const { lines, skus } = batch
  const unknown = [...skus].filter((sku) => !known.has(sku))
  const rows =
    unknown.length === 0 ? [] : await findPushedProducts(database, projectId, unknown, { hold, locked })
  const before = new Map([
    ...[...known].map(([sku, { content }]) => [sku, content] as const),
    ...rows.map((row) => [row.sku, contentOf(row)] as const),
  ])
  const sending = () => lines.flatMap((line) => ('product' in line ? line.product : []))
  const shown = show && (await findShown(database, projectId, show, { products: sending(), rows, known }))
  const named = await lookUp(database, projectId, lines, before, { hold, freshCategories, fresh })
  const lookups = { ...named, shown }
  const refusals: Refusals = new Map()
  for (let time = 1; ; time += 1) {
    const products = new Map([
      ...[...known].map(([sku, product]) => [sku, copyState(product)] as const),
      ...rows.map((row) => [row.sku, loadedState(row, before.get(row.sku) as Content)] as const),
    ])
    const applied = await mapInTurns(lines, (line) => {
      const faults = refusals.get(line.line)
      const read = faults === undefined ? line : { line: line.line, sku: line.sku, faults }
      const held = line.sku === null ? undefined : products.get(line.sku)
      return apply(read, held, () => applyLine(read, rules, products, lookups))
    })
    const isLast = time > patientTimes
    const combinations = fresh?.combinations ?? new Map()
    const looking = { projectId, variants, hold, before, combinations, isLast }
    const conflicts = await findConflicts(database, looking, applied)
    if (conflicts.size === 0) return { applied, products }
    if (time === mostTimes) throw overtaken()
    for (const [line, faults] of conflicts) refusals.set(line, faults)
  }
}

/** All that the lines name, and the parents that the values of variants are compared within. */
async function lookUp(
  database: Queryable,
  projectId: number,
  lines: readonly PushedLine[],
  before: ReadonlyMap<string, Content>,
  { hold, freshCategories, fresh }: Pick<Loading, 'hold' | 'freshCategories' | 'fresh'>,
): Promise<Lookups> {
  const pushed = lines.filter((line) => 'product' in line)
  const lists = pushed.flatMap(({ product: { categories } }) => (categories ? [categories] : []))
  const categories = await lookUpCategories(database, projectId, lists, hold, freshCategories)
  const references = pushed.flatMap(({ product, sku }) => referencesOfWrite(product, before.get(sku)))
  const products = await lookUpProducts(database, projectId, references, hold)
  const told = pushed.map(({ product }) => product.provenance)
  const versions = await lookUpVersions(database, projectId, told)
  if (fresh === undefined) return { categories, products, versions }
  return {
    categories,
    versions,
    products: (reference) => {
      const found = products(reference)
      if (found === undefined && (reference.id ?? -1) > 0) return undefined
      return fresh.bySku.get(found?.sku ?? reference.sku ?? '') ?? found
    },
  }
}

type Inserted = Pick<ProductRow, 'id' | 'sku' | 'quality_score'> & Partial<Pick<ProductRow, 'provenance'>>

const idSkuAndScore = {
  names: ['sku', 'quality_score'],
  columns: sql`product.id, product.sku, product.quality_score`,
  read: (row: Inserted) => row,
}
/** Where prompts wrote some of it, lines that follow need the entries with their time. */
const withProvenance = {
  ...idSkuAndScore,
  names: [...idSkuAndScore.names, 'provenance'],
  columns: sql`${idSkuAndScore.columns}, product.provenance`,
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
  products: Iterable<ProductState>,
  ids: ReadonlyMap<string, number>,
): Promise<number> {
  const touched = [...products].filter(
    ({ created, steps, adjustments }) => created !== undefined || steps.length > 0 || adjustments.length > 0,
  )
  const fresh = touched.filter(({ created }) => created !== undefined)
  const isTold = touched.some(({ axes }) => axes !== undefined)
  if (isTold) await compareVariants(tx, 'deferred')
  if (fresh.length > 0) await insertNew(tx, { projectId, author, ruleset }, fresh, ids)
  const changes = touched
    .filter(({ steps, adjustments }) => steps.length > 0 || adjustments.length > 0)
    .map(({ id, version, quality_score, quality_ruleset, provenance, ...product }) => ({
      ...product,
      row: { id: id as number, version, quality_score, quality_ruleset, provenance },
      author,
      ruleset,
    }))
  const rows = changes.length === 0 ? [] : await writeChanges(tx, projectId, changes, aheadOfClock)
  if (isTold) await compareVariants(tx, 'immediate')
  return Math.max(0, ...rows.map(({ ahead }) => ahead))
}

/** Those that some product has, or had on the way. */
function* categoriesOf(products: Iterable<ProductState>): Generator<Content['categories'][number]> {
  for (const { created, steps } of products) {
    yield* created?.content.categories ?? []
    for (const { after } of steps) yield* after.categories ?? []
  }
}

async function insertNew(
  tx: Transaction,
  { projectId, author, ruleset }: Omit<Push, 'mode'>,
  fresh: readonly ProductState[],
  setAside: ReadonlyMap<string, number>,
): Promise<void> {
  const creations = fresh.map(({ content: { sku }, created, axes }) => {
    const { content, levels, provenance } = created as NonNullable<ProductState['created']>
    return { id: setAside.get(sku), content, levels, author, ruleset, axes, provenance }
  })
  const isTold = creations.some(({ provenance }) => provenance !== undefined)
  const returned = isTold ? withProvenance : idSkuAndScore
  const written = await writeCreations(tx, projectId, creations, returned, { skipsExisting: false })
  const rows = new Map(written.map(({ sku, ...row }) => [sku, row]))
  const quality_ruleset = ruleset.version
  for (const product of fresh) Object.assign(product, rows.get(product.content.sku), { quality_ruleset })
}

/** Others wrote the same products between each two of our looks at them. */
export function overtaken(): Problem {
  return new Problem('too_busy', {
    detail:
      'Others change the products of this push all the time. Nothing of it was written; try again in a moment.',
  })
}
