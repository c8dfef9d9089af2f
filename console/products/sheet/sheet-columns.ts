import type { FieldOf } from '../../../src/model/fields/product-fields.ts'
import {
  editableField,
  type FieldSources,
  readOnlyField,
  type SheetField,
  shownText,
  stockField,
} from '../../sheet/fields/sheet-field.ts'
import type { GridColumn } from '../../sheet/grid/grid-types.ts'
import { strings as sheetStrings } from '../../sheet/strings.ts'
import type { ProductDetail } from '../../wire.ts'
import { attributeColumn, columnLabel } from '../columns/column-names.ts'
import { columnField } from '../columns/columns.tsx'

/** The field that a column of the list edits. */
const pathOf = (column: string) => (column === 'inventory' ? stockField : column)

const dates = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

/** Columns that the service computes, or that have their own editor on the product page, as text. */
const readOnlyTexts: Record<string, { why?: string; text: (product: ProductDetail) => string }> = {
  quality_score: { text: ({ quality_score: { score, grade } }) => `${score} ${grade}` },
  updated_at: { text: ({ updated_at }) => dates.format(new Date(updated_at)) },
  created_at: { text: ({ created_at }) => dates.format(new Date(created_at)) },
  id: { text: ({ id }) => String(id) },
  categories: {
    why: sheetStrings.readOnly.elsewhere,
    text: ({ categories }) => categories.map(({ name }) => name).join(', '),
  },
  media: {
    why: sheetStrings.readOnly.elsewhere,
    text: ({ media }) => String(media.filter(({ kind }) => kind === 'image').length),
  },
}

export function sheetField(column: string, sources: FieldSources): SheetField {
  const editable = editableField(pathOf(column), sources)
  if (editable !== undefined) return editable
  const { why = sheetStrings.readOnly.computed, text } = readOnlyTexts[column] ?? { text: () => '' }
  return readOnlyField(column, columnLabel(column), why, text, columnField(column).isNumber)
}

/** The chosen columns, and on request all defined attributes. */
export function columnsOf(
  chosen: readonly string[],
  { definitions }: FieldSources,
  isAll: boolean,
): string[] {
  const attributes = isAll ? [...definitions.keys()].map(attributeColumn) : []
  return [...new Set([...chosen, ...attributes])]
}

const characterWidth = 8.5
const padding = 28
const editorWidths: Record<SheetField['codec']['editor'], number> = {
  text: 180,
  number: 96,
  choice: 116,
  date: 148,
  several: 180,
}
const ownWidths: Partial<Record<string, number>> = { sku: 160, name: 320 } satisfies Partial<
  Record<FieldOf<'code' | 'text'>, number>
>

/** Numbers are never cut off. */
export function gridColumn(
  column: string,
  field: SheetField,
  products: readonly ProductDetail[],
  chosenWidth: number | undefined,
): GridColumn {
  const { codec, label } = field
  const isNumber = codec.isNumber === true
  const longest = isNumber
    ? products.reduce((most, product) => Math.max(most, textOf(field, product).length), label.length)
    : 0
  const width = Math.max(
    chosenWidth ?? ownWidths[column] ?? editorWidths[isNumber ? 'number' : codec.editor],
    Math.ceil(longest * characterWidth) + (isNumber ? padding : 0),
  )
  return { key: column, label, width, isNumber }
}

const textOf = (field: SheetField, product: ProductDetail) =>
  shownText(field, product, field.currentOf(product)).text
