import { existsSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isViewColumn } from '../../../model/files/view-columns.ts'
import { checkInput } from '../../../platform/http/body/check-input.ts'
import { type ColumnMap, forms, isField, MapSchema, type Rule } from './map.schema.ts'

const readyMaps = ['magento', 'akeneo']

/** Reads a map file or an included map. */
export function readMap(name: string): ColumnMap {
  const isReady = readyMaps.includes(name)
  const path = isReady ? fileURLToPath(new URL(`../../../../maps/${name}.json`, import.meta.url)) : name
  if (!isReady && !existsSync(name))
    throw new Error(`no such file: ${name}; the included maps are ${readyMaps.join(' and ')}`)
  if (statSync(path).isDirectory()) throw new Error(`${name} is a folder; specify a map file`)
  const map = written(parse(name, readFileSync(path, 'utf8').replace(/^\ufeff/, '')))
  if (!(map instanceof Object) || Array.isArray(map))
    throw new Error(`the map ${name} must be an object that starts with {"columns": {`)
  const errors = [...schemaErrors(map), ...ruleErrors(map)]
  if (errors.length > 0) throw new Error(`the map ${name}: ${errors.join('; ')}`)
  return map
}

function parse(name: string, text: string): ColumnMap {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`the map ${name} is not valid JSON: ${(error as Error).message}`)
  }
}

/** Expands columns that are given as a field name. */
function written(map: ColumnMap): ColumnMap {
  if (!(map?.columns instanceof Object)) return map
  const columns = Object.entries(map.columns).map(([column, rule]) => [
    column,
    typeof rule === 'string' ? { field: rule } : rule,
  ])
  return { ...map, columns: Object.fromEntries(columns) }
}

function schemaErrors(map: ColumnMap): string[] {
  try {
    checkInput(MapSchema, map)
    return []
  } catch (error) {
    return [(error as Error).message]
  }
}

/** Checks what the schema cannot: which options apply to which field. */
function ruleErrors({ columns, constant = {} }: ColumnMap): string[] {
  const rules = Object.entries(columns ?? {}).filter(
    (entry): entry is [string, Rule] => typeof entry[1]?.field === 'string',
  )
  const errors = rules.flatMap(([column, rule]) =>
    errorsOf(rule).map((error) => `columns/${column} ${error}`),
  )
  const unknown = Object.keys(constant).filter((field) => !isField(field))
  const hasSku = rules.some(([, { field }]) => field === 'sku')
  return [
    ...errors,
    ...unknown.map((field) => `constant/${field} is not a field`),
    ...(hasSku ? [] : ['columns must assign one column to sku']),
  ]
}

function errorsOf({
  field = '',
  view,
  split,
  path,
  unit,
  unit_from,
  usual_unit,
  type,
  form,
}: Rule): string[] {
  const isAttribute = field.startsWith('attributes.')
  const lists = [
    'categories',
    'media',
    'components',
    'variant_axes',
    'links.related',
    'links.upsell',
    'links.cross_sell',
  ]
  return [
    ...(view !== undefined && !isViewColumn(field)
      ? [`view does not apply to ${field}, which is the same in every view`]
      : []),
    ...(split !== undefined && !isAttribute && !lists.includes(field)
      ? [`split does not apply to ${field}`]
      : []),
    ...(path !== undefined && field !== 'categories'
      ? [`path applies only to categories, not to ${field}`]
      : []),
    ...(unit !== undefined && !isAttribute ? [`unit applies only to attributes, not to ${field}`] : []),
    ...(unit_from !== undefined && !isAttribute
      ? [`unit_from applies only to attributes, not to ${field}`]
      : []),
    ...(unit !== undefined && unit_from !== undefined ? ['use either unit or unit_from, not both'] : []),
    ...(usual_unit !== undefined && unit_from === undefined ? ['usual_unit requires unit_from'] : []),
    ...(type !== undefined && !isAttribute ? [`type applies only to attributes, not to ${field}`] : []),
    ...(form !== undefined && forms[form] !== field ? [`form ${form} does not apply to ${field}`] : []),
    ...(form === undefined && field === 'attributes'
      ? ['attributes requires the form pairs or a name, such as attributes.color']
      : []),
    ...(form === undefined && field === 'variants' ? ['variants requires the form variants'] : []),
  ]
}
