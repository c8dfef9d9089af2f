import { proposalLimits } from '../../model/limits/proposals.ts'
import type { Transaction, Writable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { walkInBatches } from '../../platform/scheduling/walk-in-batches.ts'
import { type ProposalRow, rowColumns } from './proposal.sql.ts'
import { recordProposalEvents } from './proposal-state.ts'

const author = { actor: 'service', source: 'service' } as const

/** Expires proposals that were not applied in time, and deletes closed ones after a retention period unless lines were applied. */
export async function expireProposals(database: Writable, signal: AbortSignal): Promise<void> {
  await database.transaction(async (tx) => {
    const late = Map.groupBy(
      await expireLate(tx, proposalLimits.expiredProposals),
      ({ project_id }) => project_id,
    )
    for (const [projectId, some] of late) {
      const changes = some.map(({ project_id: _project, ...before }) => ({
        before,
        after: { ...before, state: 'expired' as const },
      }))
      await recordProposalEvents(tx, projectId, author, ...changes)
    }
  })
  await walkInBatches({ signal }, () => deleteClosed(database))
}

/** Returns true if there is nothing to delete. Deletes lines first, in batches. */
function deleteClosed(database: Writable): Promise<true | undefined> {
  return database.transaction(async (tx) => {
    const [old] = await tx.query(sql<{ project_id: number; id: number }>`
      select project_id, id from proposals
      where closed_at <= clock_timestamp() - ${proposalLimits.closedDays} * interval '1 day' and state in ('discarded', 'expired', 'failed')
      order by closed_at limit 1 for update skip locked`)
    if (old === undefined) return true
    const { project_id, id } = old
    const lines = await tx.query(sql`
      delete from proposal_lines where ctid = any(array(
        select ctid from proposal_lines where project_id = ${project_id} and proposal_id = ${id} limit ${proposalLimits.deletedLines}))
      returning 1`)
    if (lines.length === 0)
      await tx.query(sql`delete from proposals where project_id = ${project_id} and id = ${id}`)
    return undefined
  })
}

/** Expires and locks late proposals without applied lines, and returns them as they were before. */
async function expireLate(tx: Transaction, limit: number): Promise<(ProposalRow & { project_id: number })[]> {
  const late = await tx.query(sql<ProposalRow & { project_id: number }>`
    select project_id, ${rowColumns} from proposals as proposal
    where expires_at <= clock_timestamp() and (
      state in ('preparing', 'open', 'applying') or state = 'partly_applied' and applied = 0)
    order by expires_at limit ${limit} for no key update skip locked`)
  if (late.length === 0) return []
  const projects = late.map(({ project_id }) => project_id)
  const ids = late.map(({ id }) => id)
  await tx.query(sql`
    update proposals set state = 'expired', closed_at = case when applied = 0 then clock_timestamp() end
    where (project_id, id) in (select * from unnest(${projects}::bigint[], ${ids}::bigint[]))`)
  return late
}
