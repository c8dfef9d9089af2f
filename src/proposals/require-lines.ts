import { Problem } from '../http/problems.ts'
import type { ProposalRow } from './proposal.sql.ts'

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

export function refuseUnknownLines(numbers: readonly number[] | undefined, total: number): void {
  const place = numbers?.findIndex((line) => line > total) ?? -1
  if (place < 0) return
  const message = `is no line of this proposal, which has ${total}`
  throw new Problem('invalid_body', { errors: [{ pointer: `/lines/${place}`, code: 'not_found', message }] })
}
