import { proposalLimits } from '../../../model/limits/proposals.ts'
import { bulkLimits, type Transaction, type Writable } from '../../../platform/database/database.ts'
import { planEachTime, sql } from '../../../platform/database/sql.ts'
import { Problem } from '../../../platform/http/problems.ts'
import { type Filters, matchingProducts } from '../../products/product-filters.ts'
import { refuseTooMany } from '../create-proposal.ts'
import {
  addCounts,
  insertProposal,
  lockErasure,
  type NewProposal,
  type ProposalRow,
  requireProposal,
} from '../proposal.sql.ts'
import type { Edit } from './edit.schema.ts'

type ProposingEdits = Pick<NewProposal, 'title' | 'actor' | 'tokenId'> & {
  projectId: number
  filters: Filters
  edits: readonly Edit[]
}

/** Keeps which products match now; the lines are made of them in the background. */
export function proposeEdits(
  writable: Writable,
  { projectId, filters, edits, ...proposing }: ProposingEdits,
  mostProducts: number = proposalLimits.filteredProducts,
): Promise<ProposalRow> {
  const propose = async (tx: Transaction) => {
    await refuseTooMany(tx, projectId)
    await lockErasure(tx, projectId, false)
    const id = await insertProposal(tx, projectId, {
      ...proposing,
      origin: 'filter',
      state: 'preparing',
      edits,
    })
    const lines = await insertMatching(tx, projectId, id, filters, mostProducts)
    if (lines === 0) throw unfit('too_few', 'matches no product')
    if (lines > mostProducts) {
      const count = await countMatching(tx, projectId, filters)
      throw unfit('too_many', `matches ${count} products, and a proposal takes ${mostProducts}; narrow it`)
    }
    await addCounts(tx, projectId, id, { lines })
    return requireProposal(tx, projectId, id)
  }
  return writable.transaction(propose, { ...bulkLimits, project: projectId })
}

function unfit(code: string, message: string): Problem {
  return new Problem('invalid_body', { errors: [{ pointer: '/filter', code, message }] })
}

/** How many there are, and at most one too many; then none of them is kept. */
async function insertMatching(
  tx: Transaction,
  projectId: number,
  proposalId: number,
  filters: Filters,
  mostProducts: number,
): Promise<number> {
  const [row] = await tx.query(
    planEachTime(sql<{ count: number }>`
      with matched as materialized (
        select product.id, product.sku from products as product where ${matchingProducts(projectId, filters)}
        order by product.id limit ${mostProducts + 1}
      ), kept as (
        insert into proposal_lines (project_id, proposal_id, line, product_id, sku, state)
        select ${projectId}, ${proposalId}, row_number() over (order by id), id, sku, 'open' from matched
        where (select count(*) from matched) <= ${mostProducts}
      )
      select count(*) as count from matched`),
  )
  return row?.count ?? 0
}

async function countMatching(tx: Transaction, projectId: number, filters: Filters): Promise<number> {
  const [row] = await tx.query(
    planEachTime(sql<{ count: number }>`
      select count(*) as count from products as product where ${matchingProducts(projectId, filters)}`),
  )
  return row?.count ?? 0
}
