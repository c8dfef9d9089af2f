import type { AttemptResult } from '../../../platform/http/metrics/shared-counters.ts'
import { pauseAfter } from '../../../platform/scheduling/retry.ts'
import type { SecretCipher } from '../../../platform/secrets/secret-cipher.ts'
import { millisecondsOf } from '../../../platform/units.ts'
import type { CatalogEvent } from '../../events/event.schema.ts'
import type { WebhookLimits } from '../../limits.ts'
import { secretsOf, type Target, type TargetKey } from '../target.sql.ts'
import { bodyOf, type Outcome, type WebhookSender } from '../webhook-sender.ts'
import type { DeliveryLog } from './delivery-log.ts'
import type { HeldLane } from './lane.sql.ts'

export type Tools = {
  cipher: SecretCipher
  sender: WebhookSender
  log: DeliveryLog
  countTry: (outcome: AttemptResult) => void
  findTarget: (key: TargetKey) => Promise<Target | undefined>
  /** The lanes that this process delivers. A lost lane is removed. */
  held: Set<HeldLane>
}

/** When the turn of a webhook ends, and the signal that ends it early. */
export type Turn = { endsAt: number; signal: AbortSignal }

const outcomeOf = { nobody: 'delivered', endpoint: 'failed', event: 'refused', gone: 'gone' } as const

/** One try, signed by the secrets that are valid now. */
export async function tryEvent(
  { cipher, sender, log, countTry }: Tools,
  key: TargetKey,
  target: Target,
  event: CatalogEvent,
  tries: number,
): Promise<Outcome | 'secret_unreadable'> {
  const secrets = await secretsOf(cipher, target)
  if (secrets === undefined) return 'secret_unreadable'
  const body = bodyOf(event, sender.limits.bodyBytes)
  const outcome = await sender.post({ url: target.url, id: event.id, body, secrets })
  log.add(key, event, tries, outcome)
  countTry(outcomeOf[blame(outcome.status)])
  return outcome
}

/** Whose fault a try is that did not succeed. */
type Blame = 'nobody' | 'endpoint' | 'event' | 'gone'

export function blame(status: number | null): Blame {
  if (status === null) return 'endpoint'
  if (status >= 200 && status < 300) return 'nobody'
  if (status === 410) return 'gone'
  const isOfEvent = status >= 400 && status < 500 && status !== 408 && status !== 429
  return isOfEvent ? 'event' : 'endpoint'
}

export type Verdict = { next: 'delivered' | 'park' | 'disable' } | { next: 'wait'; milliseconds: number }

type Plan = Pick<
  WebhookLimits,
  'pauseMilliseconds' | 'pauseJitter' | 'refusedTries' | 'retryAfterMilliseconds'
>

/** What comes after a try, of which this is the first, the second and so on. */
export function afterTry(
  { status, retryAfter }: Pick<Outcome, 'status' | 'retryAfter'>,
  tries: number,
  { pauseMilliseconds: pauses, pauseJitter: jitter, refusedTries, retryAfterMilliseconds }: Plan,
  chance = Math.random(),
): Verdict {
  const fault = blame(status)
  if (fault === 'nobody') return { next: 'delivered' }
  if (fault === 'gone') return { next: 'disable' }
  const most = pauses.length + 1
  const attempts = fault === 'event' ? Math.min(most, refusedTries) : most
  const planned = pauseAfter(tries, { attempts, pauses, jitter }, chance)
  if (planned === undefined) return { next: 'park' }
  const asked = Math.min(readRetryAfter(retryAfter), retryAfterMilliseconds)
  return { next: 'wait', milliseconds: Math.max(planned, asked) }
}

/** Seconds, or a date; 0 where it says nothing that can be read. */
export function readRetryAfter(text: string | undefined, now = Date.now()): number {
  if (text === undefined) return 0
  if (/^\d{1,9}$/.test(text.trim())) return Number(text) * 1000
  const time = text.endsWith('GMT') ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? 0 : Math.max(0, time - now)
}

/** Failures that are further apart than this belong to different troubles: no plan pauses for so long. */
export function longestGap({ pauseMilliseconds, pauseJitter, retryAfterMilliseconds }: Plan): number {
  return Math.max(...pauseMilliseconds, retryAfterMilliseconds) * (1 + pauseJitter) + millisecondsOf.hour
}
