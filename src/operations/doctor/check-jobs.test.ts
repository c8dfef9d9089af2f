import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ownDatabase } from '../../../test/database/test-database.ts'
import { loadConfig } from '../../config.ts'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { CheckContext } from './check.ts'
import { jobsCheck } from './check-jobs.ts'

let database: Database
beforeAll(async () => {
  database = openDatabase({
    connection: await ownDatabase('jobs_check'),
    poolSize: 1,
    statementTimeoutSeconds: 5,
  })
})
afterAll(() => database.close())
beforeEach(async () => void (await database.query(sql`delete from jobs`)))

const check = () => jobsCheck.run({ database, config: loadConfig({}, {}) } as CheckContext)
const add = (projectId: number, kind: string, dueSecondsAgo: number, isFailed = false) =>
  database.query(sql`
    insert into jobs (project_id, kind, key, due_at, failed_at)
    values (${projectId}, ${kind}, gen_random_uuid()::text, now() - ${dueSecondsAgo}::float8 * interval '1 second',
      case when ${isFailed} then now() end)`)
/** As a running service leaves it. */
const runMaintenance = () => add(0, 'upkeep', -5)

test('jobs that run in time pass the check', async () => {
  expect((await check()).status).toBe('ok')
  await runMaintenance()
  await add(1, 'webhook.deliver', 20)
  await add(1, 'quality.score', -3_600)
  expect((await check()).status).toBe('ok')
})

test('failed jobs are counted by kind, with the command that lists them', async () => {
  await runMaintenance()
  for (const kind of ['quality.score', 'proposal.prepare', 'proposal.prepare']) await add(1, kind, 0, true)
  expect(await check()).toEqual({
    status: 'warning',
    detail: 'background jobs failed: 2 proposal.prepare, 1 quality.score',
    advice: expect.stringContaining('catalog jobs list --state failed'),
  })
})

test('overdue jobs are reported with and without a running service', async () => {
  await add(0, 'upkeep', 7_200)
  expect((await check()).status).toBe('ok')
  await add(1, 'webhook.deliver', 7_200)
  await add(1, 'webhook.deliver', 10)
  const late = '2 webhook.deliver (the oldest for 72'
  expect(await check()).toMatchObject({ status: 'warning', detail: expect.stringContaining(late) })
  expect(await check()).toMatchObject({ detail: expect.stringMatching(/; no service runs jobs$/) })
  await database.query(sql`
    insert into jobs (project_id, kind, key, due_at, owner, lease_until)
    values (1, 'quality.score', '', 'infinity', gen_random_uuid(), now() + interval '9 seconds')`)
  expect(await check()).toMatchObject({
    status: 'warning',
    detail: expect.stringMatching(/1 upkeep .* although a service runs jobs$/),
    advice: expect.stringContaining('catalog jobs list --state running'),
  })
})

test('a backup job without a schedule passes the check', async () => {
  await runMaintenance()
  await add(0, 'backup', 7_200)
  expect((await check()).status).toBe('ok')
})
