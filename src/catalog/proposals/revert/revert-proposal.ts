import { proposalLimits } from '../../../model/limits/proposals.ts'
import { bulkLimits, type Transaction, type Writable } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { Problem } from '../../../platform/http/problems.ts'
import { refuseTooMany } from '../create-proposal.ts'
import {
  addCounts,
  insertProposal,
  lockErasure,
  type NewProposal,
  type ProposalRow,
  requireProposal,
} from '../proposal.sql.ts'

type Reverting = Pick<NewProposal, 'actor' | 'tokenId'> & { projectId: number; id: number }

/** Proposes the inverse of what is applied of a proposal. Its lines are made in the background, the last of them first. */
export function revertProposal(
  writable: Writable,
  { projectId, id, actor, tokenId }: Reverting,
): Promise<ProposalRow> {
  const revert = async (tx: Transaction) => {
    const proposal = await requireProposal(tx, projectId, id)
    if (proposal.state === 'preparing') throw new Problem('proposal_preparing')
    await refuseTooMany(tx, projectId)
    await lockErasure(tx, projectId, false)
    const title = [...`Revert: ${proposal.title}`].slice(0, proposalLimits.titleCharacters).join('')
    const reverting = { title, origin: 'revert', state: 'preparing', actor, tokenId, revertsId: id } as const
    const inverse = await insertProposal(tx, projectId, reverting)
    const lines = await insertInverse(tx, projectId, id, inverse)
    if (lines === 0)
      throw new Problem('proposal_closed', {
        detail: `Nothing of proposal ${id} has changed a product; there is nothing to take back.`,
      })
    await addCounts(tx, projectId, inverse, { lines })
    return requireProposal(tx, projectId, inverse)
  }
  return writable.transaction(revert, { ...bulkLimits, project: projectId })
}

const lastTurn = 2

/**
 * A line that has written something, and the version that it has made or the stock that it has set. What was written last is taken
 * back first: a product is what others need it to be until they need it no more.
 */
async function insertInverse(
  tx: Transaction,
  projectId: number,
  proposalId: number,
  inverseId: number,
): Promise<number> {
  const [row] = await tx.query(sql<{ count: number }>`
    with kept as (
      insert into proposal_lines (project_id, proposal_id, line, product_id, sku, turn, state, version, changes)
      select ${projectId}, ${inverseId}, row_number() over (order by turn desc, line desc), product_id, sku, ${lastTurn} - turn,
             'open', version, changes
      from proposal_lines
      where project_id = ${projectId} and proposal_id = ${proposalId} and state = 'applied'
        and (version is not null or changes is not null)
      returning 1
    )
    select count(*) as count from kept`)
  return row?.count ?? 0
}
