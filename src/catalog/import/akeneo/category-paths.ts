import { categoryLimits } from '../../../model/limits/categories.ts'
import { withoutEntities } from '../rows/cells.ts'
import { distinctNames, dropOthers, labelOf, type Table, toOneLine } from './tables.ts'

/** Category paths by code. */
export function categoryPaths(table: Table | undefined, locale: string | undefined): Map<string, string[]> {
  if (table === undefined) return new Map()
  const parents = new Map<string, string>()
  const labels = new Map<string, Map<string, string>>()
  for (const cell of table.rows) {
    table.tally.beginRow()
    const [code, parent] = [cell('code'), cell('parent')]
    dropOthers(table, cell, ['code', 'parent'])
    parents.set(code, parent)
    labels.getOrInsert(parent, new Map()).set(code, toOneLine(withoutEntities(labelOf(table, cell, locale))))
  }
  // Only siblings need different names.
  const names = new Map([...labels.values()].flatMap((siblings) => [...distinctNames(siblings)]))
  return new Map([...parents.keys()].map((code) => [code, pathTo(code, parents, names, table)]))
}

function pathTo(
  code: string,
  parents: ReadonlyMap<string, string>,
  names: ReadonlyMap<string, string>,
  { tally }: Table,
): string[] {
  const path: string[] = []
  for (let at = code; at !== ''; at = parents.get(at) ?? '') {
    path.unshift(names.get(at) ?? at)
    if (path.length > parents.size)
      throw new Error(
        `the category ${code} is its own ancestor; correct the column "parent" of the categories`,
      )
  }
  if (path.length <= categoryLimits.levels) return path
  tally.beginRow()
  tally.drop('code', `deeper than ${categoryLimits.levels} levels; its products are in a category above`)
  return path.slice(0, categoryLimits.levels)
}
