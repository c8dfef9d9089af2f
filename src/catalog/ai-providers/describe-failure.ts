import type { NoResponse } from '../../platform/outbound/guarded-fetch.ts'
import { providerLimits } from '../limits.ts'
import type { Libraries } from './model-libraries.ts'
import type { ModelResponse } from './model-request.ts'
import type { OpenProvider } from './open-provider.ts'
import { readModelResponse, readUsage } from './read-model-response.ts'

/** What happened below the library, which wraps errors in its own. */
export type Seen = { failure?: NoResponse; status?: number; retryAfter?: string | null }

/** Failures before the request was sent, and the redirect that replaces a response. The same call would fail again. */
const unprocessed: readonly NoResponse['failure'][] = [
  'redirect',
  'blocked',
  'unsafe',
  'plain',
  'certificate',
]

/** Errors of the library contain the response text and the request, so only their kind is used. */
export async function describeFailure(
  { ai }: Libraries,
  { kind }: OpenProvider,
  { failure, status = 0, retryAfter }: Seen,
  error: unknown,
): Promise<ModelResponse> {
  const usage = undefined
  if (failure?.failure === 'timed_out') return { outcome: 'timed_out', reason: failure.message, usage }
  if (failure !== undefined) {
    const isUnprocessed = unprocessed.includes(failure.failure)
    return { outcome: 'failed', reason: failure.message, usage, isUnprocessed }
  }
  if (status >= 300) return describeStatus(status, retryAfter)
  if (ai.NoObjectGeneratedError.isInstance(error))
    return readModelResponse(
      {
        text: error.text ?? '',
        finishReason: error.finishReason ?? 'other',
        usage: error.usage && readUsage(kind, error.usage),
      },
      async (cut) => (await ai.parsePartialJson(cut)).value,
    )
  return { outcome: 'unreadable', reason: 'the response does not have the format of the provider', usage }
}

/** A proxy also reports it while the provider is processing the request, which can then cost money. */
const requestTimeout = 408

/** Providers report that they are overloaded with 429, or with 529. */
function describeStatus(status: number, retryAfter: string | null | undefined): ModelResponse {
  return {
    outcome: status === 429 || status === 529 ? 'rate_limited' : 'failed',
    reason: `HTTP ${status}`,
    isUnprocessed: status >= 400 && status < 500 && status !== requestTimeout,
    status,
    usage: undefined,
    ...readRetryAfter(retryAfter),
  }
}

function readRetryAfter(text: string | null | undefined): { retryAfterMilliseconds?: number } {
  if (!text) return {}
  const wanted = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  if (Number.isNaN(wanted)) return {}
  const bounded = Math.min(Math.max(wanted, 0), providerLimits.retryAfterMilliseconds)
  return { retryAfterMilliseconds: bounded }
}
