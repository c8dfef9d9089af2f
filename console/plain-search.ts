/* Reads and writes query strings in the format of the API, without quotes and braces. */

const wholeNumber = /^(0|[1-9]\d{0,14})$/

/** Parses whole numbers and booleans. Repeated parameters become a list. */
export function parseSearch(text: string): Record<string, unknown> {
  const values = new Map<string, unknown[]>()
  for (const [name, value] of new URLSearchParams(text))
    values.set(name, [...(values.get(name) ?? []), readValue(value)])
  return Object.fromEntries([...values].map(([name, list]) => [name, list.length === 1 ? list[0] : list]))
}

function readValue(text: string): unknown {
  if (wholeNumber.test(text)) return Number(text)
  return text === 'true' || text === 'false' ? text === 'true' : text
}

export function stringifySearch(search: Record<string, unknown>): string {
  const pairs = Object.entries(search).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((one) => one !== undefined && one !== null)
      .map((one) => [name, String(one)] as const),
  )
  return pairs.length === 0 ? '' : `?${queryText(pairs)}`
}

/** A readable query string: brackets, commas and colons need no escape. */
export function queryText(pairs: Iterable<readonly [string, string]>): string {
  return Array.from(pairs, ([name, value]) => `${escaped(name)}=${escaped(value)}`).join('&')
}

function escaped(text: string): string {
  // A lone half of a surrogate pair cannot be escaped.
  return encodeURIComponent(text.toWellFormed())
    .replace(/%(?:2C|2F|3A|40|5B|5D)/g, decodeURIComponent)
    .replaceAll('%20', '+')
}
