import { proposalLimits } from '../../../model/limits/proposals.ts'
import { bulkLimits, type Transaction, type Writable } from '../../../platform/database/database.ts'
import { planEachTime, sql } from '../../../platform/database/sql.ts'
import { Problem } from '../../../platform/http/problems.ts'
import { type Filters, matchingProducts } from '../../products/product-filters.ts'
import { checkOpenLimit } from '../create-proposal.ts'
import {
  insertProposal,
  lockErasure,
  type NewProposal,
  type ProposalRow,
  requireProposal,
} from '../proposal.sql.ts'
import { addCounts } from '../proposal-state.ts'
import type { Edit } from './edit.schema.ts'

type ProposingEdits = Pick<NewProposal, 'title' | 'actor' | 'tokenId'> & {
  projectId: number
  filters: Filters
  edits: readonly Edit[]
}

/** Stores which products match now. A job prepares the lines. */
export function proposeEdits(
  writable: Writable,
  { projectId, filters, edits, ...proposing }: ProposingEdits,
  maxProducts: number = proposalLimits.filteredProducts,
): Promise<ProposalRow> {
  const propose = async (tx: Transaction) => {
    await checkOpenLimit(tx, projectId, proposing.tokenId)
    await lockErasure(tx, projectId, false)
    const id = await insertProposal(tx, projectId, {
      ...proposing,
      origin: 'filter',
      state: 'preparing',
      edits,
    })
    const lines = await insertMatching(tx, projectId, id, filters, maxProducts)
    if (lines === 0) throw filterError('too_few', 'matches no products')
    if (lines > maxProducts) {
      const count = await countMatching(tx, projectId, filters)
      throw filterError(
        'too_many',
        `matches ${count} products, and a proposal has at most ${maxProducts}; narrow the filter`,
      )
    }
    await addCounts(tx, projectId, id, { lines })
    return requireProposal(tx, projectId, id)
  }
  return writable.transaction(propose, { ...bulkLimits, project: projectId })
}

function filterError(code: string, message: string): Problem {
  return new Problem('invalid_body', { errors: [{ pointer: '/filter', code, message }] })
}

/** Returns the number of matches, up to one more than the limit. Then no line is stored. */
async function insertMatching(
  tx: Transaction,
  projectId: number,
  proposalId: number,
  filters: Filters,
  maxProducts: number,
): Promise<number> {
  const [row] = await tx.query(
    planEachTime(sql<{ count: number }>`
      with matched as materialized (
        select product.id, product.sku from products as product where ${matchingProducts(projectId, filters)}
        order by product.id limit ${maxProducts + 1}
      ), inserted as (
        insert into proposal_lines (project_id, proposal_id, line, product_id, sku, state)
        select ${projectId}, ${proposalId}, row_number() over (order by id), id, sku, 'open' from matched
        where (select count(*) from matched) <= ${maxProducts}
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
