import type { Database } from '../../src/platform/database/database.ts'
import { join, raw, sql } from '../../src/platform/database/sql.ts'

/** Tables that background work writes: last use, usage, merged counts, activity of users, scoring, shared rate limits, deliveries, jobs. */
const excluded = [
  'tokens',
  'project_usage',
  'product_counts',
  'actor_activity',
  'scoring_jobs',
  'rate_limit_buckets',
  'webhook_lanes',
  'jobs',
  'event_outbox',
  'event_feed',
]
/** The background moves events from the outbox to the feed without changing them. */
const events = (project: number) => sql`
  select 'events' as name, count(*), sum(hashtextextended(key::text, 0)) as content from (
    select key from event_outbox where project_id = ${project}
    union all select key from event_feed where project_id = ${project}
  ) as recorded`

type Table = { name: string; columns: string }

let tables: Promise<Table[]> | undefined

/** Excludes scores too: the background rescores products. */
function tablesOf(database: Database): Promise<Table[]> {
  return database.query(sql<Table>`
    select table_name as name, string_agg(quote_ident(column_name), ',' order by ordinal_position) as columns
    from information_schema.columns
    where table_schema = 'public' and column_name not like 'quality!_%' escape '!' and table_name <> all(${excluded})
    group by table_name having bool_or(column_name = 'project_id') order by table_name`)
}

type TableDigest = { name: string; count: number; content: string }
export type ProjectRows = readonly TableDigest[]

/** A digest per table of everything that a write to a project could change. A rejected write does not change it. */
export async function projectRows(database: Database, project: number): Promise<ProjectRows> {
  tables ??= tablesOf(database)
  const contents = (await tables).map(
    ({ name, columns }) =>
      sql`select ${name}::text as name, count(*), sum(hashtextextended(row(${raw(columns)})::text, 0)) as content
          from ${raw(name)} where project_id = ${project}`,
  )
  return database.query(
    sql<TableDigest>`${join([...contents, events(project)], ' union all ')} order by name`,
  )
}

/** The tables whose rows differ. */
export function changedTables(before: ProjectRows, after: ProjectRows): string[] {
  return after
    .filter(({ count, content }, at) => count !== before[at]?.count || content !== before[at]?.content)
    .map(({ name }) => name)
}
