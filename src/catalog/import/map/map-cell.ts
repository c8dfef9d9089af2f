import { fieldOf } from '../../../model/fields/product-fields.ts'
import { parseNumberCell, parseSwitchCell } from '../../../model/files/cell-values.ts'
import {
  attributePrefix,
  figureColumns,
  linkPrefix,
  stockPrefix,
  switchColumns,
} from '../../../model/files/csv-columns.ts'
import { productLimits } from '../../../model/limits/products.ts'
import { type CellType, type Scalar, scalarOf } from '../rows/cell-types.ts'
import { type Cell, type FoundPicture, oneOrSeveral, pathOf, quantityOf, splitList } from '../rows/cells.ts'
import { tooLong } from '../rows/other-columns.ts'
import type { ProductLine } from '../rows/row-lines.ts'
import type { SourceContext } from '../rows/source-context.ts'
import type { Rule } from './map.schema.ts'
import { bundleOf, pairsOf, quantitiesOf } from './map-forms.ts'

/** The values of a row. Images and categories can come from several cells. */
export type Draft = ProductLine & {
  attributes: NonNullable<ProductLine['attributes']>
  inventory: Record<string, unknown>
  pictures: FoundPicture[]
  /** The source column of each field or attribute. */
  columns: Map<string, string>
  /** The values in views. */
  inViews: Map<string, Draft>
}

export function emptyDraft(): Draft {
  return {
    attributes: Object.create(null),
    inventory: {},
    pictures: [],
    columns: new Map(),
    inViews: new Map(),
  }
}

/** The values of a view, which are read like those of a product. */
function inView(draft: Draft, view: string): Draft {
  const held = draft.inViews.get(view) ?? emptyDraft()
  draft.inViews.set(view, held)
  return held
}

/** The rule for a column of the file. */
export type ColumnRule = Rule & {
  column: string
  /** Another column provides the field; this one becomes an attribute or is dropped. */
  isSpare?: boolean
  /** One of several columns for a field; the first nonempty one is used. */
  isAlternative?: boolean
}

/** Adds a cell to a product. If several columns have the same field, the first nonempty one is used. */
export function addCell(draft: Draft, rule: ColumnRule, cells: Cell, context: SourceContext): void {
  const { field, column, form } = rule
  const cell = cells(column)
  const name = attributeOf(rule, cells)
  const key = name === undefined ? field : attributePrefix + name
  const target = rule.view === undefined ? draft : inView(draft, rule.view)
  if (rule.isSpare === true || isTaken(target, key)) {
    addSpare(draft, rule, cell, context)
    return
  }
  target.columns.set(key, column)
  if (name !== undefined) addAttribute(target, name, rule, cell, context)
  else if (field === 'attributes') addPairs(target, rule, cell, context)
  else if (field === 'components' && form !== undefined) {
    const formCell = { cell, ...context, column }
    target.components = form === 'bundle' ? bundleOf(formCell) : quantitiesOf(formCell)
  } else addField(target, rule, cell)
}

/** The name of the attribute, with its unit; undefined for other fields. */
function attributeOf({ field, unit, unit_from, usual_unit }: Rule, cells: Cell): string | undefined {
  if (!field.startsWith(attributePrefix)) return undefined
  const own = unit_from === undefined ? '' : cells(unit_from)
  const suffix = unit ?? (own === usual_unit ? '' : own.toLowerCase())
  const name = field.slice(attributePrefix.length)
  return suffix === '' ? name : `${name}_${suffix}`
}

/** Images, categories and attributes accumulate; every other field has one value. */
function isTaken(draft: Draft, field: string): boolean {
  const addsUp = ['media', 'categories', 'attributes'].includes(fieldOf(field)?.kind ?? '')
  return !addsUp && draft.columns.has(field)
}

function addSpare(draft: Draft, rule: ColumnRule, cell: string, context: SourceContext): void {
  const { column, field, isSpare, isAlternative } = rule
  const name = column.slice(0, productLimits.attributeNameCharacters)
  const isKept = context.keepsRest && (isSpare === true || isAlternative === true)
  if (isKept && cell.length > productLimits.attributeValueCharacters) context.tally.drop(column, tooLong)
  else if (isKept) draft.attributes[name] ??= scalarOf(cell, context.typeOf(name))
  else context.tally.drop(column, `another column provides ${field}`)
}

function addAttribute(
  draft: Draft,
  name: string,
  { split, values, type, column }: ColumnRule,
  cell: string,
  { tally, typeOf }: SourceContext,
): void {
  const wanted = type ?? typeOf(name)
  const parts = split === undefined ? [cell] : splitList(cell, split)
  const read = parts.map((part) => translated(part, values, wanted))
  if (type !== undefined && read.some((one) => !isOfType(one, type)))
    tally.change(column, `not a ${type}; stored as text`)
  const value = oneOrSeveral(read)
  if (parts.some((part) => part.length > productLimits.attributeValueCharacters)) tally.drop(column, tooLong)
  else if (value === undefined) tally.drop(column, 'only separators')
  else draft.attributes[name] = value
}

function isOfType(value: Scalar, type: CellType): boolean {
  return typeof value === (type === 'text' ? 'string' : type)
}

/** Replacements in a map are also converted: "true" becomes true if the type is boolean. */
function translated(part: string, values: Rule['values'], type: CellType | undefined): Scalar {
  const word = wordFor(part, values)
  if (word === undefined) return scalarOf(part, type)
  return type === undefined || typeof word !== 'string' ? word : scalarOf(word, type)
}

function wordFor(part: string, values: Rule['values'] = {}): Scalar | undefined {
  return Object.hasOwn(values, part) ? values[part] : values['*']
}

function addPairs(draft: Draft, { column }: ColumnRule, cell: string, context: SourceContext): void {
  for (const [name, value] of Object.entries(pairsOf({ cell, ...context, column }))) {
    const key = attributePrefix + name
    if (draft.columns.has(key)) context.tally.drop(column, 'part of a cell that another column provides')
    else {
      draft.columns.set(key, column)
      draft.attributes[name] = value
    }
  }
}

function addField(draft: Draft, { field, split, path, values, column }: ColumnRule, cell: string): void {
  const word = String(wordFor(cell, values) ?? cell)
  const parts = (split === undefined ? [cell] : splitList(cell, split)).map((part) =>
    String(wordFor(part, values) ?? part),
  )
  const skus = parts.map((sku) => ({ sku }))
  const kind = fieldOf(field)?.kind
  const put = (value: unknown) => Object.assign(draft, { [field]: value })
  if (kind === 'code' || kind === 'text' || kind === 'choice') put(word)
  else if (kind === 'price') put(parseNumberCell(word))
  else if (figureColumns.includes(field)) draft.inventory[stockName(field)] = parseNumberCell(word)
  else if (switchColumns.includes(field)) draft.inventory[stockName(field)] = parseSwitchCell(word)
  else if (kind === 'categories')
    draft.categories = [
      ...(draft.categories ?? []),
      ...parts.map((part) => (path === undefined ? { name: part } : pathOf(part, path))),
    ]
  else if (kind === 'media') draft.pictures.push(...parts.map((url) => ({ url, column })))
  else if (kind === 'product') put({ sku: word })
  else if (kind === 'names') put(parts)
  else if (kind === 'components') put(skus)
  else if (field.startsWith(linkPrefix))
    draft.links = { ...draft.links, [field.slice(linkPrefix.length)]: skus }
}

function stockName(field: string): string {
  return field.slice(stockPrefix.length)
}

/** The stock of a line. The stock of a product with children is computed. */
export function stockOf(draft: Draft, { tally }: SourceContext): Pick<ProductLine, 'inventory'> {
  const { product_type = 'simple', inventory, columns } = draft
  if (Object.keys(inventory).length === 0) return {}
  if (product_type !== 'simple' && product_type !== 'virtual') {
    for (const [field, column] of columns)
      if (field.startsWith(stockPrefix)) tally.drop(column, 'stock of a product with computed stock')
    return {}
  }
  const { quantity, backorders } = inventory
  if (quantity === undefined) return { inventory }
  const column = columns.get('inventory.quantity') ?? 'quantity'
  return {
    inventory: { ...inventory, quantity: quantityOf(String(quantity), backorders === true, tally, column) },
  }
}
