import { createHash } from 'node:crypto'
import { productLimits } from '../../../model/limits/products.ts'

/** A SKU made of other names, always the same. A long one ends in a hash of all of it. */
export function buildSku(parts: string[]): string {
  const sku = parts.join('-')
  if (sku.length <= productLimits.skuCharacters) return sku
  return `${sku.slice(0, productLimits.skuCharacters - 13)}-${createHash('sha256').update(sku).digest('hex').slice(0, 12)}`
}

/** The SKU itself, or one with a number behind it where the file has it already. */
export function takeSku(sku: string, taken: Set<string>): string {
  let found = sku
  for (let count = 2; taken.has(found); count += 1) found = buildSku([sku, String(count)])
  taken.add(found)
  return found
}
