import { runLimits } from '../../../model/limits/runs.ts'
import type { ModelResponse, Usage } from '../../ai-providers/model-request.ts'
import { flagValues } from '../../model-requests/flag-values.ts'
import { isDeclined, readResponse } from '../../model-requests/read-response.ts'
import { costOf } from '../money.ts'
import type { ClaimedCall } from './claim-calls.ts'
import type { Settlement } from './reservation.sql.ts'

/** How an attempt ended, and what follows for the run. */
export type Outcome = {
  settlement: Settlement
  /** Failures in a row pause the run. */
  isFailure: boolean
  isLimited: boolean
  /** The provider charged more than the worst case. */
  isOverLimit: boolean
}

type Attempt = Pick<ClaimedCall, 'worst' | 'attempts' | 'filled'> & {
  context: Pick<ClaimedCall['context'], 'fields' | 'model'>
}

/** Decides what a response means. Without reported usage, the attempt costs its worst case. */
export function readOutcome(call: Attempt, response: ModelResponse): Outcome {
  const { usage } = response
  const worst = BigInt(call.worst)
  const cost = usage === undefined ? worst : costOf(usage, call.context.model)
  const charge = { cost, tokens: usage ?? noTokens, isOverLimit: cost > worst }
  switch (response.outcome) {
    case 'values':
      return readValues(call, response, charge)
    case 'rate_limited':
      return rateLimited
    case 'refused':
      return failure(call, charge, 'refused', false)
    case 'unreadable':
      return failure(call, charge, 'invalid_response', true)
    case 'timed_out':
      return failure(call, charge, 'timed_out', true)
    case 'failed':
      return failedRequest(call, charge, response)
  }
}

/** A call whose process ended. Whether the provider charged for it is unknown. */
export function interrupted(call: { worst: string; attempts: number }): Outcome {
  const charge = { cost: BigInt(call.worst), tokens: noTokens, isOverLimit: false }
  return { ...failure(call, charge, 'interrupted', true), isFailure: false }
}

const noTokens = { input: 0, output: 0 }

type FailedResponse = Exclude<ModelResponse, { outcome: 'values' }>
type Charge = { cost: bigint; tokens: Usage; isOverLimit: boolean }

function readValues(
  { context, filled, attempts }: Attempt,
  { values: given, isCut }: Extract<ModelResponse, { outcome: 'values' }>,
  { cost, tokens, isOverLimit }: Charge,
): Outcome {
  const { values } = readResponse(context.fields, given)
  if (values === undefined)
    return failure({ attempts }, { cost, tokens, isOverLimit }, 'invalid_response', true)
  const { source: text, productValues } = filled
  const state = isDeclined(values) ? 'declined' : 'done'
  return {
    settlement: {
      ...{ state, error: null, retryInMilliseconds: 0, isCounted: true, cost, tokens, values },
      flags: state === 'done' ? flagValues(values, { text, productValues, isCut }) : [],
    },
    ...{ isFailure: false, isLimited: false, isOverLimit },
  }
}

/** A provider that rejects or redirects a request has not processed it, and does the same again. */
function failedRequest(
  call: Attempt,
  charge: Charge,
  { reason, isUnprocessed: isRejected = false }: FailedResponse,
): Outcome {
  const error = `${isRejected ? 'provider_rejected' : 'provider_failed'}: ${reason}`
  return failure(call, isRejected ? { ...charge, cost: 0n } : charge, error, !isRejected)
}

function failure(
  { attempts }: { attempts: number },
  { cost, tokens, isOverLimit }: Charge,
  error: string,
  isRetryable: boolean,
): Outcome {
  const pause =
    isRetryable && attempts < runLimits.attempts
      ? runLimits.attemptPauseMilliseconds[attempts - 1]
      : undefined
  return {
    settlement: {
      state: pause === undefined ? 'failed' : 'waiting',
      retryInMilliseconds: pause ?? 0,
      ...{ error: error.slice(0, 500), isCounted: true, cost, tokens, values: null, flags: [] },
    },
    ...{ isFailure: true, isLimited: false, isOverLimit },
  }
}

/** The provider did not process the request, so it costs nothing and is no attempt. */
const rateLimited: Outcome = {
  settlement: {
    ...{ state: 'waiting', error: 'rate_limited', retryInMilliseconds: 0, isCounted: false, cost: 0n },
    ...{ tokens: noTokens, values: null, flags: [] },
  },
  ...{ isFailure: false, isLimited: true, isOverLimit: false },
}
