import { join, raw, type Sql, sql } from '../database/sql.ts'
import { jsonbBytes, textBytes } from '../database/stored-bytes.ts'
import { type Field, type FieldName, productFields } from './product-fields.ts'
import type { StockSettings } from './stock.ts'

export type FieldColumn = Pick<Field, 'type' | 'isLarge'> & {
  field: FieldName
  name: string
  /** Whether the column holds what the field shows, and not something that the field is looked up by. */
  isPlain: boolean
}

/** The column of each field. */
export const fieldColumns: readonly FieldColumn[] = Object.entries<Field>(productFields).map(
  ([field, { type, isLarge, column = field }]) => ({
    field: field as FieldName,
    name: column,
    type,
    isLarge,
    isPlain: column === field,
  }),
)

/** The settings of the stock are columns too, and part of each version. */
export const settingTypes = {
  tracked: 'boolean',
  low_stock_threshold: 'bigint',
  backorders: 'boolean',
} as const satisfies Record<keyof StockSettings, string>

export function columnList(names: readonly string[], prefix = ''): Sql {
  return raw(names.map((name) => prefix + name).join(', '))
}

const plainNames = fieldColumns.filter(({ isPlain }) => isPlain).map(({ name }) => name)

/** All of a row of `product` but what is looked up elsewhere: its categories. */
export const ownColumns = sql`
  product.id, product.project_id as project, ${columnList(plainNames, 'product.')},
  product.version, product.created_at, product.updated_at,
  ${columnList(Object.keys(settingTypes), 'product.')}, product.quantity, product.reserved, product.inventory_updated_at,
  product.quality_score, product.quality_failed, product.quality_computed_at`

/** How many bytes the large fields of a row have. */
export function largeBytes(table: string): Sql {
  const sizes = fieldColumns
    .filter(({ isLarge }) => isLarge)
    .map(({ name, type }) => (type === 'jsonb' ? jsonbBytes : textBytes)(raw(`${table}.${name}`)))
  return sql`(${join(sizes, ' + ')})`
}
