import { join, raw, type Sql, sql } from '../../platform/database/sql.ts'
import { columnValue, type SentColumn } from '../../platform/database/statements/column-rows.ts'
import { jsonValue } from '../../platform/database/statements/json-rows.ts'
import { jsonbBytes, textBytes } from '../../platform/database/statements/stored-bytes.ts'
import type { Field } from '../fields/field.ts'
import { type FieldName, fieldEntries } from '../fields/product-fields.ts'
import type { StockSettings } from './stock.ts'

export type FieldColumn = Pick<Field, 'type' | 'isLarge' | 'isRare' | 'isBoundLater' | 'default'> & {
  field: FieldName
  name: string
  /** Whether the column stores the value itself, not a key to look it up by. */
  isPlain: boolean
}

/** The column of each field. */
export const fieldColumns: readonly FieldColumn[] = fieldEntries.map(
  ([field, { type, isLarge, isRare, isBoundLater, column = field, ...own }]) => ({
    field,
    name: column,
    type,
    isLarge,
    ...(isRare && { isRare, default: own.default }),
    ...(isBoundLater && { isBoundLater }),
    isPlain: column === field,
  }),
)

/** Stock settings are columns too, and part of each version. */
const settingTypes = {
  tracked: 'boolean',
  low_stock_threshold: 'bigint',
  backorders: 'boolean',
} as const satisfies Record<keyof StockSettings, string>

export const settingNames = Object.keys(settingTypes)

export function columnList(names: readonly string[], prefix = ''): Sql {
  return raw(names.map((name) => prefix + name).join(', '))
}

/** The columns that responses are built from. */
export const productColumnNames = [
  'id',
  ...fieldColumns.filter(({ isPlain }) => isPlain).map(({ name }) => name),
  ...settingNames,
  'quantity',
  'reserved',
  'version',
  'created_at',
  'updated_at',
  'inventory_updated_at',
  'quality_score',
  'quality_failed',
  'quality_computed_at',
  'quality_ruleset',
  'provenance',
  'views',
  'view_offers',
]

/** All columns of a row of `product`, except the categories, which come from another table. */
export const productColumns = sql`product.project_id as project, ${columnList(productColumnNames, 'product.')}`

/** The categories of a row of `product`. An array of rows costs a quarter of json_agg over objects. */
export const namedCategories = sql`to_json(array(
    select row(category.id, category.name)::named_category from categories as category
    where category.project_id = product.project_id and category.id = any(product.category_ids)
    order by array_position(product.category_ids, category.id)
  ))`

/** The size of the large fields of a row in bytes. The caller chooses how to measure jsonb. */
export function largeBytes(table: string, measureJson = jsonbBytes): Sql {
  const sizes = fieldColumns
    .filter(({ isLarge }) => isLarge)
    .map(({ name, type }) => (type === 'jsonb' ? measureJson : textBytes)(raw(`${table}.${name}`)))
  // Null unless the product has values in views.
  const views = sql`coalesce(${measureJson(raw(`${table}.views`))}, 0)`
  return sql`(${join([...sizes, views], ' + ')})`
}

/* The columns that writes set. */

const settings = Object.entries(settingTypes).map(([name, type]) => ({ name, type }))
/** Columns that are derived from the content, and stock levels. */
const derivedColumns = [
  { name: 'search_text', type: 'text' },
  { name: 'quantity', type: 'bigint' },
  { name: 'reserved', type: 'bigint' },
  { name: 'quality_score', type: 'smallint' },
  { name: 'quality_failed', type: 'text[]' },
  { name: 'quality_ruleset', type: 'integer' },
]
/** Null unless a view has values. A write sends them only if it changes them. */
const viewColumns = [
  ...['views', 'view_offers'].map((name) => ({ name, type: 'jsonb' })),
  { name: 'view_marks', type: 'text[]' },
].map((column) => ({ ...column, isRare: true, isBoundLater: true, default: null }))
const written = [...fieldColumns, ...settings, ...derivedColumns, ...viewColumns]

const common = written.filter((column) => !('isRare' in column))

/** The columns that a new product sets. Those of rare fields are omitted if all products have the defaults. */
export function insertedColumns(hasRare: boolean): SentColumn[] {
  return hasRare ? written : common
}

/** The value of such a column in a row of `line`. */
export function insertedValue(column: SentColumn): Sql {
  const value = columnValue(column)
  const { isRare, default: standard = null } = column as Partial<FieldColumn>
  const own =
    isRare && standard !== null ? sql`coalesce(${value}, ${raw(`'${JSON.stringify(standard)}'`)})` : value
  return sql`${own} as ${raw(column.name)}`
}

function lineValue({ name, type, isNullable }: { name: string; type: string; isNullable?: boolean }): Sql {
  const value = jsonValue('line', name, type)
  return isNullable ? sql`nullif(${value}, 'null') as ${raw(name)}` : sql`${value} as ${raw(name)}`
}

/** From a line with a changed product. */
export const changedValues = [
  ...['id', 'version', 'steps'].map((name) => ({ name, type: 'bigint' })),
  // A null of JSON is not the null of a column.
  ...written.map((column) => ({
    ...column,
    isNullable: 'default' in column && column.default === null && !('isBoundLater' in column),
  })),
].map(lineValue)

/** Columns that a null in the input leaves unchanged: large fields, links, search text, stock levels and the score. */
const keepWhenNull = new Set([
  ...fieldColumns.filter(({ isLarge, isPlain }) => isLarge || !isPlain).map(({ name }) => name),
  'search_text',
  'quantity',
  'reserved',
  'quality_score',
  'quality_failed',
  'quality_ruleset',
])
/** With the input that means null. */
const boundLater = new Map<string, string>(
  [...fieldColumns, ...viewColumns]
    .filter(({ isBoundLater }) => isBoundLater)
    .map(({ name, type }) => [name, type === 'jsonb' ? 'null' : '{}']),
)
export const assignments = written.map(({ name }) => raw(`${name} = ${valueAfter(name)}`))

function valueAfter(name: string): string {
  const empty = boundLater.get(name)
  if (empty !== undefined)
    return `case when input.${name} is null then product.${name} else nullif(input.${name}, '${empty}') end`
  return keepWhenNull.has(name) ? `coalesce(input.${name}, product.${name})` : `input.${name}`
}
