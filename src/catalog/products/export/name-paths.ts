import type { Queryable } from '../../../platform/database/database.ts'
import { findPaths } from '../../categories/look-up-categories.sql.ts'

export type WithPaths<Row> = Omit<Row, 'categories'> & { categories: { name: string; path: string[] }[] }

const maxCached = 10_000

/** Replaces the category IDs of rows by names and paths. Each path is read once and cached for later rows. */
export function pathNamer(database: Queryable, projectId: number) {
  let known = new Map<number, string[]>()

  return async <Row extends { categories: number[] }>(rows: Row[]): Promise<WithPaths<Row>[]> => {
    if (known.size > maxCached) known = new Map()
    const missing = new Set(rows.flatMap((row) => row.categories.filter((id) => !known.has(id))))
    for (const [id, path] of await findPaths(database, projectId, [...missing])) known.set(id, path)
    return rows.map((row) => ({
      ...row,
      categories: row.categories.flatMap((id) => {
        const path = known.get(id)
        return path === undefined ? [] : [{ name: path.at(-1) as string, path }]
      }),
    }))
  }
}
