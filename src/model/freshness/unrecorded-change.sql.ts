import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

/**
 * For a transaction that changes what responses show without an event, such as scores: stored responses of the projects are dropped
 * from its commit on. Call it before the transaction locks products or jobs, because a ruleset change locks its project first.
 */
export async function markUnrecordedChange(tx: Queryable, projectIds: readonly number[]): Promise<void> {
  await tx.query(sql`
    update projects set unrecorded_change = gen_random_uuid()
    where id = any(array(
      -- In order, so that two transactions do not wait for each other.
      select id from projects where id = any(${[...new Set(projectIds)]}::bigint[]) order by id for no key update))`)
}

/** As above, for all projects. */
export async function markUnrecordedChanges(tx: Queryable): Promise<void> {
  await tx.query(sql`
    update projects set unrecorded_change = gen_random_uuid()
    where id = any(array(select id from projects order by id for no key update))`)
}
