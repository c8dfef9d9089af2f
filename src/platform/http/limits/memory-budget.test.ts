import { describe, expect, test } from 'vitest'
import { requestLimits } from '../../limits/requests.ts'
import { budgetBytes, findMemoryShortage, memoryBudget } from './memory-budget.ts'

const mebibyte = 1024 * 1024

describe('the memory budget', () => {
  test('has memory for the largest push, page and response in every worker, however many there are', () => {
    for (let workers = 1; workers <= 64; workers += 1) {
      const { bodies, responses, pages } = memoryBudget(workers)
      expect(bodies.first.perProject).toBeGreaterThanOrEqual(bodies.firstBytes)
      expect(responses.perProject).toBeGreaterThanOrEqual(responses.largestPage + 4 * mebibyte)
      expect(pages.maxBytes).toBeLessThan(responses.largestPage)
      // The largest push may exceed its share, one at a time; that is part of the sum.
      expect(budgetBytes(workers)).toBeGreaterThan(workers * requestLimits.pushBytes)
    }
  })

  test('of one worker fits into 512 MiB, and that of many is held against the machine', () => {
    expect(findMemoryShortage(1, 512 * mebibyte)).toBeUndefined()
    expect(findMemoryShortage(1, 256 * mebibyte)).toMatch(
      /^the service can use \d+ MiB of memory for clients/,
    )
    expect(findMemoryShortage(64, 2048 * mebibyte)).toMatch(/^64 workers can use \d+ MiB .* 2048 MiB$/)
  })
})
