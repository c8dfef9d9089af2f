import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, inject, test } from 'vitest'
import { openDatabase } from './database.ts'
import { broad, type Sql, sql } from './sql.ts'

const database = openDatabase({ connection: inject('connection'), poolSize: 4, statementTimeoutSeconds: 1 })
const holder = openDatabase({ connection: inject('connection'), poolSize: 1, statementTimeoutSeconds: 0 })
afterAll(() => Promise.all([database.close(), holder.close()]))

const sleepy = (seconds: number) => database.query(broad(sql`select pg_sleep(${seconds})`))

/** How many of these, which wait for a lock, have ended when somebody else, who came a little later, has his answer. */
async function endedBeforeOther(work: (waits: Sql) => Promise<unknown>): Promise<number> {
  let ended = 0
  const running = await holder.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(4270099)`)
    const waits = sql`select pg_advisory_xact_lock_shared(4270099)`
    const all = Array.from({ length: 4 }, () => work(waits).finally(() => (ended += 1)))
    await sleep(50)
    await database.query(sql`select 1`)
    return { all, ended }
  })
  await Promise.all(running.all)
  return running.ended
}

test('broad statements leave connections to the others, however many they are', async () => {
  expect(await endedBeforeOther((waits) => database.query(broad(waits)))).toBe(0)
})

test('bulk transactions leave a connection to the others, however many they are', async () => {
  const bulk = (waits: Sql) => database.transaction((tx) => tx.query(waits), { bulkOf: 1 })
  expect(await endedBeforeOther(bulk)).toBe(0)
})

test('bulk transactions of one project leave room to those of others, however long they wait', async () => {
  await holder.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(4270099)`)
    const waits = sql`select pg_advisory_xact_lock_shared(4270099)`
    const bulk = (project: number, statement: Sql) =>
      database.transaction((tx) => tx.query(statement), { bulkOf: project })
    const held = Promise.allSettled(Array.from({ length: 4 }, () => bulk(1, waits)))
    const other = bulk(2, sql`select 1`).then(() => 'other')
    expect(await Promise.race([held, other])).toBe('other')
    return { held }
  })
})

test('a broad statement that waits longer than the time limit fails as one that ran past it, and holds up nobody', async () => {
  const outcomes = await Promise.allSettled([sleepy(0.9), sleepy(0.9), sleepy(0.9)])
  const failures = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason.failure] : [],
  )
  expect(failures).toContain('query_timeout')
  await sleepy(0)
})
