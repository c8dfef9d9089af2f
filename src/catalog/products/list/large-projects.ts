import type { Queryable } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

/** From this share of all products on, an index without the project reads fewer irrelevant entries than one with the project. */
const leastShare = 0.25

export type LargeProjects = { has(projectId: number): boolean; refresh(database: Queryable): Promise<void> }

/** The projects with a large share of all products, according to the statistics of the database. */
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
