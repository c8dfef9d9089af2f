import { beforeAll, expect, test } from 'vitest'
import { Catalog } from '../../client/catalog.ts'
import type { Follow } from '../../client/follow.ts'
import { sharedTestService, type TestService } from '../harness.ts'
import { type Fate, unreliableProxy } from './unreliable-proxy.ts'

let service: TestService
beforeAll(async () => {
  service = await sharedTestService()
})

/** Follows until `end`; records calls in order. */
async function following(options: Partial<Follow> = {}, url = service.url, token?: string) {
  const { token: own } = token ? { token } : await service.tenant()
  const catalog = new Catalog({ url, token: own })
  const controller = new AbortController()
  const calls: string[] = []
  const start = () =>
    catalog.follow({
      signal: controller.signal,
      onCopy: ({ sku }) => void calls.push(`copy ${sku}`),
      onEvent: async ({ type, data }) => {
        await Promise.resolve()
        calls.push(`${type} ${data.sku}`)
      },
      onCursor: () => void calls.push('cursor'),
      ...options,
    })
  return { catalog, calls, start, token: own, end: () => controller.abort() }
}

test('follow copies the catalog, then hands over each event and, when it has settled, its cursor, until it is aborted', async () => {
  const { catalog, calls, start, end } = await following()
  await catalog.products.create({ sku: 'A', name: 'A' })
  const running = start()
  await expect.poll(() => calls.slice(0, 2)).toEqual(['copy A', 'cursor'])
  await catalog.products.push([
    { sku: 'A', price: 1 },
    { sku: 'B', name: 'B' },
  ])
  // The feed may also report the product that the copy contains.
  await expect
    .poll(() => calls.slice(2))
    .toEqual(expect.arrayContaining(['product.updated A', 'product.created B']))
  await expect.poll(() => calls.at(-1)).toBe('cursor')
  const handed = calls.slice(2).map((call) => call === 'cursor')
  expect(handed).toEqual(handed.map((_, place) => place % 2 === 1))
  end()
  await running
})

test('a cursor of another feed calls onRestart before the copy, and without onRestart it is an error', async () => {
  const lost = '00000000.1.00000000.1'
  const codes: string[] = []
  const { catalog, calls, start, end } = await following({
    after: lost,
    onRestart: ({ code }) => {
      codes.push(code)
      expect(calls).toEqual([])
    },
  })
  await catalog.products.create({ sku: 'A', name: 'A' })
  const running = start()
  await expect.poll(() => calls.slice(0, 2)).toEqual(['copy A', 'cursor'])
  expect(codes).toEqual(['feed_restarted'])
  end()
  await running
  await expect((await following({ after: lost })).start()).rejects.toMatchObject({ code: 'feed_restarted' })
})

test('an expired cursor also calls onRestart', async () => {
  const { token } = await service.tenant()
  const expired = { status: 410, body: '{"code": "cursor_expired", "detail": "Copy again."}' }
  const proxy = await unreliableProxy(service.url, (place) => (place === 0 ? expired : 'pass'))
  const codes: string[] = []
  const onRestart: Follow['onRestart'] = ({ code }) => void codes.push(code)
  const { calls, start, end } = await following({ after: '0', onRestart }, proxy.url, token)
  const running = start()
  await expect.poll(() => calls).toEqual(['cursor'])
  expect(codes).toEqual(['cursor_expired'])
  end()
  await running
})

test('follow survives more failures than a call', async () => {
  const { token } = await service.tenant()
  await new Catalog({ url: service.url, token }).products.create({ sku: 'A', name: 'A' })
  const soon: Fate = { status: 503, headers: { 'retry-after': '0' } }
  const proxy = await unreliableProxy(
    service.url,
    (place) => (['cut', 'lose', soon, soon] as const)[place] ?? 'pass',
  )
  const { calls, start, end } = await following({}, proxy.url, token)
  const running = start()
  await expect.poll(() => calls.at(-1)).toBe('cursor')
  expect(calls).toContain('copy A')
  end()
  await running
})

test('an error of onEvent ends follow, and its cursor is not handed over', async () => {
  const { catalog, calls, start } = await following({
    after: '0',
    onEvent: () => Promise.reject(new Error('the copy is full')),
  })
  await catalog.products.create({ sku: 'A', name: 'A' })
  await expect(start()).rejects.toThrow('the copy is full')
  expect(calls).toEqual([])
})

test('an error of onCopy ends follow and closes the connection of the copy', async () => {
  const { token } = await service.tenant()
  let isClosed = false
  const copy = new ReadableStream({
    pull: (controller) => controller.enqueue(new TextEncoder().encode('{"sku": "A"}\n')),
    cancel: () => {
      isClosed = true
    },
  })
  const catalog = new Catalog({ url: service.url, token, fetch: async () => new Response(copy) })
  const onCopy = () => Promise.reject(new Error('the copy is full'))
  await expect(catalog.follow({ onCopy, onEvent: () => {} })).rejects.toThrow('the copy is full')
  expect(isClosed).toBe(true)
})

test('the copy starts again after half a line, and a wait of more than a minute ends it', async () => {
  const { token } = await service.tenant()
  const proxy = await unreliableProxy(service.url, (place) =>
    place === 0
      ? { status: 200, body: '{"sku": "A"}\n{"sk' }
      : { status: 503, headers: { 'retry-after': '61' } },
  )
  const { calls, start } = await following({}, proxy.url, token)
  await expect(start()).rejects.toMatchObject({ status: 503, retryAfter: 61 })
  expect([calls, proxy.seen.length]).toEqual([['copy A'], 2])
})

test('events.stream yields events', async () => {
  const { catalog } = await following()
  await catalog.products.create({ sku: 'A', name: 'A' })
  for await (const { type } of catalog.events.stream({ after: '0' })) {
    expect(type).toBe('product.created')
    break
  }
})
