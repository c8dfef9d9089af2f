import { otherColumns } from '../rows/other-columns.ts'
import type { SourceContext } from '../rows/source-context.ts'
import { matchesPattern } from './column-rules.ts'
import type { ColumnMap } from './map.schema.ts'
import type { ColumnRule } from './map-cell.ts'

/** Handles columns without a rule. Unknown columns are an error, unless --rest imports them. */
export function unmappedColumns(
  map: ColumnMap,
  header: readonly string[],
  rules: Map<string, ColumnRule>,
  context: SourceContext,
) {
  const units = new Set([...rules.values()].flatMap(({ unit_from }) => unit_from ?? []))
  const isLeftOut = (name: string) => map.columns[name] === null
  const isIgnored = (name: string) => (map.ignore ?? []).some((pattern) => matchesPattern(pattern, name))
  const isKnown = (name: string) => rules.has(name) || units.has(name)
  const isUnknown = (name: string) => !isKnown(name) && !isLeftOut(name) && !isIgnored(name)
  if (!context.keepsRest)
    rejectUnknown(header.filter((name) => isUnknown(name) && name !== 'errors' && name !== ''))
  if (![...rules.values()].some(({ field }) => field === 'sku'))
    throw new Error(
      'the file has none of the columns that the map assigns to sku; assign one of its columns to sku',
    )
  const dropping = { ...context, keepsRest: false }
  const rest = otherColumns(header, (name) => !isUnknown(name), { context, reason: 'not imported' })
  const leftOut = otherColumns(header, (name) => isKnown(name) || !isLeftOut(name), {
    context: dropping,
    reason: 'set to null in the map',
  })
  const ignored = otherColumns(header, (name) => isKnown(name) || isLeftOut(name) || !isIgnored(name), {
    context: dropping,
    reason: 'ignored by the map',
  })
  return (cells: readonly string[]) => ({ ...leftOut(cells), ...ignored(cells), ...rest(cells) })
}

function rejectUnknown(names: string[]): void {
  if (names.length === 0) return
  const quoted = names.map((name) => `"${name}"`).join(', ')
  throw new Error(
    `the map does not contain these columns: ${quoted}; add them to the map (null drops a column), or import them with --rest attributes`,
  )
}
