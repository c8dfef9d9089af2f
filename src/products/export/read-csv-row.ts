import { isExact } from '../../http/request/json-scan.ts'
import { attributePrefix, cells, csvHeader, decimal, pathColumn, stockPrefix, word } from './product-csv.ts'

/** What the columns of a file are; a column that is none of ours is an error, not a loss. `errors` is that of rejected rows. */
export function readHeader(cells: readonly string[]): string[] {
  const header = cells.map((cell) => (cell.startsWith(attributePrefix) ? cell : cell.trim()))
  if (header.length === 1 && /[;\t]/.test(header[0] ?? ''))
    throw new Error('the columns are separated by semicolons or tabs; save the file with commas between them')
  const known = new Set([...csvHeader([]), 'errors'])
  const odd = header.filter((name) => !known.has(name) && !name.startsWith(attributePrefix))
  if (odd.length > 0)
    throw new Error(
      `the column "${odd[0]}" is none of ${[...known].join(', ')}, ${attributePrefix}<name>; rename or remove it`,
    )
  const twice = header.find((name, index) => header.indexOf(name) !== index)
  if (twice !== undefined) throw new Error(`the column "${twice}" stands twice`)
  if (!header.includes('sku')) throw new Error('the file needs a header row with the column sku')
  return header
}

/** A row as the JSON line of a push. Empty cells are left out. */
export function jsonLine(header: readonly string[], cells: readonly string[]): string {
  const fields: string[] = []
  const stock: string[] = []
  const attributes: string[] = []
  const hasPaths = (cells[header.indexOf(pathColumn)] ?? '') !== ''
  for (const [index, column] of header.entries()) {
    const cell = cells[index] ?? ''
    if (cell === '' || column === 'errors' || (column === 'categories' && hasPaths)) continue
    if (column.startsWith(attributePrefix))
      attributes.push(`${JSON.stringify(column.slice(attributePrefix.length))}:${attributeJson(cell)}`)
    else if (column === 'attributes' && isObject(cell)) attributes.push(...members(cell))
    else if (column.startsWith(stockPrefix))
      stock.push(`${JSON.stringify(column.slice(stockPrefix.length))}:${plainJson(cell)}`)
    else if (column === pathColumn) fields.push(`"categories":${pathsJson(cell)}`)
    else fields.push(`${JSON.stringify(column)}:${fieldJson(column, cell)}`)
  }
  if (stock.length > 0) fields.push(`"inventory":{${stock.join()}}`)
  // A cell that is no object stands among the fields, and is refused for what it is.
  const isRefused = fields.some((field) => field.startsWith('"attributes":'))
  if (attributes.length > 0 && !isRefused) fields.push(`"attributes":{${attributes.join()}}`)
  return `{${fields.join()}}`
}

function isObject(cell: string): boolean {
  return cell.trim().startsWith('{') && isJson(cell)
}

/** What stands between the braces of a JSON object. */
function members(cell: string): string[] {
  const inside = cell.trim().slice(1, -1).trim()
  return inside === '' ? [] : [inside]
}

function fieldJson(column: string, cell: string): string {
  const kind = cells.get(column)
  if (kind === 'number') return plainJson(cell)
  if (kind === 'json' && isJson(cell)) return cell
  if (kind === 'media') return mediaJson(cell.trim())
  const text = unguarded(cell)
  if (kind !== 'names') return JSON.stringify(text)
  return JSON.stringify(splitAt(text, '|').map((name) => ({ name: unescaped(name) })))
}

/** Numbers and words as they are; whatever else stands there is told to the reader as text that does not fit. */
function plainJson(cell: string): string {
  const text = cell.trim()
  if (word.test(text)) return text.toLowerCase()
  return decimal.test(text) ? text : JSON.stringify(cell)
}

/** `Home/Lamps|Sale`: paths between bars, names between slashes. */
function pathsJson(cell: string): string {
  const paths = splitAt(unguarded(cell), '|')
  return JSON.stringify(paths.map((path) => ({ path: splitAt(path, '/').map(unescaped) })))
}

/** JSON where the cell begins like it; else addresses between bars. */
function mediaJson(cell: string): string {
  if (cell.startsWith('[')) return isJson(cell) ? cell : JSON.stringify(cell)
  return JSON.stringify(splitAt(cell, '|').map((address) => ({ url: unescaped(address.trim()) })))
}

/** The parts between marks. A backslash makes the next character part of a name, and stays for the next split. */
function splitAt(text: string, mark: string): string[] {
  const parts: string[] = ['']
  for (const [piece] of text.matchAll(/\\.|./gsu)) {
    if (piece === mark) parts.push('')
    else parts.push(parts.pop() + piece)
  }
  return parts
}

function unescaped(name: string): string {
  return name.replace(/\\(.)/gsu, '$1')
}

/** The cell of an attribute as JSON. A number that a double cannot hold stays text: it is a code rather than a number. */
function attributeJson(cell: string): string {
  if (word.test(cell)) return cell.toLowerCase()
  if (decimal.test(cell) && isExact(cell)) return cell
  if (cell.startsWith('"') && isJson(cell)) return cell
  if (cell.startsWith('[') && isListOfScalars(cell)) return cell
  return JSON.stringify(unguarded(cell))
}

const guardedFormula = /^'+[=+\-@\t\r\n＝＋－＠]/

function unguarded(cell: string): string {
  return guardedFormula.test(cell) ? cell.slice(1) : cell
}

/** Anything else that begins with a bracket is text. */
function isListOfScalars(cell: string): boolean {
  const list = parsed(cell)
  return Array.isArray(list) && list.every((one) => ['string', 'number', 'boolean'].includes(typeof one))
}

function isJson(text: string): boolean {
  return parsed(text) !== undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
