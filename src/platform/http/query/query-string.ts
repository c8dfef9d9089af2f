/** A query as sent: decoded pairs in order, and whether a part could not be decoded. */
export type RawQuery = { pairs: [name: string, value: string][]; malformed: boolean }

// These characters can appear in a URL; all others must be percent-encoded.
const plain = /^[\x21-\x7e]*$/

/** Stricter than Node's parser: `%ff` and `%00` are errors. */
export function parseQueryString(text: string): RawQuery {
  if (text === '') return { pairs: [], malformed: false }
  const query: RawQuery = { pairs: [], malformed: !plain.test(text) }
  for (const part of text.split('&')) {
    if (part === '') continue
    const cut = part.indexOf('=')
    const name = decode(cut < 0 ? part : part.slice(0, cut))
    const value = decode(cut < 0 ? '' : part.slice(cut + 1))
    if (name === undefined || value === undefined) query.malformed = true
    else query.pairs.push([name, value])
  }
  return query
}

function decode(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '))
    return decoded.includes('\0') ? undefined : decoded
  } catch {
    return undefined
  }
}
