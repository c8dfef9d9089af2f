import type { Queryable } from '../database/database.ts'
import { sql } from '../database/sql.ts'

const daysOfFailures = 30

/** Jobs that ran out of attempts stay visible for a month. */
export async function deleteOldFailures(database: Queryable): Promise<void> {
  await database.query(sql`
    delete from jobs where failed_at < clock_timestamp() - ${daysOfFailures} * interval '1 day'`)
}
