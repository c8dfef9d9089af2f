import { type InputError, Problem } from '../../platform/http/problems.ts'
import type { Inventory } from './product.schema.ts'
import type { InventoryInput } from './product-input.schema.ts'

/** Part of the product's versions. */
export type StockSettings = Pick<Inventory, 'tracked' | 'low_stock_threshold' | 'backorders'>
/** Levels change many times per day and do not create a version. */
export type StockLevels = Pick<Inventory, 'quantity' | 'reserved'>
export type Stock = StockSettings & StockLevels

/** A new product with `inventory` is tracked unless it sets `tracked`; one without `inventory` is not. */
export function initialStock(given: InventoryInput | undefined): Stock {
  return {
    tracked: given?.tracked ?? given !== undefined,
    quantity: given?.quantity ?? 0,
    reserved: given?.reserved ?? 0,
    low_stock_threshold: given?.low_stock_threshold ?? null,
    backorders: given?.backorders ?? false,
  }
}

export function stockSettingsOf({ tracked, low_stock_threshold, backorders }: StockSettings): StockSettings {
  return { tracked, low_stock_threshold, backorders }
}

export function describeStock(
  { tracked, quantity, reserved, low_stock_threshold, backorders }: Stock,
  updatedAt: string,
): Inventory {
  const available = quantity - reserved
  const in_stock = !tracked || backorders || available > 0
  return {
    tracked,
    quantity,
    reserved,
    available,
    in_stock,
    low_stock_threshold,
    backorders,
    updated_at: updatedAt,
  }
}

export const negativeQuantityError = {
  pointer: '/inventory/quantity',
  code: 'too_small',
  message: 'must be >= 0',
}

/** Only adjustments and pushes can make the quantity negative. Other writes can only repeat it. */
export function negativeQuantity(): Problem {
  return new Problem('invalid_body', { errors: [negativeQuantityError] })
}

/** A negative quantity requires backorders, so they cannot be turned off while it is negative. */
export function rejectNegativeStock({ quantity, backorders }: Stock): void {
  if (quantity >= 0 || backorders) return
  const message = `cannot be turned off while the quantity is ${quantity}; raise it to 0 first`
  const error: InputError = { pointer: '/inventory/backorders', code: 'stock_owed', message }
  throw new Problem('invalid_body', { errors: [error] })
}
