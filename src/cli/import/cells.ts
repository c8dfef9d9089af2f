import { numberOf } from '../../files/cell-values.ts'
import { decimal } from '../../files/csv-columns.ts'
import { isExact } from '../../http/request/json-scan.ts'
import type { Losses } from './losses.ts'
import type { ProductLine } from './row-lines.ts'

/** The cell of a row in the column of that name, trimmed; empty where there is no such column. */
export type Cell = (column: string) => string

export function cellOf(header: readonly string[]): (cells: readonly string[]) => Cell {
  const places = new Map(header.map((name, at) => [name, at]))
  return (cells) => (column) => (cells[places.get(column) ?? -1] ?? '').trim()
}

/** The parts between marks, trimmed; empty ones are left out. A backslash before a mark makes it part of a value. */
export function splitList(cell: string, mark: string): string[] {
  const parts = ['']
  for (let at = 0; at < cell.length; at += 1) {
    if (cell[at] === '\\' && cell.startsWith(mark, at + 1)) {
      parts.push(parts.pop() + mark)
      at += mark.length
    } else if (cell.startsWith(mark, at)) {
      parts.push('')
      at += mark.length - 1
    } else parts.push(`${parts.pop()}${cell[at]}`)
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

/** `Home > Lamps, Sale`: paths between one mark, names between another. */
export function categoryPaths(cell: string, between: string, within: string): { path: string[] }[] {
  return splitList(cell, between).map((path) => ({ path: splitList(path, within).map(withoutEntities) }))
}

/** Below zero is what was sold beyond the stock, which only products with backorders may. */
export function quantityOf(cell: string, backorders: boolean, losses: Losses): number | string {
  const quantity = numberOf(cell)
  if (typeof quantity !== 'number' || quantity >= 0 || backorders) return quantity
  losses.add('stock below zero without backorders')
  return 0
}

/** A number, true or false where the cell is nothing else; a number that a double cannot hold stays text. */
export function scalarOf(cell: string): string | number | boolean {
  if (/^(true|false)$/i.test(cell)) return cell.toLowerCase() === 'true'
  return decimal.test(cell) && isExact(cell) ? Number(cell) : cell
}

/** One value as it is, several as an array. */
export function oneOrSeveral<Value>(values: Value[]): Value | Value[] | undefined {
  return values.length > 1 ? values : values[0]
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#039': "'", '#39': "'" }

/** Names of categories, tags and the like are no markup, though some shops keep them as such. */
export function withoutEntities(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#0?39);/g, (_, name: string) => entities[name] ?? '')
}

/** Pictures by their addresses, each once. An address without a host begins with `base`. */
export function picturesOf(
  found: { url: string; alt?: string }[],
  losses: Losses,
  base: string | undefined,
): NonNullable<ProductLine['media']> {
  const pictures = new Map<string, { url: string; alt?: string }>()
  let isLost = false
  for (const { url: address, alt } of found) {
    const isRelative = !/^[a-z]+:/i.test(address)
    const url = isRelative && base !== undefined ? `${base}/${address.replace(/^\/+/, '')}` : address
    if (!url.startsWith('https://')) isLost = true
    else if (!pictures.has(url)) pictures.set(url, { url, ...(alt && { alt }) })
  }
  if (isLost) losses.add('pictures without an https address')
  return [...pictures.values()]
}
