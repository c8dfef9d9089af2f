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

/** The columns of a row that answers are made of. */
export const ownNames = [
  'id',
  ...fieldColumns.filter(({ isPlain }) => isPlain).map(({ name }) => name),
  ...Object.keys(settingTypes),
  'quantity',
  'reserved',
  'version',
  'created_at',
  'updated_at',
  'inventory_updated_at',
  'quality_score',
  'quality_failed',
  'quality_computed_at',
]

/** All of a row of `product` but what is looked up elsewhere: its categories. */
export const ownColumns = sql`product.project_id as project, ${columnList(ownNames, 'product.')}`

/** How many bytes the large fields of a row have; a jsonb is measured as the caller likes. */
export function largeBytes(table: string, measureJson = jsonbBytes): Sql {
  const sizes = fieldColumns
    .filter(({ isLarge }) => isLarge)
    .map(({ name, type }) => (type === 'jsonb' ? measureJson : textBytes)(raw(`${table}.${name}`)))
  return sql`(${join(sizes, ' + ')})`
}
