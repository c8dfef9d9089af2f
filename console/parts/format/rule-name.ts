/** Displays `description_length` as "Description length". */
export function ruleName(code: string): string {
  const words = code.replaceAll('_', ' ').replace(/\bsku\b/, 'SKU')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
