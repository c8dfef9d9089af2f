import { expect, test } from 'vitest'
import { limitConcurrency } from './concurrency-limit.ts'

/** Enters for each project in order, and returns the projects that have a slot, in the order in which they got it. */
function enterAll(limit: ReturnType<typeof limitConcurrency>, projects: (number | undefined)[]) {
  const inside: { project: number | undefined; leave: () => void }[] = []
  for (const project of projects) void limit.enter(project).then((leave) => inside.push({ project, leave }))
  return { inside }
}
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

test('a free slot goes to the project that has the fewest, however many others came before', async () => {
  const limit = limitConcurrency({ most: 4, maxPerProject: 2, maxWaitSeconds: 0 })
  const { inside } = enterAll(limit, [1, 1, 2, 2, 1, 1, 1, 2, 2, 3])
  await nextTurn()
  expect(inside.map(({ project }) => project)).toEqual([1, 1, 2, 2])
  inside[0]?.leave()
  await nextTurn()
  expect(inside.map(({ project }) => project)).toEqual([1, 1, 2, 2, 3])
})

test('slots without a project are given in the order in which callers arrive', async () => {
  const limit = limitConcurrency({ most: 1, maxWaitSeconds: 0 })
  const order: number[] = []
  await Promise.all([1, 2, 3, 4].map((number) => limit.run(async () => void order.push(number))))
  expect(order).toEqual([1, 2, 3, 4])
})

test('one project fills half of the queue, and others still wait in the rest', async () => {
  const limit = limitConcurrency({ most: 2, maxWaitSeconds: 0, maxWaiting: 4 })
  const { inside } = enterAll(limit, [1, 1, 1, 1])
  await nextTurn()
  await expect(limit.enter(1)).rejects.toMatchObject({ failure: 'too_busy' })
  const other = limit.enter(2)
  inside[0]?.leave()
  await other
})

test('a caller whose signal aborts leaves the queue with the reason, and its work never starts', async () => {
  const limit = limitConcurrency({ most: 1, maxWaitSeconds: 0 })
  const leave = await limit.enter()
  const caller = new AbortController()
  let began = false
  const work = async () => {
    began = true
  }
  const waiting = limit.run(work, 1, caller.signal)
  caller.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  await expect(limit.run(work, 1, caller.signal)).rejects.toThrow('gone')
  leave()
  await limit.run(async () => {})
  expect([began, limit.waiting()]).toEqual([false, 0])
})

test('a caller that does not wait gets a free slot, or none', () => {
  const limit = limitConcurrency({ most: 3, maxPerProject: 2, maxWaitSeconds: 0 })
  const [first, second, third] = [limit.tryEnter(1), limit.tryEnter(1), limit.tryEnter(1)]
  expect([first, second, third].map((leave) => leave !== undefined)).toEqual([true, true, false])
  expect(limit.tryEnter(2)).toBeDefined()
  expect(limit.tryEnter(3)).toBeUndefined()
  first?.()
  first?.()
  expect([limit.tryEnter(3) !== undefined, limit.tryEnter(3) !== undefined]).toEqual([true, false])
})

test('holders that wait for more slots never deadlock: one of them can exceed the limit', async () => {
  const limit = limitConcurrency({ most: 4, maxWaitSeconds: 0, oneGoesBeyond: true })
  const [one, other] = [limit.hold(1), limit.hold(2)]
  expect([one.take(2), other.take(2)]).toEqual([undefined, undefined])
  expect(one.take(5)).toBeUndefined()
  const waits = other.take(1)
  expect(waits).toBeInstanceOf(Promise)
  expect(one.take(5)).toBeUndefined()
  one.leave()
  await waits
  expect(limit.waiting()).toBe(0)
})

test('a caller that waits too long is rejected with the error of its limit', async () => {
  const busyError = () => new Error('come again')
  const limit = limitConcurrency({ most: 1, maxWaitSeconds: 0.01, busyError })
  await limit.enter()
  await expect(limit.enter()).rejects.toThrow('come again')
})
