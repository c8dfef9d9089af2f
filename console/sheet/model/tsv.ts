/*
 * Tab-separated text as Excel, Numbers and Google Sheets put it on the clipboard: a cell with a tab, a line break or a quote is in
 * quotes, and quotes in it are doubled. Rows of Excel end with CRLF, also the last one.
 */

export type Block = readonly (readonly string[])[]

export function writeTsv(block: Block): string {
  return block.map((row) => row.map(quoted).join('\t')).join('\n')
}

function quoted(cell: string): string {
  return /["\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

const plainCell = /[^\t\r\n]*/y
const separator = /\t|\r\n|\n|\r/y

export function readTsv(text: string): string[][] {
  const rows: string[][] = [[]]
  let place = 0
  const take = (pattern: RegExp) => {
    pattern.lastIndex = place
    const found = pattern.exec(text)
    place += found?.[0].length ?? 0
    return found
  }
  for (;;) {
    const end = closingQuote(text, place)
    if (end === undefined) rows.at(-1)?.push(take(plainCell)?.[0] ?? '')
    else {
      rows.at(-1)?.push(text.slice(place + 1, end).replaceAll('""', '"'))
      place = end + 1
    }
    const found = take(separator)?.[0]
    if (found === undefined) return rows
    if (found === '\t') continue
    // The line break after the last row starts no further row.
    if (place === text.length) return rows
    rows.push([])
  }
}

/**
 * Undefined if the cell is not in quotes. A quote that does not close at the end of a cell is part of the text: `"Large" size`. No
 * pattern, because a long cell would exhaust its stack.
 */
function closingQuote(text: string, place: number): number | undefined {
  if (text[place] !== '"') return undefined
  let end = text.indexOf('"', place + 1)
  while (end !== -1 && text[end + 1] === '"') end = text.indexOf('"', end + 2)
  const isEnd = end === text.length - 1 || '\t\r\n'.includes(text[end + 1] ?? '')
  return end !== -1 && isEnd ? end : undefined
}
