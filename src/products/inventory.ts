import type { Inventory, NewProduct } from './product.schema.ts'

export type Stock = Pick<
  Inventory,
  'tracked' | 'quantity' | 'reserved' | 'low_stock_threshold' | 'backorders'
>

/** A product that says nothing of stock is not tracked; one that does is, unless it says otherwise. */
export function initialStock(given: NewProduct['inventory']): Stock {
  return {
    tracked: given?.tracked ?? false,
    quantity: given?.quantity ?? 0,
    reserved: given?.reserved ?? 0,
    low_stock_threshold: given?.low_stock_threshold ?? null,
    backorders: given?.backorders ?? false,
  }
}

export function describeStock(stock: Stock, updatedAt: string): Inventory {
  const available = stock.quantity - stock.reserved
  return {
    ...stock,
    available,
    in_stock: !stock.tracked || stock.backorders || available > 0,
    updated_at: updatedAt,
  }
}
