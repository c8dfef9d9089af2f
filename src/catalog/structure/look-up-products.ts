import { linkKinds } from '../../model/structure/link-kinds.ts'
import type {
  ComponentInput,
  LinksPatch,
  Reference,
  ReferenceInput,
} from '../../model/structure/structure.schema.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { type FoundProduct, findReferenced, lockParentNames } from './references.sql.ts'

/** The references of a write. */
export type WrittenReferences = {
  parent?: ReferenceInput | null
  components?: ComponentInput[]
  links?: LinksPatch
}

/** A variant may reference a parent that does not exist yet. */
export type NamedReference = ReferenceInput & { isParent?: true }

/** Products that were looked up for one or more writes. */
export type ProductLookup = (reference: ReferenceInput) => FoundProduct | undefined

export function referencesIn({ parent, components = [], links = {} }: WrittenReferences): NamedReference[] {
  return [
    ...(parent ? [{ ...parent, isParent: true as const }] : []),
    ...components,
    ...linkKinds.flatMap((kind) => links[kind] ?? []),
  ]
}

export function hasReferences(write: WrittenReferences): boolean {
  return referencesIn(write).length > 0
}

/** With `forUpdate`, locks the products against deletion, and their type and axes against changes, until the transaction ends. */
export async function lookUpProducts(
  database: Queryable,
  projectId: number,
  references: readonly NamedReference[],
  forUpdate: boolean,
): Promise<ProductLookup> {
  const ids = references.flatMap(({ id }) => id ?? [])
  const skus = references.flatMap(({ id, sku }) => (id == null && sku !== undefined ? sku : []))
  if (ids.length + skus.length === 0) return () => undefined
  const found = await findReferenced(database, projectId, [...new Set(ids)], [...new Set(skus)], forUpdate)
  if (forUpdate) found.push(...(await findLateParents(database, projectId, references, found)))
  const byId = new Map(found.map((product) => [product.id, product]))
  const bySku = new Map(found.map((product) => [product.sku, product]))
  return ({ id, sku }) => (id == null ? bySku.get(sku ?? '') : byId.get(id))
}

/** Waits for concurrent writes that create a missing parent. Later writes that create it see the variant. */
async function findLateParents(
  tx: Queryable,
  projectId: number,
  references: readonly NamedReference[],
  found: readonly FoundProduct[],
): Promise<FoundProduct[]> {
  const known = new Set(found.map(({ sku }) => sku))
  const missing = references.flatMap(({ isParent, id, sku }) =>
    isParent && id == null && sku !== undefined && !known.has(sku) ? [sku] : [],
  )
  if (missing.length === 0) return []
  const skus = [...new Set(missing)]
  await lockParentNames(tx, projectId, skus, 'shared')
  return findReferenced(tx, projectId, [], skus, true)
}

export function referenceTo({ id, sku }: FoundProduct): Reference {
  return { id, sku }
}
