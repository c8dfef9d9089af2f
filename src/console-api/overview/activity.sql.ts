import type { Queryable } from '../../platform/database/database.ts'
import { broad, raw, type Sql, sql } from '../../platform/database/sql.ts'
import type { Activity, DayOfActivity } from './overview.schema.ts'

/** Limits the work to this many index entries (0.2 seconds). If more products changed in 30 days, the earlier days are not counted. */
const maxCounted = 200_000

/** The UTC day of a time. In hours, because a day of the server's time zone can be longer or shorter. */
const dayOf = (time: Sql) => sql`date_bin('24 hours', ${time}, '2020-01-01T00:00:00Z'::timestamptz)`
const today = dayOf(sql`now()`)
const firstDay = sql`${today} - 29 * interval '24 hours'`

/** The newest products by a time, with its day, up to the limit. Reads only one index. */
function newest(projectId: number, time: 'created_at' | 'updated_at', most: number): Sql {
  const column = raw(time)
  return sql`(
    select id, ${dayOf(column)} as day from products
    where project_id = ${projectId} and ${column} >= ${firstDay}
    order by ${column} desc, id desc limit ${most + 1})`
}

/**
 * The number of products created on each day, and of those last changed on it. The history has every change, but no index by time, and
 * such an index would slow down every write. Only two indexes are read, which are a small part of the table.
 */
export async function countActivity(
  database: Queryable,
  projectId: number,
  most = maxCounted,
): Promise<Activity> {
  const created = newest(projectId, 'created_at', most)
  const days = await database.query(
    broad(sql<DayOfActivity>`
      with made as (select day, count(*) as count from ${created} as created group by day),
      written as (
        select day, count(*) as count, count(*) filter (where created.id is null) as changed
        from ${newest(projectId, 'updated_at', most)} as written left join ${created} as created using (id, day)
        group by day
      ),
      -- The day on which the limit was reached: it and earlier days are not counted.
      known as (
        select greatest(
          (select case when sum(count) > ${most} then min(day) end from made),
          (select case when sum(count) > ${most} then min(day) end from written)) as after
      )
      select to_char(days.day at time zone 'utc', 'YYYY-MM-DD') as day,
             case when known.after >= days.day then null else coalesce(made.count, 0) end as created,
             case when known.after >= days.day then null else coalesce(written.changed, 0) end as changed
      from known, generate_series(${firstDay}, ${today}, interval '24 hours') as days (day)
      left join made on made.day = days.day
      left join written on written.day = days.day
      order by days.day`),
  )
  return { days, most_counted: most }
}
