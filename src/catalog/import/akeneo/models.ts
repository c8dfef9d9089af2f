import type { Cell } from '../rows/cells.ts'
import type { Table } from './tables.ts'

/** A model between the top model and the variants, which inherit its values. */
export type MiddleModel = { code: string; root: string; cell: Cell; isUsed: boolean }

/** Models whose parent is a model. A catalog has only one level of variants, below the top model. */
export function middleModels(table: Table | undefined): Map<string, MiddleModel> {
  const parents = new Map((table?.rows ?? []).map((cell) => [cell('code'), cell('parent')]))
  const rootOf = (code: string): string => {
    let at = code
    for (let depth = 0; depth < 10 && (parents.get(at) ?? '') !== ''; depth += 1) at = parents.get(at) ?? ''
    return at
  }
  const middle = (table?.rows ?? []).filter((cell) => cell('parent') !== '')
  return new Map(
    middle.map((cell) => [
      cell('code'),
      { code: cell('code'), root: rootOf(cell('code')), cell, isUsed: false },
    ]),
  )
}
