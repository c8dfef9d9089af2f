import { proposalLimits } from '../../../model/limits/proposals.ts'
import { bulkLimits, type Transaction, type Writable } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { Problem } from '../../../platform/http/problems.ts'
import { checkOpenLimit } from '../create-proposal.ts'
import {
  insertProposal,
  lockErasure,
  type NewProposal,
  type ProposalRow,
  requireProposal,
} from '../proposal.sql.ts'
import { addCounts } from '../proposal-state.ts'

type Reverting = Pick<NewProposal, 'actor' | 'tokenId'> & { projectId: number; id: number }

/** Proposes the inverse of applied lines. A job prepares the lines, starting with the last. */
export function revertProposal(
  writable: Writable,
  { projectId, id, actor, tokenId }: Reverting,
): Promise<ProposalRow> {
  const revert = async (tx: Transaction) => {
    const proposal = await requireProposal(tx, projectId, id)
    if (proposal.state === 'preparing') throw new Problem('proposal_preparing')
    await checkOpenLimit(tx, projectId, tokenId)
    await lockErasure(tx, projectId, false)
    const title = [...`Revert: ${proposal.title}`].slice(0, proposalLimits.titleCharacters).join('')
    const reverting = { title, origin: 'revert', state: 'preparing', actor, tokenId, revertsId: id } as const
    const inverse = await insertProposal(tx, projectId, reverting)
    const lines = await insertInverse(tx, projectId, id, inverse)
    if (lines === 0)
      throw new Problem('proposal_closed', {
        detail: `Proposal ${id} has not changed any product; there is nothing to revert.`,
      })
    await addCounts(tx, projectId, inverse, { lines })
    return requireProposal(tx, projectId, inverse)
  }
  return writable.transaction(revert, { ...bulkLimits, project: projectId })
}

const lastTurn = 2

/**
 * Stores the product of each applied line, and the version or stock change to undo. The last change is undone first, because
 * earlier products may depend on it.
 */
async function insertInverse(
  tx: Transaction,
  projectId: number,
  proposalId: number,
  inverseId: number,
): Promise<number> {
  const [row] = await tx.query(sql<{ count: number }>`
    with inserted as (
      insert into proposal_lines (project_id, proposal_id, line, product_id, sku, turn, state, version, changes)
      select ${projectId}, ${inverseId}, row_number() over (order by turn desc, line desc), product_id, sku, ${lastTurn} - turn,
             'open', version, changes
      from proposal_lines
      where project_id = ${projectId} and proposal_id = ${proposalId} and state = 'applied'
        and (version is not null or changes is not null)
      returning 1
    )
    select count(*) as count from inserted`)
  return row?.count ?? 0
}
