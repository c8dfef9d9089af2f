import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { JobEnd, JobKey } from '../../platform/jobs/job.ts'
import { failPreparation, type ProposalKey, preparationKind, resumePreparation } from './preparation.sql.ts'
import { requireProposal } from './proposal.sql.ts'
import { tellProposals } from './tell-proposal.ts'

export function proposalOf({ projectId, key }: JobKey): ProposalKey {
  return { projectId, id: Number(key) }
}

/** A proposal that cannot be prepared fails, and says why. */
export const preparationEnd: JobEnd = {
  async giveUp(tx, job, reason) {
    const proposal = proposalOf(job)
    if (!(await failPreparation(tx, proposal, reason))) return
    const after = await requireProposal(tx, proposal.projectId, proposal.id)
    const author = { actor: after.actor, source: 'service' } as const
    await tellProposals(tx, proposal.projectId, author, { before: null, after })
  },
  revive: (tx, job) => resumePreparation(tx, proposalOf(job)),
}

/** Requests jobs for proposals that have none: an older release made them, or they come from a backup. */
export async function requestMissingPreparations(database: Queryable): Promise<void> {
  await database.query(sql`
    insert into jobs (project_id, kind, key)
    select project_id, ${preparationKind}, id::text from proposals where state = 'preparing'
    on conflict do nothing`)
}
