import { foldCase } from '../../platform/database/statements/search-text.ts'

/** What `search` looks through: name and SKU. */
export function productSearchText({ name, sku }: { name: string; sku: string }): string {
  return `${foldCase(name)}\n${foldCase(sku)}`
}
