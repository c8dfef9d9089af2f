import type { AttemptResult } from '../../../platform/http/metrics/shared-counters.ts'
import { pauseAfter } from '../../../platform/scheduling/retry.ts'
import type { SecretCipher } from '../../../platform/secrets/secret-cipher.ts'
import { millisecondsOf } from '../../../platform/units.ts'
import type { CatalogEvent } from '../../events/event.schema.ts'
import { showEvent } from '../../events/show-event.ts'
import type { WebhookLimits } from '../../limits.ts'
import { decryptSecrets, type Target, type TargetKey } from '../target.sql.ts'
import { type DeliveryResult, eventBody, type WebhookSender } from '../webhook-sender.ts'
import type { DeliveryLog } from './delivery-log.ts'
import type { LeasedPartition } from './partition.sql.ts'

export type Tools = {
  cipher: SecretCipher
  sender: WebhookSender
  log: DeliveryLog
  countAttempt: (result: AttemptResult) => void
  findTarget: (key: TargetKey) => Promise<Target | undefined>
  /** The partitions that this process delivers. A partition is removed when its lease is lost. */
  leased: Set<LeasedPartition>
}

/** When the turn of a webhook ends; the signal ends it early. */
export type Turn = { endsAt: number; signal: AbortSignal }

const counterOf = { success: 'delivered', endpoint: 'failed', event: 'refused', gone: 'gone' } as const

/** Sends an event once, signed with the currently valid secrets. */
export async function attemptDelivery(
  { cipher, sender, log, countAttempt }: Tools,
  key: TargetKey,
  target: Target,
  event: CatalogEvent,
  tries: number,
): Promise<DeliveryResult | 'secret_unreadable'> {
  const secrets = await decryptSecrets(cipher, target)
  if (secrets === undefined) return 'secret_unreadable'
  const body = eventBody(
    showEvent(event, () => sender.baseUrl),
    sender.limits.bodyBytes,
  )
  const result = await sender.post({ url: target.url, id: event.id, body, secrets })
  log.add(key, event, tries, result)
  countAttempt(counterOf[classifyResponse(result.status)])
  return result
}

/** Success, or what has to change for an attempt to succeed: the endpoint or the event. */
type ResponseClass = 'success' | 'endpoint' | 'event' | 'gone'

export function classifyResponse(status: number | null): ResponseClass {
  if (status === null) return 'endpoint'
  if (status >= 200 && status < 300) return 'success'
  if (status === 410) return 'gone'
  const isEventRejected = status >= 400 && status < 500 && status !== 408 && status !== 429
  return isEventRejected ? 'event' : 'endpoint'
}

export type NextStep = { next: 'delivered' | 'give_up' | 'disable' } | { next: 'wait'; milliseconds: number }

type RetryPlan = Pick<
  WebhookLimits,
  'pauseMilliseconds' | 'pauseJitter' | 'rejectedAttempts' | 'retryAfterMilliseconds'
>

/** Decides what follows an attempt; `tries` counts the attempts for the event so far, including this one. */
export function planNextStep(
  { status, retryAfter }: Pick<DeliveryResult, 'status' | 'retryAfter'>,
  tries: number,
  { pauseMilliseconds: pauses, pauseJitter: jitter, rejectedAttempts, retryAfterMilliseconds }: RetryPlan,
  chance = Math.random(),
): NextStep {
  const response = classifyResponse(status)
  if (response === 'success') return { next: 'delivered' }
  if (response === 'gone') return { next: 'disable' }
  const maxAttempts = pauses.length + 1
  const attempts = response === 'event' ? Math.min(maxAttempts, rejectedAttempts) : maxAttempts
  const planned = pauseAfter(tries, { attempts, pauses, jitter }, chance)
  if (planned === undefined) return { next: 'give_up' }
  const requested = Math.min(readRetryAfter(retryAfter), retryAfterMilliseconds)
  return { next: 'wait', milliseconds: Math.max(planned, requested) }
}

/** Parses seconds or a date; 0 if the header is missing or invalid. */
export function readRetryAfter(text: string | undefined, now = Date.now()): number {
  if (text === undefined) return 0
  if (/^\d{1,9}$/.test(text.trim())) return Number(text) * 1000
  const time = text.endsWith('GMT') ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? 0 : Math.max(0, time - now)
}

/** Longer than any pause between attempts. Failures that are further apart are not part of the same incident. */
export function longestGap({ pauseMilliseconds, pauseJitter, retryAfterMilliseconds }: RetryPlan): number {
  return Math.max(...pauseMilliseconds, retryAfterMilliseconds) * (1 + pauseJitter) + millisecondsOf.hour
}
