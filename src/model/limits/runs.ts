import { mebibyte } from '../../platform/units.ts'

/** Prompt runs */
export const runLimits = {
  /** Products per run */
  products: 10_000,
  /** Unfinished runs per project */
  unfinished: 20,
  /** Fields that a run writes */
  fields: 20,
  /** Products in the sample by default */
  sample: 20,
  /** Budget of a run, in units of the currency */
  budget: 1_000_000,
  /** Prompt with the values of a product */
  promptCharacters: 200_000,
  /** Prompts that a dry run shows */
  shownPrompts: 3,
  /** Products that a dry run reads at once */
  previewedProducts: 200,
  /** Attempts per call */
  attempts: 3,
  /** Pauses before the second and the third attempt */
  attemptPauseMilliseconds: [1_000, 5_000],
  /** Failed attempts in a row after which a run pauses */
  failuresInRow: 5,
  /** Responses with status 429 or 529 in a row after which a run pauses */
  limitedInRow: 50,
  /** Base of the pause of a provider after status 429; each 429 in a row doubles it */
  limitedMilliseconds: 1_000,
  /** Longest pause of a provider after status 429 */
  longestLimitedMilliseconds: 120_000,
  /** Time after a 429 until a provider gets another concurrent call */
  recoverySeconds: 60,
  /** Time after which a run starts no more calls, so that other runs get its slot */
  turnMilliseconds: 30_000,
  /** Time that calls in progress have to end when their process stops */
  stopMilliseconds: 2_000,
  /** Products that a run reads at once */
  claimedCalls: 32,
  /** Concurrent calls per process, across all runs */
  callsAtOnce: 64,
  /** Concurrent calls per process and project */
  callsPerProject: 24,
  /** Concurrent runs per process */
  runsAtOnce: 64,
  /** Concurrent runs per process and project */
  runsPerProject: 4,
  /** Part of the limit per process that is reserved for projects without a run in progress */
  runsReserved: 24,
  /** Attempts of the job of a run */
  jobAttempts: 10,
  /** Longest pause between attempts of the job of a run */
  jobPauseSeconds: 60,
  /** Pause of a run whose provider has no free slot */
  busyMilliseconds: 500,
  /** Pause of a run whose proposal exceeds the limit of open proposals */
  proposalPauseMilliseconds: 30_000,
  /** Responses that a run reads at once to propose them */
  proposedBytes: 4 * mebibyte,
  /** Time for which responses are stored and reused */
  responseDays: 90,
  /** Responses that are removed in one statement */
  removedResponses: 1_000,
} as const
