import { describe, expect, test } from 'vitest'
import { seededRandom } from '../seeded-random.ts'
import { findViolation, type Operation, type Rule } from './check-history.ts'

const write = (version: number, start: number, end: number, value?: string): Operation => ({
  kind: 'write',
  version,
  start,
  end,
  value,
})
const read = (version: number, start: number, end: number, value?: string): Operation => ({
  ...write(version, start, end, value),
  kind: 'read',
})
const first = write(1, 0, 1, 'a')

const linearizable: Record<string, Operation[]> = {
  'of nothing': [],
  'in which each read returns the last write': [
    first,
    read(1, 2, 3, 'a'),
    write(2, 4, 5, 'b'),
    read(2, 6, 7, 'b'),
  ],
  'in which a read during a write returns the old or the new version': [
    first,
    write(2, 2, 10),
    read(1, 3, 4),
    read(2, 5, 6),
  ],
  'in which concurrent reads return versions in any order': [
    first,
    write(2, 2, 10),
    read(2, 3, 6),
    read(1, 4, 7),
  ],
  'in which concurrent writes have versions in any order': [
    first,
    write(3, 2, 8),
    write(2, 3, 9),
    read(3, 10, 11),
  ],
  'in which a write without a response never shows': [
    first,
    write(2, 2, Number.POSITIVE_INFINITY),
    read(1, 9, 10),
  ],
  'in which a write without a response shows later': [
    first,
    write(2, 2, Number.POSITIVE_INFINITY),
    read(1, 9, 10),
    read(2, 11, 12),
  ],
  'in which a read begins exactly when a write ends': [first, write(2, 2, 3), read(1, 3, 4)],
}

const wrong: [name: string, rule: Rule, history: Operation[]][] = [
  [
    'a read misses a write that was acknowledged before it',
    'stale read',
    [first, write(2, 2, 3), read(1, 4, 5)],
  ],
  [
    'a read misses a write that another read has returned',
    'reads went back',
    [first, write(2, 2, 20), read(2, 3, 4), read(1, 5, 6)],
  ],
  [
    'a read loses a write without a response that another read has returned',
    'reads went back',
    [first, write(2, 2, Number.POSITIVE_INFINITY), read(2, 3, 4), read(1, 5, 6)],
  ],
  [
    'a read returns a write that begins later',
    'read before the write began',
    [first, read(2, 2, 3), write(2, 4, 5)],
  ],
  ['a later write gets an earlier version', 'writes out of order', [first, write(3, 2, 3), write(2, 4, 5)]],
  ['two writes get one version', 'version written twice', [first, write(2, 2, 9), write(2, 3, 9)]],
  ['a read returns a version without a write', 'version never written', [first, read(2, 2, 3)]],
  ['a read returns the version with another value', 'wrong value', [first, read(1, 2, 3, 'b')]],
]

/** Tries all orders of the operations, which only short histories allow. */
function hasOrder(history: readonly Operation[], current = 0): boolean {
  if (history.length === 0) return true
  return history.some((one) => {
    const others = history.filter((other) => other !== one)
    if (others.some(({ end }) => end < one.start)) return false
    if (one.kind === 'read') return one.version === current && hasOrder(others, current)
    return one.version > current && hasOrder(others, one.version)
  })
}

describe('the check of histories', () => {
  test.each(Object.entries(linearizable))('accepts a history %s', (_name, history) => {
    expect(findViolation(history)).toBeUndefined()
    expect(findViolation(history.toReversed())).toBeUndefined()
  })

  test.each(wrong)('rejects a history in which %s', (_name, rule, history) => {
    expect(findViolation(history)?.rule).toBe(rule)
    expect(findViolation(history.toReversed())?.rule).toBe(rule)
  })

  test('finds an error exactly if no order of the operations exists', () => {
    const chance = seededRandom(40)
    const results = new Set<boolean>()
    for (let turn = 0; turn < 2_000; turn += 1) {
      const versions = chance.shuffled([1, 2, 3])
      const interval = () => {
        const start = chance.between(0, 12)
        return [start, start + chance.between(1, 8)] as const
      }
      const history = [
        ...versions.map((version) => write(version, ...interval())),
        ...Array.from({ length: 3 }, () => read(chance.between(1, 3), ...interval())),
      ]
      const isRight = hasOrder(history)
      expect(findViolation(history) === undefined, JSON.stringify(history)).toBe(isRight)
      results.add(isRight)
    }
    expect(results.size).toBe(2)
  })
})
