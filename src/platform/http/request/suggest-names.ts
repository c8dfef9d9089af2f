import { closest, distance } from 'fastest-levenshtein'

/** `; did you mean "status"?` when one of the names is close enough to be meant, or else all of them. */
export function suggestNames(given: string, names: readonly string[]): string {
  if (names.length === 0) return ''
  const best = findNearest(given, names)
  return best === undefined ? `; there are ${names.join(', ')}` : `; did you mean "${best}"?`
}

/** The one that is close enough to be meant. */
export function findNearest(given: string, names: readonly string[]): string | undefined {
  // What is far longer than every name is near none: a body full of long names costs no comparisons.
  if (names.every((name) => given.length - name.length > mostApart(name))) return undefined
  const best = closest(given.toLowerCase().slice(0, 64), [...names])
  return distance(given.toLowerCase(), best) <= mostApart(best) ? best : undefined
}

function mostApart(name: string): number {
  return Math.max(1, Math.floor(name.length / 3))
}
