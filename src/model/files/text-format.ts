export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export type Encoding = (typeof encodings)[number]

const delimiters = [',', ';', '\t'] as const

/** The encoding of the start of a file; undefined if it is binary. */
export function detectEncoding(head: Uint8Array, isWhole: boolean): Encoding | undefined {
  const [first, second] = head
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (head.includes(0)) return undefined
  return isUtf8(head, isWhole) ? 'utf-8' : 'windows-1252'
}

function isUtf8(bytes: Uint8Array, isWhole: boolean): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isWhole })
    return true
  } catch {
    return false
  }
}

/** The most frequent delimiter in the header row, outside quotes. */
export function detectDelimiter(text: string): string {
  const counts = { ',': 0, ';': 0, '\t': 0 }
  let isQuoted = false
  for (const character of text.replace(/^[\ufeff\r\n]+/, '')) {
    if (character === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (character === '\n' || character === '\r') break
    else if (character in counts) counts[character as keyof typeof counts] += 1
  }
  return delimiters.reduce((best, other) => (counts[other] > counts[best] ? other : best))
}
