import { beforeAll, expect, test } from 'vitest'
import { Catalog } from '../../client/catalog.ts'
import type { PushedLine, Verdict } from '../../client/push.ts'
import { sharedTestService, type TestService } from '../harness.ts'
import { type Fate, unreliableProxy } from './unreliable-proxy.ts'

let service: TestService
beforeAll(async () => {
  service = await sharedTestService()
})

const linesOf = (count: number) =>
  Array.from({ length: count }, (_, n): PushedLine => ({ sku: `L-${n + 1}`, name: 'L' }))

/** A client of a new project, behind a proxy whose requests have these fates, then pass. */
async function failing(...fates: Fate[]) {
  const { token } = await service.tenant()
  const proxy = await unreliableProxy(service.url, (place) => fates[place] ?? 'pass')
  return { ...proxy, catalog: new Catalog({ url: proxy.url, token }) }
}

test('a push numbers its lines across parts, and reports each line once and in order', async () => {
  const { catalog, seen } = await failing()
  const lines = [
    ...linesOf(1000),
    { sku: 'L-1001' } as PushedLine,
    '{"sku": "L-1002",\n"name": "From a file"}',
    '{',
  ]
  const verdicts: Verdict[] = []
  const summary = await catalog.products.push(lines, { onVerdict: (verdict) => void verdicts.push(verdict) })
  expect(summary).toEqual({ lines: 1003, created: 1001, updated: 0, unchanged: 0, rejected: 2, unknown: 0 })
  expect(verdicts.map(({ line }) => line)).toEqual(lines.map((_, index) => index + 1))
  expect(verdicts[1000]).toMatchObject({ outcome: 'rejected', errors: [{ pointer: '/name' }] })
  expect(seen.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined, undefined])
})

test('a part has at most 4 MiB', async () => {
  const { catalog, seen } = await failing()
  const description = 'ü'.repeat(20_000)
  const lines = Array.from({ length: 110 }, (_, n) => ({ sku: `M-${n}`, name: 'M', description }))
  const { created } = await catalog.products.push(lines)
  const sizes = seen.map(({ headers }) => Number(headers['content-length']))
  expect([created, sizes.length, Math.max(...sizes) <= 4 * 1024 * 1024]).toEqual([110, 2, true])
})

test('after a lost response, upserts and updates are repeated', async () => {
  const lost: Fate[] = ['lose', { status: 503, headers: { 'retry-after': '0' } }, 'pass']
  const { catalog, seen } = await failing(...lost, ...lost)
  for (const [mode, price] of [
    ['upsert', 1],
    ['update', 2],
  ] as const) {
    const lines = linesOf(3).map((line) => ({ ...(line as object), price }) as PushedLine)
    const { unchanged, unknown } = await catalog.products.push(lines, { mode })
    expect([unchanged, unknown]).toEqual([3, 0])
  }
  expect(seen).toHaveLength(6)
})

test('after a lost response, create is not repeated: its lines are unknown, and the next part follows', async () => {
  const { catalog, seen } = await failing('lose', { status: 429, headers: { 'retry-after': '0' } })
  const verdicts: Verdict[] = []
  const onVerdict = (verdict: Verdict) => void verdicts.push(verdict)
  const summary = await catalog.products.push(linesOf(1001), { mode: 'create', onVerdict })
  expect([summary.unknown, summary.created, seen.length]).toEqual([1000, 1, 3])
  expect(verdicts[0]).toEqual({ line: 1, sku: 'L-1', id: null, outcome: 'unknown', errors: [] })
  expect((await catalog.products.list()).count).toBe(1001)
})

test.each(['upsert', 'create'] as const)('empty lines have numbers but no results (%s)', async (mode) => {
  const { catalog } = await failing(mode === 'create' ? 'lose' : 'pass')
  const numbers: number[] = []
  const { lines } = await catalog.products.push(['', '{"sku": "E", "name": "E"}', ' '], {
    ...{ mode, onVerdict: ({ line }) => void numbers.push(line) },
  })
  expect([lines, numbers]).toEqual([1, [2]])
})

test('a push that cannot continue reports where it stopped', async () => {
  const gone = { status: 403, body: '{"code": "insufficient_scope", "detail": "No."}' }
  const { catalog } = await failing('pass', gone)
  await expect(catalog.products.push(linesOf(1001))).rejects.toMatchObject({
    ...{ status: 403, message: expect.stringContaining('The first 1000 lines have results') },
  })
})

test('an export yields what a push accepts', async () => {
  const { catalog } = await failing()
  await catalog.products.push(linesOf(3))
  const summary = await catalog.products.push(catalog.products.export())
  expect([summary.lines, summary.unchanged]).toEqual([3, 3])
})
