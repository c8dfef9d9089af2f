import { isExact } from '../../platform/http/body/json-scan.ts'
import { hashOfAssetId } from '../assets/asset-id.ts'
import { fieldOf } from '../fields/product-fields.ts'
import { splitAt, unescaped, unguarded } from './cell-text.ts'
import { readComponents } from './component-cell.ts'
import { attributePrefix, decimal, isCode, linkPrefix, pathColumn, stockPrefix, word } from './csv-columns.ts'
import { columnOfField, readNull, unquoteNull } from './view-columns.ts'

type Columns = { header: string[]; cells: string[] }

/** Converts a row to the JSON line of a push. Empty cells are omitted. */
export function rowJson(header: readonly string[], cells: readonly string[]): string {
  const own: Columns = { header: [], cells: [] }
  const views = new Map<string, Columns>()
  for (const [index, field] of header.entries()) {
    const cell = cells[index] ?? ''
    if (cell === '') continue
    const { name, view } = columnOfField(field)
    const columns = view === undefined ? own : (views.get(view) ?? { header: [], cells: [] })
    if (view !== undefined) views.set(view, columns)
    columns.header.push(name)
    columns.cells.push(cell)
  }
  const fields = fieldsJson(own)
  const ofViews = [...views].map(([view, columns]) => `${JSON.stringify(view)}:{${viewJson(columns).join()}}`)
  if (ofViews.length > 0) fields.push(`"views":{${ofViews.join()}}`)
  return `{${fields.join()}}`
}

function fieldsJson({ header, cells }: Columns): string[] {
  const fields: string[] = []
  const stock: string[] = []
  const links: string[] = []
  const attributes: string[] = []
  const hasPaths = header.includes(pathColumn)
  for (const [index, column] of header.entries()) {
    const cell = cells[index] as string
    if (column === 'errors' || (column === 'categories' && hasPaths)) continue
    if (column.startsWith(attributePrefix))
      attributes.push(`${JSON.stringify(column.slice(attributePrefix.length))}:${attributeJson(cell)}`)
    else if (column === 'attributes' && isObject(cell)) attributes.push(...members(cell))
    else if (column.startsWith(stockPrefix))
      stock.push(`${JSON.stringify(column.slice(stockPrefix.length))}:${plainJson(cell)}`)
    else if (column.startsWith(linkPrefix))
      links.push(`${JSON.stringify(column.slice(linkPrefix.length))}:${skusJson(cell)}`)
    else if (column === pathColumn) fields.push(`"categories":${pathsJson(cell)}`)
    else fields.push(`${JSON.stringify(column)}:${fieldJson(column, cell)}`)
  }
  if (links.length > 0) fields.push(`"links":{${links.join()}}`)
  if (stock.length > 0) fields.push(`"inventory":{${stock.join()}}`)
  // A cell that is not an object is already among the fields, and validation rejects it.
  const isRejected = fields.some((field) => field.startsWith('"attributes":'))
  if (attributes.length > 0 && !isRejected) fields.push(`"attributes":{${attributes.join()}}`)
  return fields
}

/** In a view, `null` makes a field fall back. */
function viewJson({ header, cells }: Columns): string[] {
  const isNone = (_: string, at: number) => readNull(cells[at] as string)
  const none = header.filter((name, at) => isNone(name, at) && !name.startsWith(attributePrefix))
  const kept = header.flatMap((name, at) =>
    none.includes(name) ? [] : [[name, cells[at] as string] as const],
  )
  const isText = (name: string) => ['text', 'choice'].includes(fieldOf(name)?.kind ?? '')
  return [
    ...none.map((name) => `${JSON.stringify(name)}:null`),
    ...fieldsJson({
      header: kept.map(([name]) => name),
      cells: kept.map(([name, cell]) => (isText(name) ? unquoteNull(cell) : cell)),
    }),
  ]
}

function isObject(cell: string): boolean {
  return cell.trim().startsWith('{') && isJson(cell)
}

/** The text between the braces of a JSON object. */
function members(cell: string): string[] {
  const inside = cell.trim().slice(1, -1).trim()
  return inside === '' ? [] : [inside]
}

function fieldJson(column: string, cell: string): string {
  const kind = fieldOf(column)?.kind
  if (kind === 'price') return plainJson(cell)
  if (kind === 'media') return mediaJson(cell.trim())
  const text = unguarded(cell)
  if (kind === 'product') return JSON.stringify({ sku: text })
  if (kind === 'names') return JSON.stringify(splitTexts(text))
  if (kind === 'components') return JSON.stringify(readComponents(text))
  return JSON.stringify(kind === 'categories' ? splitTexts(text).map((name) => ({ name })) : text)
}

/** `Lamps|Sale`: texts between bars. */
function splitTexts(text: string): string[] {
  return splitAt(text, '|').map(unescaped)
}

function skusJson(cell: string): string {
  return JSON.stringify(splitTexts(unguarded(cell)).map((sku) => ({ sku })))
}

/** Numbers and words unchanged; anything else as a string, which validation rejects. */
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

/** JSON if the cell starts like JSON; otherwise URLs and asset IDs between bars. */
function mediaJson(cell: string): string {
  if (cell.startsWith('[')) return isJson(cell) ? cell : JSON.stringify(cell)
  return JSON.stringify(splitAt(cell, '|').map((part) => mediaItem(unescaped(part.trim()))))
}

function mediaItem(text: string): { asset: string } | { url: string } {
  return hashOfAssetId(text) === undefined ? { url: text } : { asset: text }
}

/** An attribute cell as JSON. Long digit sequences stay text, because they are codes. */
export function attributeJson(cell: string): string {
  if (word.test(cell)) return cell.toLowerCase()
  if (decimal.test(cell) && isExact(cell) && !isCode(cell)) return cell
  if (cell.startsWith('"') && isJson(cell)) return cell
  if (cell.startsWith('[') && isListOfScalars(cell)) return cell
  return JSON.stringify(unguarded(cell))
}

/** Any other text that starts with a bracket is plain text. */
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
