import type { Entries } from '../provenance/entries.ts'
import type { Component, Links, Reference, Variants } from '../structure/structure.schema.ts'
import type { Inventory, ProductDetail } from './product.schema.ts'
import type { Stock } from './stock.ts'

/** A product row with its categories; all that the detail shows is in it or follows from it. */
export type ProductRow = Omit<
  ProductDetail,
  'currency' | 'inventory' | 'quality_score' | 'provenance' | 'variants' | 'inherited'
> &
  Stock & {
    inventory_updated_at: string
    quality_score: number
    quality_failed: string[]
    quality_computed_at: string
    quality_ruleset: number
    provenance: Entries
    /** Undefined where nobody has looked. */
    has_variants?: boolean | undefined
  }

/** What a product is to others, as it is now: names looked up, and what follows from them. */
export type Structure = {
  parent: Reference | null
  components: Component[]
  links: Links
  variants: Variants | null
  /** Where it follows from others. */
  inventory: Inventory | undefined
}
