import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { ownDatabase } from '../../../test/database/test-database.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { openLog } from '../http/request-log.ts'
import type { JobLimits } from '../limits/jobs.ts'
import { listDue, requestJob, restartJob } from './job.sql.ts'
import type { JobEnds, JobKind } from './job.ts'
import { runJobs } from './run-jobs.ts'

const limits = {
  pollMilliseconds: 10,
  leaseMilliseconds: 1_000,
  renewMilliseconds: 50,
  stopMilliseconds: 100,
} satisfies JobLimits

let database: Database
beforeAll(async () => {
  database = openDatabase({
    connection: await ownDatabase('job_table'),
    poolSize: 8,
    statementTimeoutSeconds: 5,
  })
})
afterAll(() => database.close())
beforeEach(async () => void (await database.query(sql`delete from jobs`)))

function kind(run: JobKind['run'], more: Partial<JobKind> = {}): JobKind {
  const usual = { maxConcurrent: 4, maxPerProject: 4, reserved: 0, maxAttempts: 3, maxPauseSeconds: 0.01 }
  return { name: 'test', ...usual, ...more, run }
}

function startProcess(kinds: JobKind[], ends: JobEnds = {}) {
  const process = runJobs({ kinds, ends, database, log: openLog('silent'), limits })
  onTestFinished(process.stop)
  return process
}

const request = (projectId: number, key = 'a') => requestJob(database, { projectId, kind: 'test', key })
type Row = { project_id: number; key: string; attempts: number; last_error: string | null; failed: boolean }
const rows = () =>
  database.query(sql<Row>`
    select project_id, key, attempts, last_error, failed_at is not null as failed from jobs order by project_id, key`)

test('a job runs once although three processes poll for it, and is deleted when it is done', async () => {
  const runs: string[] = []
  const one = kind(async ({ key }) => {
    runs.push(key)
    return 'done'
  })
  for (let process = 0; process < 3; process += 1) startProcess([one])
  await Promise.all(Array.from({ length: 30 }, (_, number) => request(number % 5, `${number}`)))
  await expect.poll(rows).toEqual([])
  expect(runs.toSorted()).toEqual(Array.from({ length: 30 }, (_, number) => `${number}`).toSorted())
})

test('a job that is requested while it runs runs again', async () => {
  let runs = 0
  const again = kind(async () => {
    runs += 1
    if (runs === 1) await request(1)
    return 'done'
  })
  startProcess([again])
  await request(1)
  await expect.poll(rows).toEqual([])
  expect(runs).toBe(2)
})

test('fault 34: a job that cannot succeed ends after its attempts, reports why, and delays no other job', async () => {
  const ended: unknown[] = []
  let others = 0
  const poisoned = kind(
    async ({ projectId }) => {
      if (projectId === 1) throw new Error('broken for ever')
      others += 1
      return 'done'
    },
    { maxConcurrent: 1 },
  )
  startProcess([poisoned], {
    test: { giveUp: async (_tx, { projectId }, reason) => void ended.push([projectId, reason]) },
  })
  await request(1)
  for (let project = 2; project < 12; project += 1) await request(project)
  await expect.poll(() => others).toBe(10)
  const failed = { project_id: 1, key: 'a', attempts: 3, last_error: 'broken for ever', failed: true }
  await expect.poll(rows).toEqual([failed])
  expect(ended).toEqual([[1, expect.stringContaining('unexpected error occurred in 3 attempts')]])
  await request(1)
  await expect.poll(() => ended).toHaveLength(2)
})

test('a result that cannot be recorded leaves the job unchanged, and is retried', {
  tags: 'slow',
}, async () => {
  let ends = 0
  const poisoned = kind(() => Promise.reject(new Error('broken')), { maxAttempts: 1 })
  const giveUp = async () => {
    ends += 1
    if (ends === 1) throw new Error('no room')
  }
  startProcess([poisoned], { test: { giveUp } })
  await request(1)
  await expect.poll(rows).toMatchObject([{ failed: true }])
  expect(ends).toBe(2)
})

test('another process runs the jobs of a killed process, and a job that kills every process ends', async () => {
  await request(1)
  const lose = () =>
    database.query(sql`
      update jobs set owner = gen_random_uuid(), due_at = 'infinity', lease_until = clock_timestamp() where owner is null returning 1`)
  let runs = 0
  const one = kind(async () => {
    runs += 1
    return { againInMilliseconds: 60_000 }
  })
  await lose()
  const process = startProcess([one])
  await expect.poll(() => runs).toBe(1)
  await process.stop()
  await database.query(sql`update jobs set attempts = 3, due_at = now()`)
  startProcess([one])
  await expect.poll(rows).toMatchObject([{ failed: true }])
  expect(runs).toBe(1)
})

test('a process that loses its lease is signaled to stop, and records nothing', async () => {
  const { promise: stopped, resolve } = Promise.withResolvers<void>()
  const { promise: began, resolve: begin } = Promise.withResolvers<void>()
  let runs = 0
  const one = kind(async ({ signal }) => {
    runs += 1
    if (runs > 1) return { againInMilliseconds: 60_000 }
    begin()
    signal.addEventListener('abort', () => resolve())
    await stopped
    return 'done'
  })
  startProcess([one])
  await request(1)
  await began
  await database.transaction((tx) => restartJob(tx, { projectId: 1, kind: 'test', key: 'a' }))
  await stopped
  await expect.poll(() => runs).toBe(2)
  await expect.poll(rows).toMatchObject([{ attempts: 0, failed: false }])
})

test('a stopping process returns its jobs at once, without a failed attempt, even if they do not end', {
  tags: 'slow',
}, async () => {
  const { promise: never } = Promise.withResolvers<'done'>()
  let runs = 0
  const hangs = kind(() => {
    runs += 1
    return never
  })
  const process = startProcess([hangs])
  await request(1)
  await expect.poll(() => runs).toBe(1)
  await process.stop()
  expect(await rows()).toMatchObject([{ attempts: 0, failed: false, last_error: null }])
  startProcess([hangs])
  await expect.poll(() => runs).toBe(2)
})

test('projects whose jobs hang leave the reserved slots to projects that run none', async () => {
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
  const running = new Set<number>()
  let quick = 0
  const shared = kind(
    async ({ projectId }) => {
      if (projectId < 100) {
        running.add(projectId)
        await mayEnd
      } else quick += 1
      return 'done'
    },
    { maxConcurrent: 8, maxPerProject: 4, reserved: 3 },
  )
  startProcess([shared])
  for (const project of [1, 2]) for (let job = 0; job < 20; job += 1) await request(project, `${job}`)
  await expect.poll(() => running.size).toBe(2)
  for (let project = 100; project < 110; project += 1) await request(project)
  await expect.poll(() => quick).toBe(10)
  end()
})

test('a database outage does not count as a failed attempt', { tags: 'slow' }, async () => {
  let runs = 0
  const cut = kind(async () => {
    runs += 1
    if (runs === 1) await database.query(sql`select pg_terminate_backend(pg_backend_pid())`)
    return 'done'
  })
  startProcess([cut])
  await request(1)
  await expect.poll(rows).toMatchObject([{ attempts: 0, last_error: expect.any(String) }])
  await expect.poll(rows).toEqual([])
  expect(runs).toBe(2)
})

test('a project with very many due jobs does not delay other projects, however old its jobs are', async () => {
  await database.query(sql`
    insert into jobs (project_id, kind, key, due_at)
    select 1, 'test', number::text, now() - interval '1 day' from generate_series(1, 600) as number`)
  await request(2)
  const due = await listDue(database, ['test', 'other'], 3)
  expect(due.map(({ projectId }) => projectId).toSorted()).toEqual([1, 1, 1, 2])
  await database.query(sql`delete from jobs where project_id = 1 and key::int > 3`)
  expect(await listDue(database, ['test'], 3)).toHaveLength(4)
})
