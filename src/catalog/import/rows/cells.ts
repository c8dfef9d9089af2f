import { hashOfAssetId } from '../../../model/assets/asset-id.ts'
import { parseNumberCell } from '../../../model/files/cell-values.ts'
import type { ProductLine } from './row-lines.ts'
import type { SourceContext } from './source-context.ts'
import type { Tally } from './tally.ts'

/** The trimmed cell of a row in this column; empty if there is no such column. */
export type Cell = (column: string) => string

export function cellOf(header: readonly string[]): (cells: readonly string[]) => Cell {
  const places = new Map(header.map((name, at) => [name, at]))
  return (cells) => (column) => (cells[places.get(column) ?? -1] ?? '').trim()
}

/** Splits and trims, without empty parts. A backslash before a separator makes it part of a value. */
export function splitList(cell: string, separator: string): string[] {
  const parts = ['']
  for (let at = 0; at < cell.length; at += 1) {
    if (cell[at] === '\\' && cell.startsWith(separator, at + 1)) {
      parts.push(parts.pop() + separator)
      at += separator.length
    } else if (cell.startsWith(separator, at)) {
      parts.push('')
      at += separator.length - 1
    } else parts.push(`${parts.pop()}${cell[at]}`)
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

/** `Home > Lamps, Sale`: one separator between paths, another between names. */
export function splitCategoryPaths(cell: string, between: string, within: string): { path: string[] }[] {
  return splitList(cell, between).map((path) => pathOf(path, within))
}

export function pathOf(path: string, within: string): { path: string[] } {
  return { path: splitList(path, within).map(withoutEntities) }
}

/** A negative quantity means backorders, which only some products allow. */
export function quantityOf(cell: string, backorders: boolean, tally: Tally, column: string): number | string {
  const quantity = parseNumberCell(cell)
  if (typeof quantity !== 'number' || quantity >= 0 || backorders) return quantity
  tally.change(column, 'negative without backorders; stored as 0')
  return 0
}

/** A single value, or an array of several. */
export function oneOrSeveral<Value>(values: Value[]): Value | Value[] | undefined {
  return values.length > 1 ? values : values[0]
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#039': "'", '#39': "'" }

/** Names of categories and tags are not markup, but some shops store them with entities. */
export function withoutEntities(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#0?39);/g, (_, name: string) => entities[name] ?? '')
}

/** How a line names an image in the folder of images. */
export const localPrefix = 'images/'

export type FoundPicture = { url: string; column: string; alt?: string }

/** Images without duplicate URLs. */
export function picturesOf(
  found: readonly FoundPicture[],
  { tally, mediaBase: base }: Pick<SourceContext, 'tally' | 'mediaBase'>,
): NonNullable<ProductLine['media']> {
  const pictures = new Map<string, NonNullable<ProductLine['media']>[number]>()
  for (const { url: address, alt, column } of found) {
    const isRelative = !/^[a-z][a-z0-9]*:/i.test(address)
    const url = isRelative && base !== undefined ? `${base}/${address.replace(/^\/+/, '')}` : address
    const texts = alt ? { alt } : {}
    if (hashOfAssetId(url) !== undefined) pictures.set(url, { asset: url, ...texts })
    else if (!url.startsWith('https://') && !(isRelative && url.startsWith(localPrefix)))
      tally.drop(
        column,
        isRelative ? 'image path without a host; add --media-base' : 'image URL without https',
      )
    else if (!pictures.has(url)) pictures.set(url, { url, ...texts })
  }
  return [...pictures.values()]
}
