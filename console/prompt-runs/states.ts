import type { Run, RunCall } from '../wire.ts'

// Without labels, because every page loads the routes, which check these values in URLs.
export const callStates = [
  'waiting',
  'calling',
  'done',
  'failed',
  'declined',
  'skipped',
] as const satisfies readonly RunCall['state'][]
export type CallState = RunCall['state']
export type RunsSearch = { page?: number; state?: Run['state'] }
export type CallsSearch = { page?: number; state?: CallState }
