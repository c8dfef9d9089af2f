import { expect, test } from 'vitest'
import { mebibyte } from '../../platform/units.ts'
import type { EventType } from '../events/event-types.ts'
import { fenceLimits } from '../limits/events.ts'
import type { Fence, FenceChange } from './fence.sql.ts'
import { type FreshnessFaults, openFreshResponses, type View } from './fresh-responses.ts'

const settings = { project_id: 1, ruleset: 0, currency: 'EUR' }

/** The feed of a database in memory. */
function feedOf(faults: FreshnessFaults = {}) {
  let requested = 0
  const stored = openFreshResponses({ maxBytes: mebibyte, onUnnumbered: () => (requested += 1), faults })
  const events: (FenceChange & { number: number; key: string })[] = []
  const add = (type: EventType, ...ids: number[]) => {
    const number = events.length + 1
    events.push({ type, ids, number, key: `key ${number}` })
  }
  const fence = (changed: Partial<Fence> = {}, known = stored.knownNumber(1)): Fence => {
    const head = events.at(-1)
    const since = events.filter(({ number }) => number >= known).toReversed()
    return {
      ...{ server: 'a', unrecorded: null, number: head?.number ?? null, key: head?.key ?? null },
      since: (head?.number ?? 0) > known ? since.slice(0, fenceLimits.feedRows + 1) : null,
      unnumbered: null,
      ...changed,
    }
  }
  const observe = (changed: Partial<Fence> = {}, known?: number) =>
    stored.observe(settings, fence(changed, known)) as View
  const store = (key: string, id: number, mark = stored.mark(1)) => {
    const shared = { route: { url: '', config: {} }, contentType: '', cacheControl: '' }
    const create = () => ({
      ...{ body: Buffer.from(key), tag: key, hint: undefined },
      ...{ compressed: undefined, shared },
    })
    if (mark)
      stored.offer(mark, { key, bytes: 10, follows: { objects: [id, 100 + id], anyProduct: false }, create })
  }
  const found = (key: string, view = observe()) => {
    const result = stored.find(view, key)
    return typeof result === 'string' ? result : 'hit'
  }
  return { stored, add, fence, observe, store, found, requested: () => requested }
}

test('a change drops the product and its dependents, other products stay', () => {
  const { add, observe, store, found } = feedOf()
  observe()
  for (const id of [1, 2, 3]) store(`product ${id}`, id)
  expect(found('product 1')).toBe('hit')
  add('product.updated', 1)
  add('product.stock_changed', 102)
  expect([1, 2, 3].map((id) => found(`product ${id}`))).toEqual(['absent', 'absent', 'hit'])
  add('category.updated', 3)
  expect(found('product 3')).toBe('absent')
})

test('a response that was read before a change is not stored after it', () => {
  const { stored, add, observe, store, found } = feedOf()
  observe()
  const mark = stored.mark(1)
  add('product.updated', 1)
  observe()
  store('product 1', 1, mark)
  store('product 2', 2, mark)
  expect([found('product 1'), found('product 2')]).toEqual(['absent', 'hit'])
  for (let count = 0; count <= fenceLimits.feedRows; count += 1) {
    add('product.updated', 50)
    observe()
  }
  store('product 3', 3, mark)
  expect(found('product 3')).toBe('absent')
})

test('a change without a number is not a hit, without dropping the response, and is numbered soon', () => {
  const { observe, store, found, requested } = feedOf()
  observe()
  store('product 1', 1)
  const change = (ids: number[] | null) => [{ project_id: 1, type: 'product.updated' as const, ids }]
  expect(found('product 1', observe({ unnumbered: change([101]) }))).toBe('changed')
  expect(found('product 1', observe({ unnumbered: change(null) }))).toBe('changed')
  expect(found('product 1', observe({ unnumbered: change([7]) }))).toBe('hit')
  expect(
    found('product 1', observe({ unnumbered: [{ project_id: 2, type: 'category.updated', ids: [1] }] })),
  ).toBe('hit')
  expect(requested()).toBe(4)
  const many = Array.from({ length: fenceLimits.unnumberedRows + 1 }, () => change([7])).flat()
  expect(found('product 1', observe({ unnumbered: many }))).toBe('changed')
})

const lost: [string, Partial<Fence>][] = [
  ['another server', { server: 'b' }],
  ['a change without an event', { unrecorded: 'c' }],
  ['another event in its place', { key: 'other' }],
]

test.each(lost)('%s drops all responses, and those that are being read', (_, changed) => {
  const { stored, add, observe, store, found } = feedOf()
  add('product.created', 1)
  observe()
  store('product 1', 1)
  const mark = stored.mark(1)
  expect(found('product 1', observe(changed))).toBe('absent')
  store('product 1', 1, mark)
  expect(found('product 1', observe(changed))).toBe('absent')
})

test('more changes than the fence lists drop all responses', () => {
  const { add, observe, store, found } = feedOf()
  observe()
  store('product 1', 1)
  for (let count = 0; count <= fenceLimits.feedRows; count += 1) add('product.updated', 50)
  expect(found('product 1')).toBe('absent')
  store('product 1', 1)
  for (let count = 0; count < fenceLimits.feedRows; count += 1) add('product.updated', 50)
  expect(found('product 1')).toBe('hit')
})

test('a fence that arrives late changes nothing, and its request uses no stored response', () => {
  const { stored, add, fence, observe, store, found } = feedOf()
  add('product.created', 1)
  const late = fence()
  add('product.updated', 1)
  observe()
  store('product 1', 1)
  const view = stored.observe(settings, late)
  expect([view, stored.find(view, 'product 1')]).toEqual([undefined, 'unknown'])
  expect(found('product 1')).toBe('hit')
})

test('each fault that tests can insert uses a stale response', () => {
  const stale = (faults: FreshnessFaults, id: number) => {
    const { add, observe, store, found } = feedOf(faults)
    observe()
    store('product 1', 1)
    add('product.updated', id)
    return found('product 1')
  }
  expect([stale({}, 1), stale({}, 101)]).toEqual(['absent', 'absent'])
  expect(stale({ ignoreFence: true }, 1)).toBe('hit')
  expect(stale({ ignoreType: 'product.updated' }, 1)).toBe('hit')
  expect([stale({ keepDependents: true }, 101), stale({ keepDependents: true }, 1)]).toEqual([
    'hit',
    'absent',
  ])
})
