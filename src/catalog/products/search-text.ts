import { foldCase } from '../../platform/database/statements/search-text.ts'

/** The text for `search`: name and SKU. */
export function productSearchText({ name, sku }: { name: string; sku: string }): string {
  return `${foldCase(name)}\n${foldCase(sku)}`
}
