import { matchesPattern } from '../map/column-rules.ts'
import type { ColumnMap, Rule } from '../map/map.schema.ts'
import { readMap } from '../map/read-map.ts'
import type { AkeneoAttribute } from './attributes.ts'
import type { Families } from './families.ts'

/** A separator that no category name contains. */
const pathMark = '\u001f'

export type Columns = {
  map: ColumnMap
  /** The Akeneo attribute of each column that becomes an attribute. */
  attributes: Map<string, AkeneoAttribute>
  /** Attributes that become product fields and need no definition. */
  fields: Set<string>
}

/** Builds the map for products and models from the other files. */
export function mapColumns(
  header: readonly string[],
  attributes: ReadonlyMap<string, AkeneoAttribute>,
  families: Families,
  categories: ReadonlyMap<string, string[]>,
): Columns {
  const base = readMap('akeneo')
  const columns: ColumnMap['columns'] = { ...base.columns }
  const found = new Map<string, AkeneoAttribute>()
  const fields = new Set<string>()
  const axes = new Set([...families.axes.values()].flat())
  const isName = nameTest(attributes, families)
  const isKnown = (name: string) =>
    Object.keys(base.columns).some((pattern) => !pattern.startsWith('*') && matchesPattern(pattern, name))
  for (const name of header) {
    const attribute = attributes.get(name.split('-', 1)[0] ?? '')
    if (attribute === undefined || name.endsWith('-unit')) continue
    const rule = isName(attribute)
      ? { field: 'name' }
      : isKnown(name)
        ? undefined
        : ruleOf(attribute, name, header, axes)
    if (rule !== undefined) columns[name] = rule
    if (rule === undefined || !rule.field.startsWith('attributes.')) fields.add(attribute.code)
    else found.set(name, attribute)
  }
  const paths = Object.fromEntries([...categories].map(([code, path]) => [code, path.join(pathMark)]))
  columns['categories'] = { field: 'categories', split: ',', path: pathMark, values: paths }
  columns['family'] = {
    field: 'attributes.family',
    type: 'text',
    values: Object.fromEntries(families.labels),
  }
  return { map: { ...base, columns }, attributes: found, fields }
}

/** If there is no attribute `name`, the label attribute of most families. */
function nameTest(attributes: ReadonlyMap<string, AkeneoAttribute>, { nameAttribute }: Families) {
  const name = attributes.has('name') ? 'name' : nameAttribute
  return ({ code }: AkeneoAttribute) => code === name && code !== 'name'
}

function ruleOf(
  { kind, type, unit, isMultiple, options }: AkeneoAttribute,
  column: string,
  header: readonly string[],
  axes: ReadonlySet<string>,
): Rule {
  if (kind === 'identifier') return { field: 'sku' }
  if (kind === 'image') return { field: 'media' }
  const unitColumn = `${column}-unit`
  // The plain name of an axis distinguishes variants.
  const hasUnit = kind === 'metric' && header.includes(unitColumn) && !axes.has(column)
  return {
    field: `attributes.${column}`,
    type,
    ...(isMultiple && { split: ',' }),
    ...(options.size > 0 && { values: Object.fromEntries(options) }),
    ...(hasUnit && { unit_from: unitColumn, ...(unit !== '' && { usual_unit: unit }) }),
  }
}
