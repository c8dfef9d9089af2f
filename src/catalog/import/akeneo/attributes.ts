import type { CellType } from '../rows/cell-types.ts'
import type { Cell } from '../rows/cells.ts'
import { distinctNames, dropOthers, labelColumnOf, labelOf, type Table, toOneLine } from './tables.ts'

/** The imported part of an Akeneo attribute. */
export type AkeneoAttribute = {
  code: string
  label: string
  group: string | null
  position: number
  kind: string
  /** How to read its values. */
  type: CellType
  isMultiple: boolean
  unit: string
  /** Labels by option code. */
  options: Map<string, string>
  cell: Cell
  labelColumn: string
}

const taken = [
  'code',
  'type',
  'group',
  'sort_order',
  'default_metric_unit',
  'date_min',
  'date_max',
  'number_min',
  'number_max',
  'negative_allowed',
  'max_characters',
  'validation_regexp',
  'validation_rule',
]

export function readAttributes(
  table: Table | undefined,
  options: Table | undefined,
  groups: Table | undefined,
  locale: string | undefined,
): Map<string, AkeneoAttribute> {
  const groupLabels = new Map<string, string>()
  for (const cell of groups?.rows ?? []) {
    groups?.tally.beginRow()
    dropOthers(groups as Table, cell, ['code'])
    groupLabels.set(cell('code'), toOneLine(labelOf(groups as Table, cell, locale)))
  }
  const optionLabels = readOptions(options, locale)
  const attributes = new Map<string, AkeneoAttribute>()
  for (const cell of table?.rows ?? []) {
    table?.tally.beginRow()
    dropOthers(table as Table, cell, taken)
    const code = cell('code')
    const label = toOneLine(labelOf(table as Table, cell, locale))
    attributes.set(code, {
      ...{ code, label, cell, labelColumn: labelColumnOf(table as Table, cell, locale) ?? 'code' },
      kind: cell('type').replace(/^pim_(catalog|reference_data)_/, ''),
      group: cell('group') === '' ? null : (groupLabels.get(cell('group')) ?? cell('group')),
      position: /^\d{1,6}$/.test(cell('sort_order')) ? Number(cell('sort_order')) : 0,
      type: typeOf(cell('type')),
      isMultiple: /multiselect|collection$/.test(cell('type')) && !cell('type').includes('price'),
      unit: cell('default_metric_unit'),
      options: optionLabels.get(code) ?? new Map(),
    })
  }
  return attributes
}

/** The columns that define an attribute. */
export function usedColumns({ labelColumn }: AkeneoAttribute): string[] {
  return [...taken.filter((name) => name !== 'code'), labelColumn]
}

function typeOf(kind: string): CellType {
  if (/_(number|metric|price_collection)$/.test(kind)) return 'number'
  return kind.endsWith('_boolean') ? 'boolean' : 'text'
}

function readOptions(table: Table | undefined, locale: string | undefined): Map<string, Map<string, string>> {
  const labels = new Map<string, Map<string, string>>()
  for (const cell of table?.rows ?? []) {
    table?.tally.beginRow()
    dropOthers(table as Table, cell, ['code', 'attribute', 'sort_order'])
    const label = toOneLine(labelOf(table as Table, cell, locale))
    if (label !== cell('code')) table?.tally.change('code', 'products store the option label')
    labels.getOrInsert(cell('attribute'), new Map()).set(cell('code'), label)
  }
  return new Map([...labels].map(([attribute, options]) => [attribute, distinctNames(options)]))
}
