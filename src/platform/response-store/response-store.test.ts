import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { kibibyte } from '../units.ts'
import type { Follows, StoredResponse } from './project-entries.ts'
import { openResponseStore } from './response-store.ts'

const everything: Follows = 'everything'

function response(bytes = kibibyte): StoredResponse {
  return {
    body: Buffer.alloc(bytes),
    tag: '"1"',
    compressed: undefined,
    hint: undefined,
    shared: { route: { url: '', config: {} }, contentType: 'application/json', cacheControl: 'no-cache' },
  }
}

function storeOf(maxBytes: number) {
  const store = openResponseStore(maxBytes)
  const offer = (project: number, key: string, follows: Follows = everything, bytes = kibibyte) =>
    store.offer(project, { key, bytes, follows, create: () => response(bytes) })
  const kept = (project: number, keys: string[]) =>
    keys.filter((key) => store.peek(project, key) !== undefined)
  return { ...store, offer, kept }
}

const keys = (count: number, name = 'key') => Array.from({ length: count }, (_, index) => `${name} ${index}`)

test('the bytes never exceed the maximum, and are all returned when a project is dropped', () => {
  const { offer, find, bytes, dropAll } = storeOf(100 * kibibyte)
  for (let round = 0; round < 5; round += 1)
    for (const key of keys(300)) {
      offer(1 + (round % 2), key)
      find(1, key)
      expect(bytes()).toBeLessThanOrEqual(100 * kibibyte)
    }
  dropAll(1)
  dropAll(2)
  expect(bytes()).toBe(0)
})

test('a full store stores a response when it is requested a second time', () => {
  const { offer, peek } = storeOf(50 * kibibyte)
  for (const key of keys(100)) offer(1, key)
  expect([offer(1, 'once'), peek(1, 'once')]).toEqual([false, undefined])
  expect([offer(1, 'once'), peek(1, 'once')]).toEqual([true, expect.anything()])
})

test('responses that are used stay while others pass through', () => {
  const { offer, find, kept } = storeOf(100 * kibibyte)
  const used = keys(20, 'used')
  for (const key of used) offer(1, key)
  for (let round = 0; round < 3; round += 1) for (const key of used) find(1, key)
  for (const key of keys(2_000)) {
    offer(1, key)
    offer(1, key)
    for (const one of used) find(1, one)
  }
  expect(kept(1, used)).toEqual(used)
})

test('a project that floods the store evicts its own responses first', () => {
  const { offer, kept, find } = storeOf(200 * kibibyte)
  const small = keys(10, 'small')
  for (const key of small) offer(1, key)
  for (const key of [...keys(2_000), ...keys(2_000)]) {
    offer(2, key)
    offer(2, key)
    find(2, key)
  }
  expect(kept(1, small)).toEqual(small)
})

test('with more projects than fit, the bytes stay below the maximum, and responses are still found', () => {
  const { offer, find, bytes } = storeOf(100 * kibibyte)
  for (let project = 1; project <= 1_000; project += 1) {
    offer(project, 'page')
    expect(bytes()).toBeLessThanOrEqual(100 * kibibyte)
  }
  for (const project of [5, 2_000, 2_001]) {
    offer(project, 'page', everything, project)
    expect(find(project, 'page')).toBeDefined()
  }
})

test('projects that use the store keep their responses while others pass through', () => {
  const { offer, find } = storeOf(100 * kibibyte)
  const busy = [1, 2, 3, 4, 5]
  for (const project of busy) offer(project, 'page')
  for (let passing = 100; passing < 1_000; passing += 1) {
    offer(passing, 'page')
    for (const project of busy) expect(find(project, 'page')).toBeDefined()
  }
})

test('a project below its share gets room from one that exceeds its own', () => {
  const { offer, kept, evictions } = storeOf(200 * kibibyte)
  for (const key of keys(500)) offer(1, key)
  const late = keys(20, 'late')
  for (const key of late) offer(2, key)
  expect(kept(2, late)).toEqual(late)
  expect(evictions()).toBeGreaterThan(0)
})

test('a change drops what follows the object, any product or everything, and nothing else', () => {
  const { offer, kept, dropFollowing } = storeOf(1_000 * kibibyte)
  const all = ['own', 'dependent', 'other', 'parent', 'list']
  offer(1, 'own', { objects: [5], anyProduct: false })
  offer(1, 'dependent', { objects: [6, 5], anyProduct: false })
  offer(1, 'other', { objects: [7], anyProduct: false })
  offer(1, 'parent', { objects: [8], anyProduct: true })
  offer(1, 'list', everything)
  offer(2, 'own', { objects: [5], anyProduct: true })
  dropFollowing(1, [5, 99])
  expect(kept(1, all)).toEqual(['other'])
  dropFollowing(1, null)
  expect(kept(1, all)).toEqual([])
  expect(kept(2, all)).toEqual(['own'])
})

test('a response that was used is stored again at the first request after its object has changed', () => {
  const { offer, find, kept, dropFollowing } = storeOf(50 * kibibyte)
  const of = (id: number): Follows => ({ objects: [id], anyProduct: false })
  offer(1, 'used', of(5))
  find(1, 'used')
  offer(1, 'unused', of(6))
  offer(1, 'other', of(7))
  dropFollowing(1, [5, 6])
  for (const key of keys(60)) offer(1, key, of(7))
  expect([offer(1, 'used', of(5)), offer(1, 'unused', of(6))]).toEqual([true, false])
  expect(kept(1, ['used', 'unused'])).toEqual(['used'])
})

test('compressed bytes count, and responses that they displace are evicted', () => {
  const { offer, find, grow, bytes } = storeOf(100 * kibibyte)
  offer(1, 'key')
  const before = bytes()
  const { response: stored } = find(1, 'key') as { response: StoredResponse }
  grow(1, 'key', stored, 300)
  expect(bytes()).toBe(before + 300)
  grow(1, 'key', response(), 300)
  expect(bytes()).toBe(before + 300)
  grow(1, 'key', stored, 200 * kibibyte)
  expect(bytes()).toBeLessThanOrEqual(100 * kibibyte)
})

test('the counted bytes match the memory that responses use', { tags: 'slow' }, () => {
  const program = fileURLToPath(new URL('../../../test/measure-stored-bytes.ts', import.meta.url))
  const printed = execFileSync(process.execPath, ['--expose-gc', program], { encoding: 'utf8' })
  const ratios = Object.entries(JSON.parse(printed) as Record<string, number>)
  expect(ratios).toHaveLength(7)
  for (const [name, ratio] of ratios) {
    expect(ratio, name).toBeGreaterThan(0.8)
    expect(ratio, name).toBeLessThan(1.1)
  }
})
