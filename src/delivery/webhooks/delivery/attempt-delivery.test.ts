import { describe, expect, test } from 'vitest'
import { webhookLimits } from '../../limits.ts'
import { classifyResponse, planNextStep, readRetryAfter } from './attempt-delivery.ts'

const [seconds, minutes, hours] = [1_000, 60_000, 3_600_000]
const next = (status: number | null, tries: number, retryAfter?: string) =>
  planNextStep({ status, retryAfter }, tries, webhookLimits, 0.5)

describe('the retry plan', () => {
  test('only 2xx succeeds, 410 disables the webhook, and other responses count for the endpoint or the event', () => {
    expect([200, 204, 299].map(classifyResponse)).toEqual(['success', 'success', 'success'])
    expect([null, 301, 408, 429, 500, 503, 599].map(classifyResponse)).toEqual(Array(7).fill('endpoint'))
    expect([400, 401, 404, 409, 422, 499].map(classifyResponse)).toEqual(Array(6).fill('event'))
    expect(next(410, 1)).toEqual({ next: 'disable' })
  })

  test('a failing endpoint gets eleven attempts over three days, then the delivery has failed', () => {
    const waits = Array.from({ length: 11 }, (_, place) => next(503, place + 1))
    const pauses = [
      ...[5 * seconds, 30 * seconds, 5 * minutes, 30 * minutes],
      ...[2, 5, 10, 14, 20, 24].map((amount) => amount * hours),
    ]
    expect(waits).toEqual([
      ...pauses.map((milliseconds) => ({ next: 'wait', milliseconds })),
      { next: 'give_up' },
    ])
  })

  test('a rejected event gets five attempts in 36 minutes', () => {
    const waits = Array.from({ length: 5 }, (_, place) => next(422, place + 1))
    const total = waits.reduce((sum, one) => sum + (one.next === 'wait' ? one.milliseconds : 0), 0)
    expect([waits[4], total]).toEqual([{ next: 'give_up' }, 35 * minutes + 35 * seconds])
  })

  test('pauses vary by 20%, and Retry-After extends them up to a day', () => {
    const at = (chance: number) =>
      planNextStep({ status: 500, retryAfter: undefined }, 1, webhookLimits, chance)
    expect([at(0), at(1)]).toEqual([
      { next: 'wait', milliseconds: 4_000 },
      { next: 'wait', milliseconds: 6_000 },
    ])
    expect(next(429, 1, '120')).toEqual({ next: 'wait', milliseconds: 2 * minutes })
    expect(next(429, 1, '1')).toEqual({ next: 'wait', milliseconds: 5 * seconds })
    expect(next(503, 1, '99999999')).toEqual({ next: 'wait', milliseconds: 24 * hours })
  })

  test.each([
    [undefined, 0],
    ['soon', 0],
    ['-5', 0],
    [' 7 ', 7_000],
    ['Thu, 01 Jan 1970 00:01:00 GMT', 50_000],
    ['Thu, 01 Jan 1970 00:00:01 GMT', 0],
  ])('Retry-After %j is %i ms', (text, expected) => {
    expect(readRetryAfter(text, 10_000)).toBe(expected)
  })
})
