import type { Queryable } from '../../platform/database/database.ts'
import { planEachTime, sql } from '../../platform/database/sql.ts'
import { type Page, type PageRequest, selectPage } from '../../platform/database/statements/select-page.ts'
import { versionNumber } from './prompt-version.sql.ts'
import type { LatestVersion, VersionSummary } from './version-summary.schema.ts'

const columns = sql`${versionNumber} as version_number, version.message, version.actor, version.created_at`
const latestFirst = sql`version.major desc, version.minor desc, version.patch desc`

/** Latest first. */
export function listVersionSummaries(
  database: Queryable,
  projectId: number,
  promptId: number,
  page: PageRequest,
): Promise<Page<VersionSummary>> {
  return selectPage(database, {
    columns,
    from: sql`prompt_versions as version`,
    where: sql`version.project_id = ${projectId} and version.prompt_id = ${promptId}`,
    orderBy: latestFirst,
    page,
  })
}

/** The latest version of each of the prompts that the project has. */
export function listLatestVersions(
  database: Queryable,
  projectId: number,
  promptIds: readonly number[],
): Promise<LatestVersion[]> {
  return database.query(
    planEachTime(sql<LatestVersion>`
      select named.id as prompt, latest.*
      from unnest(${promptIds}::bigint[]) as named (id)
      cross join lateral (
        select ${columns} from prompt_versions as version
        where version.project_id = ${projectId} and version.prompt_id = named.id
        order by ${latestFirst} limit 1
      ) as latest`),
  )
}
