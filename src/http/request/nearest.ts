import { closest, distance } from 'fastest-levenshtein'

/** `; did you mean "status"?` when one of the names is close enough to be meant, or else all of them. */
export function nearest(given: string, names: readonly string[]): string {
  if (names.length === 0) return ''
  const best = closest(given.toLowerCase().slice(0, 64), [...names])
  const isClose = distance(given.toLowerCase(), best) <= Math.max(1, Math.floor(best.length / 3))
  return isClose ? `; did you mean "${best}"?` : `; there are ${names.join(', ')}`
}
