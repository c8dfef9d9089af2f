import { type Content, contentOf } from '../../model/product/product-content.ts'
import type { ProductRow } from '../../model/product/product-row.ts'
import { viewMedia } from '../../model/product/resolve-media.ts'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { type BodyError, Problem } from '../../platform/http/problems.ts'
import { mapInTurns } from '../../platform/scheduling/map-in-turns.ts'
import { lookUpAssets } from '../assets/look-up-assets.ts'
import { lookUpCategories } from '../categories/look-up-categories.ts'
import {
  createMissingCategories,
  type FreshCategories,
  noFreshCategories,
} from '../categories/missing-categories.ts'
import { writeChanges, writeCreations } from '../products/write-products.ts'
import { lookUpVersions } from '../prompts/look-up-versions.ts'
import { referencesOfWrite } from '../structure/apply-structure.ts'
import { findConflicts, type VariantCounts } from '../structure/find-conflicts.ts'
import { lookUpProducts } from '../structure/look-up-products.ts'
import { compareVariants, type FoundProduct } from '../structure/references.sql.ts'
import { type AppliedLine, copyState, loadedState, type ProductState, type Push } from './applied-line.ts'
import { applyLine, type Lookups } from './apply-line.ts'
import { findPushedProducts, findShownProducts } from './batch.sql.ts'
import { type Batch, lineErrors, type PushedLine } from './read-batches.ts'

/** Loads the products of a batch, applies its lines and writes the products. Returns how far their time is ahead of the clock. */
export async function writeBatch(
  tx: Transaction,
  push: Push,
  batch: Batch,
  how: WriteOptions = {},
): Promise<{ applied: AppliedLine[]; ahead: number }> {
  const freshCategories = noFreshCategories()
  const { applied, products } = await applyBatch(tx, push, batch, {
    forUpdate: true,
    freshCategories,
    ...how,
  })
  const used = { author: push.author, categories: categoriesOf(products.values()) }
  await createMissingCategories(tx, push.projectId, freshCategories, [used])
  const ahead = await writeStates(tx, push, products.values(), batch.ids)
  return { applied, ahead }
}

/** Wraps the application of a line, for proposals. `apply` applies the line as a push does. */
export type ApplyAround = (
  line: PushedLine,
  state: ProductState | undefined,
  apply: () => AppliedLine,
) => AppliedLine

export type WriteOptions = {
  /** Shared by batches that cannot see each other's rows in the database. */
  variants?: { counts: VariantCounts; batch: object }
  /** The IDs of products that the transaction has already locked, by SKU. */
  locked?: ReadonlyMap<string, number> | undefined
  apply?: ApplyAround | undefined
}

type Loading = WriteOptions & {
  /** Locks the loaded rows until the transaction ends. */
  forUpdate: boolean
  /** In a dry run: products as earlier batches would have left them. */
  known?: ReadonlyMap<string, ProductState>
  /** In a dry run: categories that earlier batches would have created. */
  freshCategories: FreshCategories
  /** In a dry run: products that earlier batches would have created, and the values of their variants. */
  fresh?: FreshProducts | undefined
}

export type FreshProducts = { bySku: Map<string, FoundProduct>; combinations: Map<string, string> }
/** In these attempts, only the first conflicting line of a product is rejected; later, all of them. */
const targetedAttempts = 5
const maxAttempts = 20

/** Loads the products and categories of a batch, and applies its lines to them in order. Writes nothing. */
export async function applyBatch(
  database: Queryable,
  { projectId, show, pendingAssets, ...rules }: Push,
  batch: Pick<Batch, 'lines' | 'skus'>,
  {
    forUpdate,
    known = new Map(),
    freshCategories,
    fresh,
    variants = { counts: new Map(), batch },
    locked,
    apply = (_line, _state, applied) => applied(),
  }: Loading,
): Promise<{ applied: AppliedLine[]; products: Map<string, ProductState> }> {
  const { lines, skus } = batch
  const unknown = [...skus].filter((sku) => !known.has(sku))
  const rows =
    unknown.length === 0 ? [] : await findPushedProducts(database, projectId, unknown, { forUpdate, locked })
  const before = new Map([
    ...[...known].map(([sku, { content }]) => [sku, content] as const),
    ...rows.map((row) => [row.sku, contentOf(row)] as const),
  ])
  const sent = () => lines.flatMap((line) => ('product' in line ? line.product : []))
  const shown =
    show && (await findShownProducts(database, projectId, show, { products: sent(), rows, known }))
  const found = await lookUpReferences(database, projectId, lines, before, {
    forUpdate,
    freshCategories,
    fresh,
    pendingAssets,
  })
  const lookups = { ...found, shown }
  const rejected = new Map<number, BodyError[]>()
  for (let attempt = 1; ; attempt += 1) {
    const products = new Map([
      ...[...known].map(([sku, product]) => [sku, copyState(product)] as const),
      ...rows.map((row) => [row.sku, loadedState(row, before.get(row.sku) as Content)] as const),
    ])
    const applied = await mapInTurns(lines, (line) => {
      const errors = rejected.get(line.line)
      const read = errors === undefined ? line : { line: line.line, sku: line.sku, errors }
      const state = line.sku === null ? undefined : products.get(line.sku)
      return apply(read, state, () => applyLine(read, rules, products, lookups))
    })
    const rejectsAll = attempt > targetedAttempts
    const combinations = fresh?.combinations ?? new Map()
    const search = { projectId, variants, forUpdate, before, combinations, rejectsAll }
    const conflicts = await findConflicts(database, search, applied)
    if (conflicts.size === 0) return { applied, products }
    if (attempt === maxAttempts) throw tooMuchContention()
    for (const [line, conflict] of conflicts) rejected.set(line, lineErrors(conflict))
  }
}

/** Everything that lines reference, and the parents whose variants are compared. */
async function lookUpReferences(
  database: Queryable,
  projectId: number,
  lines: readonly PushedLine[],
  before: ReadonlyMap<string, Content>,
  {
    forUpdate,
    freshCategories,
    fresh,
    pendingAssets,
  }: Pick<Loading, 'forUpdate' | 'freshCategories' | 'fresh'> & Pick<Push, 'pendingAssets'>,
): Promise<Lookups> {
  const pushed = lines.filter((line) => 'product' in line)
  const lists = pushed.flatMap(({ product: { categories } }) => (categories ? [categories] : []))
  const categories = await lookUpCategories(database, projectId, lists, forUpdate, freshCategories)
  const references = pushed.flatMap(({ product, sku }) => referencesOfWrite(product, before.get(sku)))
  const products = await lookUpProducts(database, projectId, references, forUpdate)
  const provenance = pushed.map(({ product }) => product.provenance)
  const versions = await lookUpVersions(database, projectId, provenance)
  const media = pushed.flatMap(({ product }) => [product.media, ...viewMedia(product.views)])
  const assets = await lookUpAssets(database, projectId, media, forUpdate, pendingAssets)
  if (fresh === undefined) return { categories, products, versions, assets }
  return {
    categories,
    versions,
    assets,
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
/** Later lines need the entries of a prompt with their time. */
const withProvenance = {
  ...idSkuAndScore,
  names: [...idSkuAndScore.names, 'provenance'],
  columns: sql`${idSkuAndScore.columns}, product.provenance`,
}
/** How many milliseconds a change is ahead of the clock: each step of a product takes a millisecond of its time. */
const aheadOfClock = {
  names: [],
  columns: sql`ceil(greatest(0, extract(epoch from product.updated_at - clock_timestamp()) * 1000))::int as ahead`,
  read: (row: { ahead: number }) => row,
}

/**
 * Writes the products with a few statements, regardless of their number. New products get their reserved IDs, or new ones if
 * none is reserved. Returns how many milliseconds the last change is ahead of the clock.
 */
async function writeStates(
  tx: Transaction,
  { projectId, author, ruleset }: Push,
  products: Iterable<ProductState>,
  ids: ReadonlyMap<string, number>,
): Promise<number> {
  const touched = [...products].filter(
    ({ created, steps, adjustments }) => created !== undefined || steps.length > 0 || adjustments.length > 0,
  )
  const fresh = touched.filter(({ created }) => created !== undefined)
  const hasVariants = touched.some(({ axes }) => axes !== undefined)
  if (hasVariants) await compareVariants(tx, 'deferred')
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
  if (hasVariants) await compareVariants(tx, 'immediate')
  return Math.max(0, ...rows.map(({ ahead }) => ahead))
}

/** The categories of products, after each step. */
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
  reservedIds: ReadonlyMap<string, number>,
): Promise<void> {
  const creations = fresh.map(({ content: { sku }, created, axes }) => {
    const { content, levels, provenance } = created as NonNullable<ProductState['created']>
    return { id: reservedIds.get(sku), content, levels, author, ruleset, axes, provenance }
  })
  const hasProvenance = creations.some(({ provenance }) => provenance !== undefined)
  const returned = hasProvenance ? withProvenance : idSkuAndScore
  const written = await writeCreations(tx, projectId, creations, returned, { skipsExisting: false })
  const rows = new Map(written.map(({ sku, ...row }) => [sku, row]))
  const quality_ruleset = ruleset.version
  for (const product of fresh) Object.assign(product, rows.get(product.content.sku), { quality_ruleset })
}

/** Other requests changed the same products in every attempt. */
export function tooMuchContention(): Problem {
  return new Problem('too_busy', {
    detail: 'Other requests keep changing the products of this push. Nothing was written; try again later.',
  })
}
