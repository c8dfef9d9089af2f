import { expect, test } from 'vitest'
import type { FreshnessFaults } from '../../src/model/freshness/fresh-responses.ts'
import { ownDatabase } from '../database/test-database.ts'
import { scaled } from '../faults/scale.ts'
import { startTestService } from '../harness.ts'
import { startLoad } from './start-load.ts'

/** More than enough: without errors, the load would still run. */
const mostReads = 20_000

/** The changes are those that the error affects, so that a slow machine finds it soon. */
const controls: [name: string, faults: FreshnessFaults, kinds: string[], register: RegExp][] = [
  ['stored responses are used without a comparison of fences', { ignoreFence: true }, ['rename'], /name of/],
  [
    'one kind of change does not move the fence',
    { ignoreType: 'product.stock_changed' },
    ['adjustStock', 'adjustOther'],
    /stock of/,
  ],
  [
    'responses that depend on a changed product are kept',
    { keepDependents: true },
    ['adjustStock', 'describe', 'price'],
    /(stock|text|price) of/,
  ],
]

/** The short form tries only the first error. */
test.each(controls.slice(0, scaled(1, controls.length)))(
  'fault 40: the check of reads finds the error if %s',
  async (_name, cacheFaults, kinds, register) => {
    const service = await startTestService({}, await ownDatabase('control'), { cacheFaults })
    const { token } = await service.tenant()
    const pool = { count: 1, urlOf: async () => service.url }
    const load = await startLoad(pool, {
      tokens: [token],
      writers: 2,
      readers: 6,
      readsBetweenWrites: 40,
      kinds,
    })
    const found = () => load.findStale().map((one) => one.register)
    await expect
      .poll(() => load.reads() > mostReads || found().some((one) => register.test(one)), { interval: 200 })
      .toBe(true)
    const names = found()
    await load.stop()
    expect(names).toEqual(expect.arrayContaining([expect.stringMatching(register)]))
  },
)
