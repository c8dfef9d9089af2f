import type { AssetKind } from '../../model/assets/asset-types.ts'
import { type Content, contentOf } from '../../model/product/product-content.ts'
import type { ProductRow } from '../../model/product/product-row.ts'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { planEachTime, sql } from '../../platform/database/sql.ts'
import { type BodyError, Problem } from '../../platform/http/problems.ts'
import { mapInTurns } from '../../platform/scheduling/map-in-turns.ts'
import {
  createMissingCategories,
  type FreshCategories,
  noFreshCategories,
} from '../categories/missing-categories.ts'
import { findProducts } from '../products/product.sql.ts'
import type { ShowProducts } from '../products/show-product.ts'
import { type Author, writeChanges, writeCreations } from '../products/write-products.ts'
import { findConflicts, type VariantCounts } from '../structure/find-conflicts.ts'
import { compareVariants } from '../structure/references.sql.ts'
import { type AppliedLine, applyLine, type ProductState, type PushedLine, type Rules } from './apply-line.ts'
import { lineErrors } from './line-errors.ts'
import { type FreshProducts, lookUpReferences } from './look-up-references.ts'
import { findShownProducts } from './shown-products.sql.ts'

/** The author and target of a push, and whether it may create and change products. */
export type Push = Rules & {
  projectId: number
  author: Author
  /** In a dry run: files that would be uploaded before the push, by hash. */
  pendingAssets?: ReadonlyMap<string, AssetKind> | undefined
  /** Shows products, to compare their read-only fields with the lines. Without it, read-only fields are ignored, as in files. */
  show?: ShowProducts | undefined
}

/** Lines that are written together, their SKUs, and an ID for each SKU that may be new. */
export type Batch<Line = PushedLine> = { lines: Line[]; skus: Set<string>; ids: Map<string, number> }

/** The SKUs of lines without errors. */
export function skusOf(lines: readonly { sku: string | null }[]): Set<string> {
  return new Set(lines.flatMap((line) => ('errors' in line ? [] : (line.sku ?? []))))
}

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

/** In these attempts, only the first conflicting line of a product is rejected; later, all of them. */
const targetedAttempts = 5
const maxAttempts = 20

/** Loads the products and categories of a batch, and applies its lines to them in order. Writes nothing. */
export async function applyBatch(
  database: Queryable,
  push: Push,
  batch: Pick<Batch, 'lines' | 'skus'>,
  loading: Loading,
): Promise<{ applied: AppliedLine[]; products: Map<string, ProductState> }> {
  const { projectId } = push
  const { forUpdate, fresh, variants = { counts: new Map(), batch } } = loading
  const { apply = (_line, _state, applied) => applied() } = loading
  const { before, lookups, states } = await loadBatch(database, push, batch, loading)
  const combinations = fresh?.combinations ?? new Map()
  const rejected = new Map<number, BodyError[]>()
  for (let attempt = 1; ; attempt += 1) {
    const products = states()
    const applied = await mapInTurns(batch.lines, (line) => {
      const errors = rejected.get(line.line)
      const read = errors === undefined ? line : { line: line.line, sku: line.sku, errors }
      const state = line.sku === null ? undefined : products.get(line.sku)
      return apply(read, state, () => applyLine(read, push, products, lookups))
    })
    const rejectsAll = attempt > targetedAttempts
    const search = { projectId, variants, forUpdate, before, combinations, rejectsAll }
    const conflicts = await findConflicts(database, search, applied)
    if (conflicts.size === 0) return { applied, products }
    if (attempt === maxAttempts) throw tooMuchContention()
    for (const [line, conflict] of conflicts) rejected.set(line, lineErrors(conflict))
  }
}

/** The products of a batch before its lines, and the objects that lines reference. `states` starts again from these products. */
async function loadBatch(
  database: Queryable,
  { projectId, show, pendingAssets }: Push,
  { lines, skus }: Pick<Batch, 'lines' | 'skus'>,
  { forUpdate, known = new Map(), freshCategories, fresh, locked }: Loading,
) {
  const unknown = [...skus].filter((sku) => !known.has(sku))
  const finding = { forUpdate, locked }
  const rows = unknown.length === 0 ? [] : await findPushedProducts(database, projectId, unknown, finding)
  const before = new Map([
    ...[...known].map(([sku, { content }]) => [sku, content] as const),
    ...rows.map((row) => [row.sku, contentOf(row)] as const),
  ])
  const pushed = lines.filter((line) => 'product' in line)
  const sent = { products: pushed.map(({ product }) => product), rows, known }
  const shown = show && (await findShownProducts(database, projectId, show, sent))
  const looking = { forUpdate, freshCategories, fresh, pendingAssets }
  const lookups = { ...(await lookUpReferences(database, projectId, pushed, before, looking)), shown }
  const states = () =>
    new Map([
      ...[...known].map(([sku, product]) => [sku, copyState(product)] as const),
      ...rows.map((row) => [row.sku, loadedState(row, before.get(row.sku) as Content)] as const),
    ])
  return { before, lookups, states }
}

/** `locked` has the IDs of products that the transaction has already locked, by SKU. */
type Finding = { forUpdate: boolean; locked?: ReadonlyMap<string, number> | undefined }

/** The products with these SKUs. With `forUpdate`, they are locked until the transaction ends. */
async function findPushedProducts(
  database: Queryable,
  projectId: number,
  skus: string[],
  { forUpdate, locked = new Map() }: Finding,
): Promise<ProductRow[]> {
  const others = skus.filter((sku) => !locked.has(sku))
  const found = others.length === 0 ? [] : await findIds(database, projectId, others, forUpdate)
  const ids = [...skus.flatMap((sku) => locked.get(sku) ?? []), ...found]
  if (ids.length === 0) return []
  // A separate statement: a single one would read the snapshot from before it waited for the lock.
  const rows = await findProducts(
    database,
    ids.map((id) => ({ projectId, id })),
  )
  return [...rows.values()]
}

async function findIds(
  database: Queryable,
  projectId: number,
  skus: string[],
  forUpdate: boolean,
): Promise<number[]> {
  // Planned for each query: a plan from when the table was small would scan a large one.
  const found = await database.query(
    planEachTime(sql<{ id: number }>`
      select product.id from unnest(${skus}::text[]) as wanted (sku)
      join products as product on product.project_id = ${projectId} and product.sku = wanted.sku
      order by product.id ${forUpdate ? sql`for no key update of product` : sql``}`),
  )
  return found.map(({ id }) => id)
}

function copyState(product: ProductState): ProductState {
  return { ...product, steps: [...product.steps], adjustments: [...product.adjustments] }
}

function loadedState(row: ProductRow, content: Content): ProductState {
  const { id, version, quality_score, quality_ruleset, provenance, quantity, reserved } = row
  const stored = { id, version, quality_score, quality_ruleset, provenance, content }
  return { ...stored, levels: { quantity, reserved }, created: undefined, steps: [], adjustments: [] }
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
