import type { Proposal, ProposalLine } from '../wire.ts'

export type ProposalState = Proposal['state']
export type Origin = Proposal['origin']
export type LineState = ProposalLine['state']
export type Outcome = NonNullable<ProposalLine['outcome']>

// Without labels, because every page loads the routes, which check these values in URLs.
export const proposalStates = [
  'preparing',
  'open',
  'applying',
  'applied',
  'partly_applied',
  'discarded',
  'expired',
  'failed',
] as const satisfies readonly ProposalState[]
export const origins = [
  'api',
  'console',
  'import',
  'filter',
  'revert',
  'run',
] as const satisfies readonly Origin[]
export const lineStates = [
  'open',
  'conflict',
  'rejected',
  'applied',
  'discarded',
] as const satisfies readonly LineState[]
export const outcomes = ['created', 'updated', 'unchanged', 'rejected'] as const satisfies readonly Outcome[]
