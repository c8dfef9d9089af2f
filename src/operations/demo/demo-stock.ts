import type { NewProduct } from '../../model/product/product-input.schema.ts'
import type { Random } from './random.ts'

/** Of a hundred products, how many are active, inactive and pending; the rest is archived. */
export function statusOf(weights: [number, number, number], random: Random): NewProduct['status'] {
  const [active, inactive, pending] = weights
  const drawn = random.between(0, 99)
  if (drawn < active) return 'active'
  if (drawn < active + inactive) return 'inactive'
  return drawn < active + inactive + pending ? 'pending' : 'archived'
}

/** Of a product whose stock follows from others. */
export const noStock = {
  tracked: true,
  quantity: 0,
  reserved: 0,
  low_stock_threshold: null,
  backorders: false,
}

/** What sets are made of is seldom sold out. */
export function stockOf(type: NewProduct['product_type'], price: number, isPart: boolean, random: Random) {
  if (type === 'virtual') return { ...noStock, tracked: false }
  const quantity = random.chance(isPart ? 0.03 : 0.1) ? 0 : random.between(1, usualStock(price))
  return {
    tracked: random.chance(0.95),
    quantity,
    reserved: random.chance(0.4) ? random.between(0, Math.ceil(quantity / 5)) : 0,
    low_stock_threshold: random.pick([null, 3, 5, 10, 20]),
    backorders: random.chance(0.15),
  }
}

function usualStock(price: number): number {
  if (price < 1) return 40_000
  if (price < 20) return 400
  return price < 100 ? 150 : 40
}
