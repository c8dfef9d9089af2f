import { afterAll, describe, expect, inject, test } from 'vitest'
import { openDatabase } from '../database.ts'
import { broad, planEachTime, type Sql, sql, write } from '../sql.ts'
import {
  type ConnectionClass,
  connectionsOfWorker,
  defaultConnections,
  maxPerProject,
  minConnections,
  shareConnections,
} from './connection-classes.ts'

describe('the connections of a worker', () => {
  test('add up to what it has, whatever that is, and every class has one or shares that of the background', () => {
    for (let total = minConnections; total <= 1_000; total += 1) {
      const shares = shareConnections(total)
      const sizes = Object.values(shares)
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(total)
      const shared = ['deliveries', 'jobs'].filter((name) => shares[name as ConnectionClass] === 0)
      expect(sizes.filter((size) => size === 0)).toHaveLength(shared.length)
    }
  })

  test('are rejected if there are fewer than classes', () => {
    expect(() => shareConnections(minConnections - 1)).toThrow('not enough')
  })

  test('belong to jobs in one worker of a process, and usually one to each heavy kind', () => {
    for (const workers of [1, 2, 4, 8]) {
      const total = defaultConnections(workers)
      const shares = Array.from({ length: workers }, (_, worker) =>
        connectionsOfWorker(total, workers, worker),
      )
      expect(shares[0], `${workers} workers`).toMatchObject({ deliveries: 1, jobs: 3 })
      for (const others of shares.slice(1)) expect(others).toMatchObject({ deliveries: 0, jobs: 0 })
      const sum = shares.flatMap(Object.values).reduce((all, size) => all + size, 0)
      expect([sum <= total, sum > total - workers]).toEqual([true, true])
    }
  })

  test('leave room to other projects in every class that has more than one', () => {
    const shares = shareConnections(24)
    for (const name of ['writes', 'waiting', 'bulk', 'exports'] as const)
      expect(maxPerProject(name, shares[name])).toBeLessThan(shares[name])
  })
})

const shares = {
  ...{
    reads: 1,
    lists: 2,
    writes: 2,
    waiting: 2,
    bulk: 2,
    exports: 1,
    background: 1,
    deliveries: 1,
    jobs: 1,
  },
}
const database = openDatabase({
  connection: inject('connection'),
  poolSize: shares,
  statementTimeoutSeconds: 1,
})
const holder = openDatabase({ connection: inject('connection'), poolSize: 2, statementTimeoutSeconds: 0 })
afterAll(() => Promise.all([database.close(), holder.close()]))

const waits = sql`select pg_advisory_xact_lock_shared(4270099)`
const waitsTooLong = { statementTimeoutSeconds: 20 }

/** Runs the work while statements of the sort above wait. Only then may they end. */
async function whileWaiting(
  begin: () => Promise<unknown>[],
  atOnce: number,
  work: () => Promise<void>,
): Promise<void> {
  const begun = await holder.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(4270099)`)
    const all = Promise.allSettled(begin())
    const waiting = sql<{ count: number }>`
      select count(*) from pg_locks where locktype = 'advisory' and objid = 4270099 and not granted`
    await expect.poll(async () => (await holder.query(waiting))[0]?.count).toBe(atOnce)
    await work()
    return { all }
  })
  await begun.all
}

const times = <Result>(count: number, work: (number: number) => Promise<Result>) =>
  Array.from({ length: count }, (_, number) => work(number))
const expectService = async () =>
  expect(await database.query(sql<{ one: number }>`select 1 as one`)).toEqual([{ one: 1 }])

describe('fault 26: waiting work leaves connections for others', () => {
  test('broad statements use at most half of the list connections', async () => {
    const list = (statement: Sql) => database.query(broad(statement))
    await whileWaiting(() => times(20, () => list(waits)), shares.lists / 2, expectService)
  })

  test('batches of pushes hold up no read and no write, and those of one project not those of another', async () => {
    const batch = (project: number, statement: Sql) =>
      database.transaction((tx) => tx.query(statement), { bulk: true, project, ...waitsTooLong })
    await whileWaiting(
      () => times(20, () => batch(1, waits)),
      1,
      async () => {
        await expectService()
        await database.transaction((tx) => tx.query(sql`select 1`))
        await batch(2, sql`select 1`)
      },
    )
  })

  test('writers that wait hold up no read, no other write, and not the waiting writers of other projects', async () => {
    const change = (project: number) =>
      database.transaction((tx) => tx.query(waits), { project, ...waitsTooLong })
    const both = () => [...times(20, () => change(1)), change(2)]
    await whileWaiting(both, 2, async () => {
      await expectService()
      await database.transaction((tx) => tx.query(sql`select 1`), { project: 1 })
      await database.query(write(sql`select 1`, 1))
    })
  })

  test('waiting background work blocks no one', async () => {
    const work = () => database.background.transaction((tx) => tx.query(waits), waitsTooLong)
    await whileWaiting(
      () => times(5, work),
      1,
      async () => {
        await expectService()
        await database.transaction((tx) => tx.query(sql`select 1`))
      },
    )
  })

  test('an open snapshot blocks no one', async () => {
    const held = database.snapshot(1, async function* (reader) {
      yield await reader.query(sql`select 1`)
    })
    await held.next()
    await expectService()
    await database.transaction((tx) => tx.query(sql`select 1`))
    await held.return(undefined)
  })
})

test('a caller that waits too long for a connection gets too_busy, not database_unavailable', {
  tags: 'slow',
}, async () => {
  const change = (project: number, limits: object) =>
    database.transaction((tx) => tx.query(waits), { project, ...limits })
  await whileWaiting(
    () => times(2, (project) => change(project, waitsTooLong)),
    2,
    async () => {
      await expect(change(3, {})).rejects.toMatchObject({ failure: 'too_busy' })
    },
  )
})

test('a connection for reads refuses to write', async () => {
  const forgotten = database.query(sql`create table forgotten_mark (id int)`)
  await expect(forgotten).rejects.toThrow('read-only')
})

test('fault 29: writes are on disk and see what others committed, regardless of the database defaults', async () => {
  const reckless = openDatabase({
    connection: {
      ...inject('connection'),
      options: '-c synchronous_commit=off -c default_transaction_isolation=serializable',
    },
    poolSize: shares,
    statementTimeoutSeconds: 5,
  })
  const settings = sql<object>`
    select current_setting('synchronous_commit') as commit, current_setting('transaction_isolation') as isolation`
  const safe = [{ commit: 'on', isolation: 'read committed' }]
  try {
    expect(await reckless.query(write(settings))).toEqual(safe)
    expect(await reckless.transaction((tx) => tx.query(settings))).toEqual(safe)
    expect(await reckless.transaction((tx) => tx.query(settings), { bulk: true })).toEqual(safe)
    expect(await reckless.background.query(settings)).toEqual(safe)
  } finally {
    await reckless.close()
  }
})

test('lists are planned with their values, point reads and single writes once for all', async () => {
  const mode = () => sql<{ mode: string }>`select current_setting('plan_cache_mode') as mode`
  const found = await Promise.all(
    [mode(), write(mode()), planEachTime(mode()), broad(mode())].map(database.query),
  )
  expect(found.map(([row]) => row?.mode)).toEqual([
    'force_generic_plan',
    'force_generic_plan',
    'auto',
    'auto',
  ])
})

test('a connection whose settings fail is not handed out', async () => {
  const odd = openDatabase({
    connection: inject('connection'),
    poolSize: 1,
    statementTimeoutSeconds: Number.NaN,
  })
  await expect(odd.query(sql`select 1`)).rejects.toThrow('statement_timeout')
  await odd.close()
})
