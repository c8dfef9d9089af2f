import type { Entries } from '../provenance/entries.ts'
import type { Component, Links, Reference, Variants } from '../structure/structure.schema.ts'
import type { StoredViewValues } from '../views/view-values.ts'
import type { Inventory, ProductDetail } from './product.schema.ts'
import type { Stock } from './stock.ts'

/** A product row with its categories. Responses are built from it. */
export type ProductRow = Omit<
  ProductDetail,
  'currency' | 'inventory' | 'quality_score' | 'provenance' | 'variants' | 'inherited' | 'views' | 'view'
> &
  Stock &
  StoredViewValues & {
    inventory_updated_at: string
    quality_score: number
    quality_failed: string[]
    quality_computed_at: string
    quality_ruleset: number
    provenance: Entries
    /** Undefined if the query did not read it. */
    has_variants?: boolean | undefined
  }

/** The current relations of a product: resolved references, and the values computed from them. */
export type Structure = {
  parent: Reference | null
  components: Component[]
  links: Links
  variants: Variants | null
  /** Undefined unless it is computed from other products. */
  inventory: Inventory | undefined
}
