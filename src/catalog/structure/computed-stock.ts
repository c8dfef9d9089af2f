import type { Inventory } from '../../model/product/product.schema.ts'
import { describeStock, type StockSettings } from '../../model/product/stock.ts'
import type { Component } from '../../model/structure/structure.schema.ts'
import type { ReferencedRow, VariantsRow } from './structure.sql.ts'

/** A component with its product, if it exists. */
export type Part = Component & { product: ReferencedRow | undefined }

type Own = StockSettings & { inventory_updated_at: string }

/** The stock of a configurable product: the sum of its variants. Untracked variants are in stock and not counted. */
export function stockOfVariants(own: Own, variants: VariantsRow): Inventory {
  const { tracked, backorders, quantity, reserved, in_stock, inventory_updated_at } = variants
  const stock = { tracked, backorders, quantity, reserved, low_stock_threshold: own.low_stock_threshold }
  return { ...describeStock(stock, inventory_updated_at), in_stock: in_stock > 0, computed: true }
}

/** The stock of a group: the sum of its members. It is in stock if one of them is. */
export function stockOfMembers(own: Own, parts: readonly Part[]): Inventory {
  const members = parts.flatMap(({ product }) => (product?.status === 'archived' ? [] : (product ?? [])))
  const counted = members.filter(({ tracked }) => tracked)
  const sum = (of: (member: ReferencedRow) => number) =>
    counted.reduce((total, member) => total + of(member), 0)
  const stock = {
    tracked: members.length === 0 || counted.length > 0,
    backorders: members.some(({ backorders }) => backorders),
    quantity: sum(({ quantity }) => quantity),
    reserved: sum(({ reserved }) => reserved),
    low_stock_threshold: own.low_stock_threshold,
  }
  const in_stock = members.some((member) => describeStock(member, '').in_stock)
  return { ...describeStock(stock, lastChange(own, members)), in_stock, computed: true }
}

/** The stock of a bundle: the number of bundles that every component covers. The products of a choice count together. */
export function stockOfBundle(own: Own, parts: readonly Part[]): Inventory {
  const choices = Map.groupBy(parts, ({ choice }, index) => choice ?? index)
  let least = Number.POSITIVE_INFINITY
  let limit: Part | undefined
  for (const options of choices.values()) {
    const covered = options.reduce((sum, option) => sum + coveredBy(option), 0)
    if (covered >= least) continue
    least = covered
    limit = options[0]
  }
  const stock = {
    tracked: limit !== undefined,
    backorders: false,
    quantity: limit === undefined ? 0 : least,
    reserved: 0,
    low_stock_threshold: own.low_stock_threshold,
  }
  const products = parts.flatMap(({ product }) => product ?? [])
  return {
    ...describeStock(stock, lastChange(own, products)),
    computed: true,
    limited_by:
      limit === undefined ? null : { id: limit.product?.id ?? null, sku: limit.product?.sku ?? limit.sku },
  }
}

/** The number of bundles that a component covers; infinite if its stock is not tracked. */
function coveredBy({ product, quantity }: Part): number {
  if (product === undefined || product.status === 'archived') return 0
  if (!product.tracked || product.backorders) return Number.POSITIVE_INFINITY
  return Math.max(0, Math.floor((product.quantity - product.reserved) / quantity))
}

function lastChange(own: Own, products: readonly ReferencedRow[]): string {
  return products
    .map((product) => product.inventory_updated_at)
    .reduce((a, b) => (a > b ? a : b), own.inventory_updated_at)
}
