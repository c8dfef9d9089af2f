import { afterAll, expect, inject, test } from 'vitest'
import { openDatabase } from './database.ts'
import { broad, sql } from './sql.ts'

const database = openDatabase({ connection: inject('connection'), poolSize: 4, statementTimeoutSeconds: 1 })
afterAll(() => database.close())

const sleepy = (seconds: number) => database.query(broad(sql`select pg_sleep(${seconds})`))

test('broad statements leave connections to the others, however many they are', async () => {
  let ended = 0
  const broadOnes = Array.from({ length: 4 }, () => sleepy(0.15).then(() => (ended += 1)))
  await Promise.all(Array.from({ length: 3 }, () => database.query(sql`select 1`)))
  expect(ended).toBeLessThan(4)
  await Promise.all(broadOnes)
})

test('a broad statement that waits longer than the time limit fails as one that ran past it, and holds up nobody', async () => {
  const outcomes = await Promise.allSettled([sleepy(0.9), sleepy(0.9), sleepy(0.9)])
  const failures = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason.failure] : [],
  )
  expect(failures).toContain('query_timeout')
  await sleepy(0)
})
