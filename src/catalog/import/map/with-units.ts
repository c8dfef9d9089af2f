import type { ColumnMap, Rule } from './map.schema.ts'

/** Adds the units from --unit to the map: `weight=kg`. */
export function withUnits(map: ColumnMap, units: readonly string[] = []): ColumnMap {
  const columns = { ...map.columns }
  for (const text of units) {
    const [column = '', unit = ''] = text.split('=', 2).map((part) => part.trim())
    const rule: Rule | null | undefined = columns[column]
    if (column === '' || unit === '' || unit.length > 30)
      throw new Error(`--unit must be a column and its unit, such as weight=kg, not "${text}"`)
    if (!rule?.field.startsWith('attributes.'))
      throw new Error(
        `--unit: the map assigns no attribute to the column "${column}"; use a column that is an attribute in the map`,
      )
    columns[column] = { ...rule, unit }
  }
  return { ...map, columns }
}
