import { pauseAfter } from '../../../platform/scheduling/retry.ts'
import type { Outcome } from '../post-event.ts'
import type { WebhookLimits } from '../webhook-limits.ts'

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

type Plan = Pick<WebhookLimits, 'pauses' | 'jitter' | 'triesOfRefused' | 'longestRetryAfter'>

/** What comes after a try, of which this is the first, the second and so on. */
export function afterTry(
  { status, retryAfter }: Pick<Outcome, 'status' | 'retryAfter'>,
  tries: number,
  { pauses, jitter, triesOfRefused, longestRetryAfter }: Plan,
  chance = Math.random(),
): Verdict {
  const fault = blame(status)
  if (fault === 'nobody') return { next: 'delivered' }
  if (fault === 'gone') return { next: 'disable' }
  const most = pauses.length + 1
  const attempts = fault === 'event' ? Math.min(most, triesOfRefused) : most
  const planned = pauseAfter(tries, { attempts, pauses, jitter }, chance)
  if (planned === undefined) return { next: 'park' }
  const asked = Math.min(readRetryAfter(retryAfter), longestRetryAfter)
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
export function longestGap({ pauses, jitter, longestRetryAfter }: Plan): number {
  return Math.max(...pauses, longestRetryAfter) * (1 + jitter) + 3_600_000
}
