import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

/** Reverts of reverts that are followed: people undo and redo a few times, not without end. */
const longestChain = 50

/**
 * What took back the changes of `proposal`, as JSON; null while they stand. A revert takes them back, a revert of that
 * revert makes them again, and so on: of all that have written something, the one that was applied last decides. A
 * subquery, so that a list computes it after its limit.
 */
export const revertedBy = sql`(
  with recursive later as (
    select revert.id, revert.state, revert.applied_at, 1 as depth from proposals as revert
    where revert.project_id = proposal.project_id and revert.reverts_id = proposal.id and revert.applied > 0
    union all
    select revert.id, revert.state, revert.applied_at, later.depth + 1
    from later join proposals as revert on revert.project_id = proposal.project_id and revert.reverts_id = later.id
    where revert.applied > 0 and later.depth < ${longestChain}
  ), last as (
    select depth % 2 = 1 as is_undo, state = 'applied' as is_whole from later order by applied_at desc, id desc limit 1
  )
  select json_build_object('id', (select max(id) from later where depth = 1), 'fully', is_undo and is_whole)
  from last where is_undo or not is_whole
)`

/** The proposal that a revert takes back, what that one takes back where it is a revert too, and so on. */
export async function listReverted(
  database: Queryable,
  projectId: number,
  reverts: number | null,
): Promise<number[]> {
  if (reverts === null) return []
  const rows = await database.query(sql<{ id: number }>`
    with recursive earlier as (
      select id, reverts_id, 1 as depth from proposals where project_id = ${projectId} and id = ${reverts}
      union all
      select proposal.id, proposal.reverts_id, earlier.depth + 1
      from earlier join proposals as proposal on proposal.project_id = ${projectId} and proposal.id = earlier.reverts_id
      where earlier.depth < ${longestChain}
    )
    select id from earlier`)
  return rows.map(({ id }) => id)
}
