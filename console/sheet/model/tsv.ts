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

/** A quote that does not close at the end of a cell is part of the text: `"Large" size`. */
const quotedCell = /"((?:[^"]|"")*)"(?=\t|\r\n|\n|\r|$)/y
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
    const inQuotes = take(quotedCell)
    const cell = inQuotes?.[1]?.replaceAll('""', '"') ?? take(plainCell)?.[0] ?? ''
    rows.at(-1)?.push(cell)
    const found = take(separator)?.[0]
    if (found === undefined) return rows
    if (found === '\t') continue
    // The line break after the last row starts no further row.
    if (place === text.length) return rows
    rows.push([])
  }
}
