import { expect } from 'vitest'
import type { TestResponse, TestService } from './harness.ts'

/** The response of a request, and whether it came from memory. */
export async function observe(
  send: () => Promise<TestResponse>,
  of: TestService,
): Promise<TestResponse & { isHit: boolean }> {
  const before = of.countHits()
  const response = await send()
  return { ...response, isHit: of.countHits() > before }
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
