import { ownValue } from '../../parts/forms/own-value.ts'
import type { AttributeValue, ProductDetail } from '../../wire.ts'
import { valueText } from '../value-text.tsx'
import type { AxisValues } from './add-variant-dialog.tsx'

/** The variants by their two axes. */
export type Axes = {
  rows: string
  columns: string
  down: string[]
  across: string[]
  at: (row: number, column: number) => ProductDetail | undefined
  /** The values of a combination, as other variants have them. */
  valuesAt: (row: number, column: number) => AxisValues
}

export function axesOf(variants: ProductDetail[], rows: string, columns: string): Axes {
  const down = valuesOf(variants, rows)
  const across = valuesOf(variants, columns)
  const byCell = new Map(variants.map((one) => [cellKey(axisText(one, rows), axisText(one, columns)), one]))
  return {
    rows,
    columns,
    down,
    across,
    at: (row, column) => byCell.get(cellKey(down[row], across[column])),
    valuesAt: (row, column) => ({
      [rows]: valueAs(variants, rows, down[row] ?? ''),
      [columns]: valueAs(variants, columns, across[column] ?? ''),
    }),
  }
}

const axisText = ({ attributes }: ProductDetail, axis: string) =>
  valueText(ownValue(attributes, axis) ?? null)
const cellKey = (row: string | undefined, column: string | undefined) => JSON.stringify([row, column])

/** A number stays a number. */
function valueAs(variants: ProductDetail[], axis: string, text: string): AttributeValue {
  const known = variants.find((one) => axisText(one, axis) === text)
  return (known && ownValue(known.attributes, axis)) ?? text
}

/** Distinct values. Numbers are sorted; other values, such as S, M and L, keep the order of creation. */
function valuesOf(variants: ProductDetail[], axis: string): string[] {
  const values = [...new Set(variants.map((one) => axisText(one, axis)))]
  return values.every((value) => value !== '' && !Number.isNaN(Number(value)))
    ? values.sort((one, other) => Number(one) - Number(other))
    : values
}
