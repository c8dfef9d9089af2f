import { isViewColumn } from '../../../model/files/view-columns.ts'
import { type Cell, cellOf, picturesOf } from '../rows/cells.ts'
import {
  type ProductLine,
  productLines,
  type Row,
  type RowLine,
  type RowReader,
  type ViewLine,
} from '../rows/row-lines.ts'
import type { SourceContext } from '../rows/source-context.ts'
import { rulesOf } from './column-rules.ts'
import { fillDown } from './fill-down.ts'
import { viewFinder } from './find-view.ts'
import type { ColumnMap } from './map.schema.ts'
import { addCell, type ColumnRule, type Draft, emptyDraft, stockOf } from './map-cell.ts'
import { variantsOf } from './map-forms.ts'
import { unmappedColumns } from './unmapped-columns.ts'

/** Additional steps of a source that uses a map. */
export type MapHooks = {
  /** Changes the cells of a row before they are read. */
  prepare?(cells: readonly string[]): readonly string[]
  /** Changes a product after its cells are read. */
  finish?(draft: Draft, cell: Cell): void
}

/** Reads a file with a map from columns to fields. */
export function mapped(
  map: ColumnMap,
  names: readonly string[],
  given: SourceContext,
  { prepare = (cells) => cells, finish = () => {} }: MapHooks = {},
): RowReader {
  const header = names.map((name) => name.trim())
  const context = { ...given, keepsRest: given.keepsRest || map.rest === 'attributes' }
  const { tally } = context
  const findView = viewFinder(map, context.views)
  const rules = rulesOf(map, header, context, findView)
  const others = unmappedColumns(map, header, rules, context)
  const units = new Set([...rules.values()].flatMap(({ unit_from }) => unit_from ?? []))
  const filled = fillDown(map, header)
  const cellsOf = cellOf(header)

  function take(row: Row): RowLine[] {
    tally.beginRow()
    const cells = prepare(filled(row.cells))
    const cell = cellsOf(cells)
    const [view] = map.view_from === undefined ? [] : findView(cell(map.view_from))
    if (view !== undefined) return [lineInView(view, cell, others(cells), row)]
    const skipped = Object.entries(map.skip ?? {}).find(([column, value]) => isMet(cell(column), value))
    if (skipped !== undefined) {
      for (const name of header) if (cell(name) !== '') tally.drop(name, `row skipped by ${skipped[0]}`)
      return []
    }
    const draft = draftOf(map, rules, cell, context)
    for (const name of units)
      if (cell(name) !== '' && !isUnitUsed(rules, name, cell)) tally.drop(name, 'unit without a value')
    const rest = others(cells)
    // Uses entries, because a column may have any name, even __proto__.
    for (const [name, value] of Object.entries(rest)) draft.attributes[name] ??= value
    finish(draft, cell)
    return buildLines(draft, variantCell(rules, cell), row, context, map.nameless)
  }

  /** A row with only what differs in a view. */
  function lineInView(view: string, cell: Cell, rest: Draft['attributes'], row: Row): RowLine {
    const draft = emptyDraft()
    for (const [column, rule] of rules) {
      if (cell(column) === '') continue
      if (rule.field === 'sku') addCell(draft, rule, cell, context)
      else if (isViewColumn(rule.field)) addCell(draft, { ...rule, view }, cell, context)
      else tally.drop(column, 'the same in every view')
    }
    const own = draft.inViews.get(view)
    for (const [name, value] of Object.entries(rest)) if (own !== undefined) own.attributes[name] ??= value
    const line = { sku: draft.sku, views: valuesInViews(draft, context) }
    return { json: JSON.stringify(line), rows: [row], step: 'references' }
  }
  return { take, end: () => [] }
}

/** The values of each view as a line has them. */
function valuesInViews({ inViews }: Draft, context: SourceContext): Record<string, ViewLine> {
  return Object.fromEntries(
    [...inViews].map(
      ([view, { attributes, pictures, inventory: _none, columns: _sources, inViews: _own, ...fields }]) => {
        const media = picturesOf(pictures, context)
        const hasAttributes = Object.keys(attributes).length > 0
        return [view, { ...fields, ...(hasAttributes && { attributes }), ...(media.length > 0 && { media }) }]
      },
    ),
  )
}

function isUnitUsed(rules: Map<string, ColumnRule>, name: string, cell: Cell): boolean {
  return [...rules.values()].some(({ unit_from, column }) => unit_from === name && cell(column) !== '')
}

function isMet(cell: string, value: string): boolean {
  return value === '*' ? cell !== '' : cell === value
}

function draftOf(
  { constant = {} }: ColumnMap,
  rules: Map<string, ColumnRule>,
  cell: Cell,
  context: SourceContext,
): Draft {
  const draft = emptyDraft()
  for (const [column, rule] of rules)
    if (cell(column) !== '' && rule.field !== 'variants') addCell(draft, rule, cell, context)
  for (const [field, value] of Object.entries(constant))
    if (!draft.columns.has(field)) addCell(draft, { field, column: field }, () => String(value), context)
  return draft
}

function variantCell(rules: Map<string, ColumnRule>, cell: Cell): { cell: string; column: string } {
  const column = [...rules].find(([, { field }]) => field === 'variants')?.[0]
  return { cell: column === undefined ? '' : cell(column), column: column ?? '' }
}

/** The line of the product, and one per variant that its row lists, because the variant's row does not name its parent. */
function buildLines(
  draft: Draft,
  variants: { cell: string; column: string },
  row: Row,
  context: SourceContext,
  nameless: ColumnMap['nameless'],
): RowLine[] {
  const { pictures, inventory: _unread, columns, inViews, parent, ...said } = draft
  const found = variantsOf({ ...context, ...variants })
  const media = picturesOf(pictures, context)
  const isParent = said.product_type === 'configurable'
  if (isParent && parent !== undefined)
    context.tally.drop(columns.get('parent') ?? 'parent', 'parent of a product with variants')
  const product: ProductLine = {
    ...said,
    ...(media.length > 0 && { media }),
    ...(inViews.size > 0 && { views: valuesInViews(draft, context) }),
    ...(parent !== undefined && !isParent && { parent }),
    ...(found[0] !== undefined && { variant_axes: Object.keys(found[0].axes) }),
    ...stockOf(draft, context),
  }
  const children = found.map(({ sku, axes }): RowLine => {
    const variant = { sku, parent: { sku: product.sku }, attributes: axes }
    return { json: JSON.stringify(variant), rows: [row], step: 'references' }
  })
  const named = nameless === 'parent' && product.name === undefined ? (parent?.sku ?? product.sku) : undefined
  const [own, ...rest] = productLines(product, [row])
  return [{ ...(own as RowLine), ...(named !== undefined && { nameOf: named }) }, ...rest, ...children]
}
