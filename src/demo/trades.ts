import type { NewProduct } from '../products/product-input.schema.ts'
import { bundles } from './trade-bundles.ts'
import { garden } from './trade-garden.ts'
import { groups } from './trade-groups.ts'
import { kitchen } from './trade-kitchen.ts'
import { lighting } from './trade-lighting.ts'
import { office } from './trade-office.ts'
import { outdoor } from './trade-outdoor.ts'
import { services } from './trade-services.ts'
import { toys } from './trade-toys.ts'

export type Value = string | number | boolean

export type Model = {
  noun: string
  /** Ends the short description: "Tunnel tent" + "with a porch for two packs". */
  point: string
  text: string
  /** By label: the price (none where it is the sum of others) and, where it ships, the weight in grams. */
  sizes: Readonly<Record<string, readonly [price: number | null, weight_g?: number]>>
  options?: readonly string[]
  attributes: Record<string, Value>
  category?: string
}

/**
 * A shelf of one trade. Every model comes in its sizes and options; texts may name {brand}, {noun}, {size}
 * and {option}, or {Option} in title case.
 */
export type Line = {
  sku: string
  categories: readonly string[]
  type: NewProduct['product_type']
  count: number
  brands: readonly string[]
  names: readonly string[]
  /** The attribute that the size label goes to. */
  axis: string
  /** The attribute that the option goes to. */
  option: string
  options: readonly string[]
  attributes: Record<string, readonly Value[]>
  details: readonly string[]
  closings: readonly string[]
  models: readonly Model[]
}

export const lines: readonly Line[] = [
  ...outdoor,
  ...kitchen,
  ...lighting,
  ...office,
  ...garden,
  ...toys,
  ...services,
  ...bundles,
  ...groups,
]
