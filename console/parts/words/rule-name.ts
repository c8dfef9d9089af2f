/** `description_length` is "Description length" where people read it. */
export function ruleName(code: string): string {
  const words = code.replaceAll('_', ' ').replace(/\bsku\b/, 'SKU')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
