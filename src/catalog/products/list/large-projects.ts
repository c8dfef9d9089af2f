import type { Queryable } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

/** From this part of all products on, an index that knows no projects finds less that is not the project's than an index that does has to pass over. */
const leastShare = 0.25

export type LargeProjects = { has(projectId: number): boolean; refresh(database: Queryable): Promise<void> }

/** Which projects hold a good part of all products, by the server's own statistics. */
export function watchLargeProjects(): LargeProjects {
  let known = new Set<number>()
  return {
    has: (projectId) => known.has(projectId),
    async refresh(database) {
      const found = await database.query(sql<{ project: number }>`
        select project from pg_stats,
          unnest(most_common_vals::text::bigint[], most_common_freqs) as common (project, share)
        where schemaname = current_schema() and tablename = 'products' and attname = 'project_id' and share >= ${leastShare}`)
      known = new Set(found.map(({ project }) => project))
    },
  }
}
