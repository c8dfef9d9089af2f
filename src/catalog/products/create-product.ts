import { checkWrite } from '../../model/attributes/check-write.ts'
import { findDirectionErrors } from '../../model/product/direction-errors.ts'
import { type Content, defaultContent, newFields } from '../../model/product/product-content.ts'
import type { NewProduct, ProductPatch } from '../../model/product/product-input.schema.ts'
import type { ProductRow } from '../../model/product/product-row.ts'
import {
  type FoundAssets,
  mayNameAssets,
  resolveMedia,
  resolveViews,
  viewMedia,
} from '../../model/product/resolve-media.ts'
import { initialStock, stockSettingsOf } from '../../model/product/stock.ts'
import { resolveProvenance, type VersionLookup } from '../../model/provenance/resolve-provenance.ts'
import type { Ruleset } from '../../model/quality/ruleset.ts'
import { findUnknownViews, stampSources } from '../../model/views/apply-views.ts'
import { batchWrites } from '../../platform/database/batching/batch-writes.ts'
import type { Database, Queryable, Writable } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problems.ts'
import { lookUpAssets } from '../assets/look-up-assets.ts'
import { resolveCategories } from '../categories/look-up-categories.ts'
import { lookUpVersions } from '../prompts/look-up-versions.ts'
import { applyStructure } from '../structure/apply-structure.ts'
import { explainDuplicate } from '../structure/duplicate-variant.ts'
import {
  hasReferences,
  lookUpProducts,
  type ProductLookup,
  referencesIn,
} from '../structure/look-up-products.ts'
import { rejectErrors, rejectTooManyVariants, rejectUnfitParents } from '../structure/reject-conflicts.ts'
import { resolveStructure } from '../structure/resolve-structure.ts'
import { findProductIdBySku } from './product.sql.ts'
import { type Author, type Creation, wholeRow, writeCreations } from './write-products.ts'

export type CreateRequest = {
  projectId: number
  author: Author
  ruleset: Ruleset
  input: NewProduct
  /** Whether a reference to a SKU that does not exist is rejected. */
  isStrict?: boolean
}

/** Creates a product in the given transaction. Without one, concurrent creations in a project share a transaction. */
export function productCreator(
  database: Database,
): (writable: Writable, request: CreateRequest) => Promise<ProductRow> {
  const create = batchWrites<CreateRequest, ProductRow | undefined>(database, {
    projectOf: ({ projectId }) => projectId,
    keyOf: ({ input }) => input.sku,
    sizeOf: ({ input }) => JSON.stringify(input).length,
    together: createTogether,
    alone: (request) => tryToCreate(database, request),
  })

  return async (writable, request) => {
    const { projectId, input } = request
    const created = writable === database ? create(request) : tryToCreate(writable, request)
    const row = await created.catch((error) => explainDuplicate(database, projectId, input, error))
    if (row !== undefined) return row
    throw duplicateSku(input.sku, await findProductIdBySku(writable, projectId, input.sku))
  }
}

/** Rolls back the transaction, because it created categories for a product whose SKU already exists. */
class SkuTaken extends Error {}

async function createTogether(tx: Queryable, requests: CreateRequest[]): Promise<(ProductRow | undefined)[]> {
  const rows = await createProducts(tx, requests[0]?.projectId as number, requests)
  const bySku = new Map(rows.map((row) => [row.sku, row]))
  if (requests.some(({ input }) => input.categories.length > 0 && !bySku.has(input.sku))) throw new SkuTaken()
  return requests.map(({ input }) => bySku.get(input.sku))
}

/** Undefined if the SKU exists. A product without references needs only one statement, and no transaction. */
export async function tryToCreate(
  writable: Writable,
  request: CreateRequest,
): Promise<ProductRow | undefined> {
  const { projectId, input } = request
  try {
    const rows =
      input.categories.length === 0 &&
      !hasReferences(input) &&
      !mayNameAssets([input.media ?? [], ...viewMedia(input.views)].flat()) &&
      input.product_type !== 'configurable'
        ? await createProducts(writable, projectId, [request])
        : await writable.transaction((tx) => createTogether(tx, [request]), { project: projectId })
    return rows[0]
  } catch (error) {
    if (error instanceof SkuTaken) return undefined
    throw error
  }
}

/** Writes new products and returns them, except those whose SKU exists. */
async function createProducts(
  queryable: Queryable,
  projectId: number,
  requests: Omit<CreateRequest, 'projectId'>[],
): Promise<ProductRow[]> {
  const named = requests.map(({ author, input }) => ({ author, categories: input.categories }))
  const categories = await resolveCategories(queryable, projectId, named)
  const references = requests.flatMap(({ input }) => referencesIn(input))
  const find = await lookUpProducts(queryable, projectId, references, true)
  const provenances = requests.map(({ input }) => input.provenance)
  const lists = requests.flatMap(({ input }) => [input.media, ...viewMedia(input.views)])
  const lookups = {
    products: find,
    versions: await lookUpVersions(queryable, projectId, provenances),
    assets: await lookUpAssets(queryable, projectId, lists, true),
  }
  const creations = requests.map((request, index) => creationOf(request, categories[index] ?? [], lookups))
  await rejectTooManyVariants(queryable, projectId, creations)
  if (nameEachOther(creations)) throw new WrittenApart()
  await rejectUnfitParents(queryable, projectId, creations)
  const rows = await writeCreations(queryable, projectId, creations, wholeRow, {
    skipsExisting: true,
  })
  const bySku = new Map(creations.map(({ content }) => [content.sku, content.categories]))
  return rows.map((row) => ({ ...row, categories: bySku.get(row.sku) ?? [] }))
}

/** A variant can be compared with its siblings only once its parent exists, so the two are created in separate transactions. */
class WrittenApart extends Error {}

function nameEachOther(creations: readonly Creation[]): boolean {
  const waitedFor = new Set(
    creations.flatMap(({ content: { parent } }) => (parent?.id === null ? parent.sku : [])),
  )
  return waitedFor.size > 0 && creations.some(({ content }) => waitedFor.has(content.sku))
}

type Lookups = { products: ProductLookup; versions: VersionLookup; assets: FoundAssets | undefined }

function creationOf(
  { author, ruleset, input, isStrict = false }: Omit<CreateRequest, 'projectId'>,
  categories: Content['categories'],
  { products: find, versions, assets }: Lookups,
): Creation {
  const { quantity, reserved, ...settings } = initialStock(input.inventory)
  const { resolved, errors: referenceErrors } = resolveStructure(input, find, {
    isStrict,
    ownSkus: [input.sku],
  })
  const { media, errors: mediaErrors } = resolveMedia(input.media, [], assets)
  const { views, errors: viewErrors } = resolveViews(input.views, undefined, assets)
  rejectErrors(findUnknownViews(views, ruleset.views))
  const names = { categories, media, ...resolved }
  const content: Content = {
    ...newFields(views === undefined ? input : { ...input, views }, names),
    inventory: stockSettingsOf(settings),
  }
  stampSources(undefined, content, views, ruleset.views)
  const { axes, errors: structureErrors } = applyStructure(input, undefined, content, find)
  const written = resolveProvenance(input.provenance, versions, { before: defaultContent, after: content })
  rejectErrors([
    ...findDirectionErrors(undefined, content),
    ...referenceErrors,
    ...mediaErrors,
    ...viewErrors,
    ...structureErrors,
    ...written.errors,
  ])
  enforceDefinitions(ruleset, undefined, content, input)
  return {
    content,
    levels: { quantity, reserved },
    author,
    ruleset,
    axes,
    provenance: written.entries,
  }
}

/** Rejects a write that breaks an enforced definition. The write has the attributes that it names. */
export function enforceDefinitions(
  { attributeChecks }: Ruleset,
  before: Content | undefined,
  after: Content,
  write: Pick<ProductPatch, 'attributes' | 'views'>,
): void {
  const found = checkWrite(attributeChecks, before, after, write)
  if (found !== undefined && found.errors.length > 0)
    throw new Problem('invalid_body', { errors: found.errors })
}

export function duplicateSku(sku: string, existing: number | undefined): Problem {
  const holder = existing === undefined ? 'another product' : `product ${existing}`
  return new Problem('duplicate_sku', {
    detail: `The SKU "${sku}" belongs to ${holder}. Choose another SKU, or update that product.`,
    ...(existing !== undefined && { existing_id: existing }),
  })
}
