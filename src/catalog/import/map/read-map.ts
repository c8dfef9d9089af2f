import { existsSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { checkInput } from '../../../platform/http/body/check-input.ts'
import { type ColumnMap, forms, isField, MapSchema, type Rule } from './map.schema.ts'

const readyMaps = ['magento', 'akeneo']

/** The map in a file, or one that comes with the program. */
export function readMap(name: string): ColumnMap {
  const isReady = readyMaps.includes(name)
  const path = isReady ? fileURLToPath(new URL(`../../../../maps/${name}.json`, import.meta.url)) : name
  if (!isReady && !existsSync(name))
    throw new Error(`no such file: ${name}; the maps that are there are ${readyMaps.join(' and ')}`)
  if (statSync(path).isDirectory()) throw new Error(`${name} is a folder; name a file with a map`)
  const map = written(parse(name, readFileSync(path, 'utf8').replace(/^\ufeff/, '')))
  if (!(map instanceof Object) || Array.isArray(map))
    throw new Error(`the map ${name} is no object; it begins with {"columns": {`)
  const faults = [...schemaFaults(map), ...ruleFaults(map)]
  if (faults.length > 0) throw new Error(`the map ${name}: ${faults.join('; ')}`)
  return map
}

function parse(name: string, text: string): ColumnMap {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`the map ${name} is not JSON: ${(error as Error).message}`)
  }
}

/** Writes out the columns for which the file names a field alone. */
function written(map: ColumnMap): ColumnMap {
  if (!(map?.columns instanceof Object)) return map
  const columns = Object.entries(map.columns).map(([column, rule]) => [
    column,
    typeof rule === 'string' ? { field: rule } : rule,
  ])
  return { ...map, columns: Object.fromEntries(columns) }
}

function schemaFaults(map: ColumnMap): string[] {
  try {
    checkInput(MapSchema, map)
    return []
  } catch (error) {
    return [(error as Error).message]
  }
}

/** What a schema cannot say: which of the ways of reading a cell go with which field. */
function ruleFaults({ columns, constant = {} }: ColumnMap): string[] {
  const rules = Object.entries(columns ?? {}).filter(
    (entry): entry is [string, Rule] => typeof entry[1]?.field === 'string',
  )
  const faults = rules.flatMap(([column, rule]) =>
    faultsOf(rule).map((fault) => `columns/${column} ${fault}`),
  )
  const unknown = Object.keys(constant).filter((field) => !isField(field))
  const hasSku = rules.some(([, { field }]) => field === 'sku')
  return [
    ...faults,
    ...unknown.map((field) => `constant/${field} is no field`),
    ...(hasSku ? [] : ['columns none of them is the sku']),
  ]
}

function faultsOf({ field = '', split, path, unit, unit_from, usual_unit, type, form }: Rule): string[] {
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
    ...(split !== undefined && !isAttribute && !lists.includes(field) ? [`split is not for ${field}`] : []),
    ...(path !== undefined && field !== 'categories' ? [`path is for categories, not for ${field}`] : []),
    ...(unit !== undefined && !isAttribute ? [`unit is for attributes, not for ${field}`] : []),
    ...(unit_from !== undefined && !isAttribute ? [`unit_from is for attributes, not for ${field}`] : []),
    ...(unit !== undefined && unit_from !== undefined ? ['unit and unit_from exclude each other'] : []),
    ...(usual_unit !== undefined && unit_from === undefined ? ['usual_unit needs unit_from'] : []),
    ...(type !== undefined && !isAttribute ? [`type is for attributes, not for ${field}`] : []),
    ...(form !== undefined && forms[form] !== field ? [`the form ${form} is not for ${field}`] : []),
    ...(form === undefined && field === 'attributes'
      ? ['attributes needs the form pairs, or a name after a dot']
      : []),
    ...(form === undefined && field === 'variants' ? ['variants needs the form variants'] : []),
  ]
}
