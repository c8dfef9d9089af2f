/** One form for texts that differ only in case or in how an accent is composed. */
export function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase()
}

/** What `search` looks through: name and SKU, folded here because a server's own folding depends on its locale. */
export function searchText({ name, sku }: { name: string; sku: string }): string {
  return `${foldCase(name)}\n${foldCase(sku)}`
}
