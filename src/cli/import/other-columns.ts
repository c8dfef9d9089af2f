import { scalarOf } from './cells.ts'
import type { Losses } from './losses.ts'
import type { ProductLine } from './row-lines.ts'

const longestName = 100
const longestValue = 10_000

/**
 * What becomes of the columns that a source does not take: attributes by their names, or losses. A cell that says what it says
 * for every product of a shop that never touched it is no loss.
 */
export function otherColumns(
  header: readonly string[],
  isTaken: (name: string) => boolean,
  { isRestKept, losses, usual = {}, kindOf = (name) => name }: OtherColumns,
): (cells: readonly string[]) => NonNullable<ProductLine['attributes']> {
  const usualValues = new Map(Object.entries(usual))
  const others = [...header.entries()].filter(
    ([, name]) => name !== '' && name !== 'errors' && !isTaken(name),
  )
  return (cells) => {
    const filled = others.filter(([at, name]) => {
      const cell = (cells[at] ?? '').trim()
      return cell !== '' && usualValues.get(kindOf(name)) !== cell.toLowerCase()
    })
    const isKept = ([at]: [number, string]) => isRestKept && (cells[at] ?? '').trim().length <= longestValue
    for (const kind of new Set(filled.filter((one) => !isKept(one)).map(([, name]) => kindOf(name))))
      losses.add(isRestKept ? `${kind}, longer than an attribute may be` : kind)
    return Object.fromEntries(
      filled
        .filter(isKept)
        .map(([at, name]) => [name.slice(0, longestName), scalarOf((cells[at] ?? '').trim())]),
    )
  }
}

type OtherColumns = {
  isRestKept: boolean
  losses: Losses
  /** Values, in lower case, that say nothing of a product, by kind. */
  usual?: Record<string, string>
  /** What columns are counted as, where several are of one kind. */
  kindOf?: (name: string) => string
}
