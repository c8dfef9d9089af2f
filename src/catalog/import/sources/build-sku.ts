import { createHash } from 'node:crypto'
import { productLimits } from '../../../model/limits/products.ts'

/** Builds a stable SKU from other names. A long one ends with a hash of the full name. */
export function buildSku(parts: string[]): string {
  const sku = parts.join('-')
  if (sku.length <= productLimits.skuCharacters) return sku
  return `${sku.slice(0, productLimits.skuCharacters - 13)}-${createHash('sha256').update(sku).digest('hex').slice(0, 12)}`
}

/** Returns the SKU, with a number appended if the file already contains it. */
export function takeSku(sku: string, taken: Set<string>): string {
  let found = sku
  for (let count = 2; taken.has(found); count += 1) found = buildSku([sku, String(count)])
  taken.add(found)
  return found
}
