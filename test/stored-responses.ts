import { expect } from 'vitest'
import type { TestResponse, TestService } from './harness.ts'

/** The number of responses that a service has sent from memory. */
export async function countHits(of: TestService): Promise<number> {
  const { text } = await of.call('/metrics')
  return Number(/catalog_cache_requests_total\{result="hit"\} (\d+)/.exec(text)?.[1])
}

/** The response of a request, and whether it came from memory. */
export async function observe(
  send: () => Promise<TestResponse>,
  of: TestService,
): Promise<TestResponse & { isHit: boolean }> {
  const before = await countHits(of)
  const response = await send()
  return { ...response, isHit: (await countHits(of)) > before }
}

/** Repeats a request until its response comes from memory: at first, the events of the writes before it have no number. */
export async function fromMemory(send: () => Promise<TestResponse>, of: TestService): Promise<TestResponse> {
  let last = await observe(send, of)
  await expect
    .poll(async () => {
      last = await observe(send, of)
      return last.isHit
    })
    .toBe(true)
  return last
}
