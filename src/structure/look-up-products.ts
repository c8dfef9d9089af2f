import type { Queryable } from '../database/database.ts'
import { type FoundProduct, findReferenced } from './references.sql.ts'
import {
  type ComponentInput,
  type LinksPatch,
  linkKinds,
  type Reference,
  type ReferenceInput,
} from './structure.schema.ts'

/** What a write says of other products. */
export type NamedOthers = {
  parent?: ReferenceInput | null
  components?: ComponentInput[]
  links?: LinksPatch
}

/** The products that many writes name, looked up at once. */
export type ProductLookup = (reference: ReferenceInput) => FoundProduct | undefined

export function referencesIn({ parent, components = [], links = {} }: NamedOthers): ReferenceInput[] {
  return [...(parent ? [parent] : []), ...components, ...linkKinds.flatMap((kind) => links[kind] ?? [])]
}

export function namesOthers(write: NamedOthers): boolean {
  return referencesIn(write).length > 0
}

/** With `hold` nobody deletes them, or changes their type or axes, until the transaction ends. */
export async function lookUpProducts(
  database: Queryable,
  projectId: number,
  references: readonly ReferenceInput[],
  hold: boolean,
): Promise<ProductLookup> {
  const ids = references.flatMap(({ id }) => id ?? [])
  const skus = references.flatMap(({ id, sku }) => (id == null && sku !== undefined ? sku : []))
  if (ids.length + skus.length === 0) return () => undefined
  const found = await findReferenced(database, projectId, [...new Set(ids)], [...new Set(skus)], hold)
  const byId = new Map(found.map((product) => [product.id, product]))
  const bySku = new Map(found.map((product) => [product.sku, product]))
  return ({ id, sku }) => (id == null ? bySku.get(sku ?? '') : byId.get(id))
}

export function referenceTo({ id, sku }: FoundProduct): Reference {
  return { id, sku }
}
