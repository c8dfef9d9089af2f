import type { AssetKind } from '../../model/assets/asset-types.ts'
import type { ShownProducts } from '../../model/product/compare-read-only.ts'
import type { Content } from '../../model/product/product-content.ts'
import type { PushedProduct } from '../../model/product/product-input.schema.ts'
import { type FoundAssets, viewMedia } from '../../model/product/resolve-media.ts'
import type { VersionLookup } from '../../model/provenance/resolve-provenance.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { lookUpAssets } from '../assets/look-up-assets.ts'
import { type CategoryLookup, lookUpCategories } from '../categories/look-up-categories.ts'
import type { FreshCategories } from '../categories/missing-categories.ts'
import { lookUpVersions } from '../prompts/look-up-versions.ts'
import { referencesOfWrite } from '../structure/apply-structure.ts'
import { lookUpProducts, type ProductLookup } from '../structure/look-up-products.ts'
import type { FoundProduct } from '../structure/references.sql.ts'

/** The objects that lines of a batch reference, looked up for the whole batch. */
export type Lookups = {
  categories: CategoryLookup
  products: ProductLookup
  versions: VersionLookup
  assets: FoundAssets | undefined
  /** Products before the batch, for lines that send back read-only fields; undefined if these are ignored. */
  shown?: ShownProducts | undefined
}

export type FreshProducts = { bySku: Map<string, FoundProduct>; combinations: Map<string, string> }

type Looking = {
  forUpdate: boolean
  freshCategories: FreshCategories
  fresh: FreshProducts | undefined
  /** In a dry run: files that would be uploaded before the push, by hash. */
  pendingAssets: ReadonlyMap<string, AssetKind> | undefined
}

/** Looks up everything that lines reference, and the parents whose variants are compared. */
export async function lookUpReferences(
  database: Queryable,
  projectId: number,
  pushed: readonly { sku: string; product: PushedProduct }[],
  before: ReadonlyMap<string, Content>,
  { forUpdate, freshCategories, fresh, pendingAssets }: Looking,
): Promise<Lookups> {
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
