import { isViewColumn } from '../../../model/files/view-columns.ts'
import { matchesPattern } from '../map/column-rules.ts'
import { viewFinder } from '../map/find-view.ts'
import type { ColumnMap, Rule } from '../map/map.schema.ts'
import { readMap } from '../map/read-map.ts'
import type { SourceContext } from '../rows/source-context.ts'
import type { AkeneoAttribute } from './attributes.ts'
import type { Families } from './families.ts'

/** A separator that no category name contains. */
const pathMark = '\u001f'

/** What decides whether a column belongs to a view. */
export type Languages = Pick<SourceContext, 'views' | 'locale'>

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
  languages: Languages,
): Columns {
  const base = readMap('akeneo')
  const columns: ColumnMap['columns'] = { ...base.columns }
  const found = new Map<string, AkeneoAttribute>()
  const fields = new Set<string>()
  const axes = new Set([...families.axes.values()].flat())
  const isName = nameTest(attributes, families)
  const viewOf = viewTest(base, languages)
  // An attribute with values in views has the same name in the base.
  const inViews = new Set(
    header.flatMap((name) => {
      const attribute = attributes.get(codeOf(name))
      return attribute !== undefined && viewOf(attribute, name) !== undefined ? [attribute.code] : []
    }),
  )
  const isKnown = (name: string) =>
    Object.keys(base.columns).some((pattern) => !pattern.startsWith('*') && matchesPattern(pattern, name))
  for (const name of header) {
    const attribute = attributes.get(codeOf(name))
    if (attribute === undefined || name.endsWith('-unit')) continue
    const named = inViews.has(attribute.code) ? attribute.code : name
    const rule = isName(attribute)
      ? { field: 'name' }
      : isKnown(name)
        ? undefined
        : ruleOf(attribute, { column: name, named }, header, axes)
    const view = viewOf(attribute, name)
    if (rule !== undefined)
      columns[name] = view !== undefined && isViewColumn(rule.field) ? { ...rule, view } : rule
    if (rule === undefined || !rule.field.startsWith('attributes.')) fields.add(attribute.code)
    else found.set(named, attribute)
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

/** The code of the attribute in `color-de_DE`. */
function codeOf(column: string): string {
  return column.split('-', 1)[0] ?? ''
}

/** Columns of the preferred language belong to the base, and amounts stay apart by currency. */
function viewTest(map: ColumnMap, { views, locale }: Languages) {
  const findView = viewFinder(map, views)
  return ({ code, kind }: AkeneoAttribute, column: string): string | undefined => {
    const suffix = column.slice(code.length + 1)
    if (suffix === '' || kind === 'price_collection' || suffix.split('-').includes(locale ?? ''))
      return undefined
    const [view, other] = findView(suffix)
    return other === undefined ? view : undefined
  }
}

/** If there is no attribute `name`, the label attribute of most families. */
function nameTest(attributes: ReadonlyMap<string, AkeneoAttribute>, { nameAttribute }: Families) {
  const name = attributes.has('name') ? 'name' : nameAttribute
  return ({ code }: AkeneoAttribute) => code === name && code !== 'name'
}

function ruleOf(
  { kind, type, unit, isMultiple, options }: AkeneoAttribute,
  { column, named }: { column: string; named: string },
  header: readonly string[],
  axes: ReadonlySet<string>,
): Rule {
  if (kind === 'identifier') return { field: 'sku' }
  if (kind === 'image') return { field: 'media' }
  const unitColumn = `${column}-unit`
  // The plain name of an axis distinguishes variants.
  const hasUnit = kind === 'metric' && header.includes(unitColumn) && !axes.has(column)
  return {
    field: `attributes.${named}`,
    type,
    ...(isMultiple && { split: ',' }),
    ...(options.size > 0 && { values: Object.fromEntries(options) }),
    ...(hasUnit && { unit_from: unitColumn, ...(unit !== '' && { usual_unit: unit }) }),
  }
}
