import { type Cell, cellOf, picturesOf } from '../cells.ts'
import type { Losses } from '../losses.ts'
import { otherColumns } from '../other-columns.ts'
import { type ProductLine, productLines, type Row, type RowLine, type RowReader } from '../row-lines.ts'
import type { ColumnMap, Rule } from './map.schema.ts'
import { addCell, type Draft, stockOf } from './map-cell.ts'
import { variantsOf } from './map-forms.ts'

export type MapOptions = { losses: Losses; isRestKept: boolean; mediaBase: string | undefined }

/** A file of any other system, by a map that says which field each of its columns is. */
export function mapped(map: ColumnMap, names: readonly string[], options: MapOptions): RowReader {
  const { losses } = options
  const header = names.map((name) => name.trim())
  const rules = rulesOf(map, header)
  const isRestKept = options.isRestKept || map.rest === 'attributes'
  const isLeftOut = (name: string) => map.columns[name] === null
  const isIgnored = (name: string) =>
    (map.ignore ?? []).some((pattern) => starOf(pattern, name) !== undefined)
  const unknown = header.filter((name) => !rules.has(name) && !isLeftOut(name) && !isIgnored(name))
  refuseUnknown(isRestKept ? [] : unknown.filter((name) => name !== 'errors' && name !== ''))
  if (![...rules.values()].some(({ field }) => field === 'sku'))
    throw new Error('the file has none of the columns that the map takes for the sku')
  const rest = otherColumns(header, (name) => !unknown.includes(name), { isRestKept, losses })
  const leftOut = otherColumns(header, (name) => !isLeftOut(name), { isRestKept: false, losses })
  const cellsOf = cellOf(header)

  function take(row: Row): RowLine[] {
    const cell = cellsOf(row.cells)
    const skipped = Object.entries(map.skip ?? {}).find(([column, value]) => isMet(cell(column), value))
    if (skipped !== undefined) {
      losses.add(`rows with ${skipped[0]}`)
      return []
    }
    leftOut(row.cells)
    const product = draftOf(map, rules, cell, losses)
    Object.assign(product.attributes, { ...rest(row.cells), ...product.attributes })
    return linesOf(product, variantCells(rules, cell), row, options)
  }
  return { take, end: () => [] }
}

/** The rule of each column that has one. A column with a star is the first that fits, unless its field has a star, too. */
function rulesOf({ columns }: ColumnMap, header: string[]): Map<string, Rule> {
  const rules = new Map<string, Rule>()
  for (const [column, rule] of Object.entries(columns)) {
    if (rule === null) continue
    for (const name of header) {
      const star = starOf(column, name)
      if (star === undefined || rules.has(name)) continue
      if (name !== column && Object.hasOwn(columns, name)) continue
      rules.set(name, { ...rule, field: rule.field.replace('*', star) })
      if (!rule.field.includes('*')) break
    }
  }
  return rules
}

/** What the star of a pattern stands for in a name; undefined where the name does not fit. */
function starOf(pattern: string, name: string): string | undefined {
  const [before = '', after] = pattern.split('*', 2)
  if (after === undefined) return pattern === name ? '' : undefined
  const isFit = name.length >= before.length + after.length && name.startsWith(before) && name.endsWith(after)
  return isFit ? name.slice(before.length, name.length - after.length) : undefined
}

function isMet(cell: string, value: string): boolean {
  return value === '*' ? cell !== '' : cell === value
}

function refuseUnknown(names: string[]): void {
  if (names.length === 0) return
  const quoted = names.map((name) => `"${name}"`).join(', ')
  throw new Error(
    `the map does not say what these columns are: ${quoted}; name them in the map (null leaves one out), or take them as attributes with --rest attributes`,
  )
}

function draftOf({ constant = {} }: ColumnMap, rules: Map<string, Rule>, cell: Cell, losses: Losses): Draft {
  // A column may have any name, also __proto__.
  const product: Draft = { attributes: Object.create(null), inventory: {}, pictures: [] }
  for (const [column, rule] of rules)
    if (cell(column) !== '' && rule.field !== 'variants') addCell(product, rule, cell(column), losses)
  for (const [field, value] of Object.entries(constant)) addCell(product, { field }, String(value), losses)
  return product
}

function variantCells(rules: Map<string, Rule>, cell: Cell): string {
  const column = [...rules].find(([, { field }]) => field === 'variants')?.[0]
  return column === undefined ? '' : cell(column)
}

/** The line of the product, and one for each variant that its row names: a variant's own row does not tell its parent. */
function linesOf(draft: Draft, variants: string, row: Row, { losses, mediaBase }: MapOptions): RowLine[] {
  const { pictures, inventory: _unread, parent, ...said } = draft
  const found = variantsOf(variants)
  const media = picturesOf(pictures, losses, mediaBase)
  const isParent = said.product_type === 'configurable'
  if (isParent && parent !== undefined) losses.add('parents of what is a parent itself')
  const product: ProductLine = {
    ...said,
    ...(media.length > 0 && { media }),
    ...(parent !== undefined && !isParent && { parent }),
    ...(found[0] !== undefined && { variant_axes: Object.keys(found[0].axes) }),
    ...stockOf(draft, losses),
  }
  const children = found.map(({ sku, axes }): RowLine => {
    const variant = { sku, parent: { sku: product.sku }, attributes: axes }
    return { json: JSON.stringify(variant), rows: [row], step: 'references' }
  })
  return [...productLines(product, [row]), ...children]
}
