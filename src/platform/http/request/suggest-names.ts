import { closest, distance } from 'fastest-levenshtein'

/** `; did you mean "status"?` if one of the names is close enough, or a list of all names. */
export function suggestNames(given: string, names: readonly string[]): string {
  if (names.length === 0) return ''
  const best = findNearest(given, names)
  return best === undefined ? `; use one of ${names.join(', ')}` : `; did you mean "${best}"?`
}

/** The nearest name, if it is close enough. */
export function findNearest(given: string, names: readonly string[]): string | undefined {
  // Text that is much longer than every name is not compared, so that a body full of long names is inexpensive.
  if (names.every((name) => given.length - name.length > maxDistance(name))) return undefined
  const best = closest(given.toLowerCase().slice(0, 64), [...names])
  return distance(given.toLowerCase(), best) <= maxDistance(best) ? best : undefined
}

function maxDistance(name: string): number {
  return Math.max(1, Math.floor(name.length / 3))
}
