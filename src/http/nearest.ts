import { closest, distance } from 'fastest-levenshtein'

/** `; did you mean "status"?` when one of the names is close enough to be meant. */
export function nearest(given: string, names: readonly string[]): string {
  if (names.length === 0 || given.length > 64) return ''
  const best = closest(given.toLowerCase(), [...names])
  return distance(given.toLowerCase(), best) <= Math.max(2, Math.floor(best.length / 2))
    ? `; did you mean "${best}"?`
    : ''
}
