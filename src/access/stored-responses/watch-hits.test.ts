import { expect, test } from 'vitest'
import { responseLimits } from '../../platform/limits/responses.ts'
import { watchHits } from './watch-hits.ts'

const { sampledRequests, skippedRequests, leastHits } = responseLimits

function sample({ count }: ReturnType<typeof watchHits>, hits: number, project = 1): void {
  for (let request = 0; request < sampledRequests; request += 1) count(project, 'detail', request < hits)
}

function skipped({ skips }: ReturnType<typeof watchHits>): number {
  let count = 0
  while (skips(1, 'detail')) count += 1
  return count
}

test('requests that rarely hit skip the store for a while, and then try again', () => {
  const hits = watchHits()
  sample(hits, leastHits - 1)
  expect(skipped(hits)).toBe(skippedRequests)
  sample(hits, leastHits - 1)
  expect(skipped(hits)).toBe(skippedRequests)
  sample(hits, leastHits)
  expect(skipped(hits)).toBe(0)
})

test('responses that are stored because they were requested again count as hits', () => {
  const hits = watchHits()
  hits.countAsHit(1, 'detail')
  sample(hits, leastHits - 1)
  expect(skipped(hits)).toBe(0)
})

test('other projects and other kinds of requests do not skip it', () => {
  const hits = watchHits()
  sample(hits, 0)
  expect([hits.skips(2, 'detail'), hits.skips(1, 'list'), hits.skips(1, 'detail')]).toEqual([
    false,
    false,
    true,
  ])
})
