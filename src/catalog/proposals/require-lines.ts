import type { Queryable } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problems.ts'
import type { ProposalRow } from './proposal.sql.ts'
import { findLineNumbers } from './proposal-line.sql.ts'

/** Of a proposal that somebody wants to apply or take lines out of. */
export function requireAppliable({ id, state, is_late }: ProposalRow): void {
  if (state === 'preparing') throw new Problem('proposal_preparing')
  const isClosed = state === 'discarded' || state === 'expired' || state === 'failed'
  const isLate = is_late && state !== 'applied' && state !== 'partly_applied'
  if (isClosed || isLate)
    throw new Problem('proposal_closed', {
      detail: `Proposal ${id} is ${isLate ? 'expired' : state}; make a new one.`,
    })
}

/** Numbers count blank lines, so the last line may have a number above the count. */
export async function refuseUnknownLines(
  database: Queryable,
  projectId: number,
  { id, summary }: ProposalRow,
  numbers: readonly number[] | undefined,
): Promise<void> {
  if (numbers === undefined) return
  const known = new Set(await findLineNumbers(database, projectId, id, numbers))
  const place = numbers.findIndex((line) => !known.has(line))
  if (place < 0) return
  const message = `is no line of this proposal, which has ${summary.total}`
  throw new Problem('invalid_body', { errors: [{ pointer: `/lines/${place}`, code: 'not_found', message }] })
}
