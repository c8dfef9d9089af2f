import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { ownDatabase } from '../../../test/database/test-database.ts'
import { temporaryFolder } from '../../../test/setup/temporary-folder.ts'
import { loadConfig } from '../../config.ts'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { openLog } from '../../platform/http/request-log.ts'
import { runJobs } from '../../platform/jobs/run-jobs.ts'
import { jobLimits } from '../../platform/limits/jobs.ts'
import { judgeBackups } from '../doctor/check-backups.ts'
import { backupPlan } from './backup-plan.ts'
import { scheduleBackups } from './schedule-backups.ts'
import { backupFileName, listStoredBackups } from './stored-backups.ts'

const hour = 3600
let connection: pg.ClientConfig
let service: Database
beforeAll(async () => {
  connection = await ownDatabase('scheduled')
  service = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 5 })
})
afterAll(() => service.close())
beforeEach(async () => {
  await service.query(sql`delete from jobs`)
  await requestBackups()
})
const limits = { ...jobLimits, pollMilliseconds: 10, renewMilliseconds: 50, stopMilliseconds: 1_000 }

/** A process that creates hourly backups by the database clock, and checks the schedule continuously. */
function startProcess(folder: string, { keep = 28, everySeconds = hour } = {}) {
  const reported = { success: 0, failure: 0 }
  const database = openDatabase({ connection, poolSize: 2, statementTimeoutSeconds: 5 })
  const log = openLog('silent')
  const { kind } = scheduleBackups({
    plan: { everySeconds, keep, folder },
    ...{ connection, log, pollMilliseconds: 10 },
    onTimes: (success, failure) => Object.assign(reported, { success, failure }),
  })
  const jobs = runJobs({ kinds: [kind], ends: {}, database: database.background, log, limits })
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= jobs.stop().then(() => database.close())
    return stopped
  }
  onTestFinished(stop)
  return { reported, stop }
}

/** As a service does at its start. */
const requestBackups = () =>
  service.query(sql`insert into jobs (project_id, kind, key) values (0, 'backup', '') on conflict do nothing`)
const lease = async () =>
  (
    await service.query(
      sql<{
        owner: string | null
        attempts: number
        last_error: string | null
      }>`select owner, attempts, last_error from jobs where kind = 'backup'`,
    )
  )[0]
const isHeld = async () => ((await lease())?.owner ?? null) !== null

/** Makes all backups of the folder so much older. */
function age(folder: string, hours: number): void {
  for (const { file, at } of listStoredBackups(folder))
    renameSync(join(folder, file), join(folder, backupFileName(new Date(at.getTime() - hours * hour * 1000))))
}

const count = (folder: string) => listStoredBackups(folder).length
const isThere = (folder: string) => existsSync(folder) && count(folder) === 1
const isRecent = (folder: string) =>
  listStoredBackups(folder).some(({ at }) => at.getTime() > Date.now() - (hour * 1000) / 2)

test('two processes write one backup per period, also after a restart, and keep the configured number', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'notes.backup'), 'not ours')
  const leftOver = `${backupFileName(new Date(0))}.0123abcd.partial`
  writeFileSync(join(folder, leftOver), 'of a process that was killed')
  const [one, two] = [startProcess(folder, { keep: 2 }), startProcess(folder, { keep: 2 })]
  for (const files of [1, 2, 2]) {
    await expect.poll(() => [count(folder), isRecent(folder)]).toEqual([files, true])
    age(folder, 1)
  }
  await expect.poll(() => [count(folder), isRecent(folder)]).toEqual([2, true])
  await Promise.all([one.stop(), two.stop()])
  const files = readdirSync(folder)
  const third = startProcess(folder, { keep: 2 })
  await expect.poll(isHeld).toBe(true)
  await third.stop()
  expect(readdirSync(folder)).toEqual(files)
  expect(Math.max(one.reported.success, two.reported.success)).toBeGreaterThan(Date.now() / 1000 - hour)
  expect(files).toContain('notes.backup')
  expect(files).not.toContain(leftOver)
})

test('a backup with a future date does not displace others', async () => {
  const folder = temporaryFolder()
  const ahead = [2, 3].map((hours) => backupFileName(new Date(Date.now() + hours * hour * 1000)))
  for (const file of ahead) writeFileSync(join(folder, file), '')
  startProcess(folder, { keep: 1 })
  const files = () => listStoredBackups(folder).map(({ file }) => file)
  await expect.poll(files).toEqual([expect.not.stringMatching(ahead[1] as string), ahead[1]])
})

test('when the process that writes backups stops, another one takes over in its own folder', async () => {
  const [here, there] = [temporaryFolder(), temporaryFolder()]
  const one = startProcess(here)
  // The file appears before the backup is finished. To rename it then would fail the backup and release the job.
  await expect.poll(() => one.reported.success).toBeGreaterThan(0)
  expect(count(here)).toBe(1)
  startProcess(there)
  age(here, 1)
  await expect.poll(() => count(here)).toBe(2)
  expect(count(there)).toBe(0)
  await one.stop()
  await expect.poll(() => count(there)).toBe(1)
})

test('a failure is reported with its reason and retried until a backup succeeds', async () => {
  const folder = join(temporaryFolder(), 'backups')
  writeFileSync(folder, 'in the way')
  const { reported } = startProcess(folder)
  await expect.poll(lease).toMatchObject({ last_error: expect.stringContaining(folder) })
  expect(reported.failure).toBeGreaterThan(Date.now() / 1000 - hour)
  rmSync(folder)
  await expect.poll(() => isThere(folder)).toBe(true)
  await expect.poll(lease).toMatchObject({ attempts: 0, last_error: null })
})

test('the doctor warns if the newest backup is older than two periods', async () => {
  const folder = temporaryFolder()
  const judge = (at: number) => judgeBackups({ everySeconds: hour, keep: 1, folder }, new Date(at)).status
  const now = Date.now()
  expect(judgeBackups({ everySeconds: hour, keep: 1, folder: join(folder, 'none') }, new Date()).status).toBe(
    'ok',
  )
  expect(judge(now)).toBe('warning')
  writeFileSync(join(folder, backupFileName(new Date(now))), '')
  expect([judge(now), judge(now + 1.9 * hour * 1000), judge(now + 2.1 * hour * 1000)]).toEqual([
    'ok',
    'ok',
    'warning',
  ])
})

test.each([
  [{ backupEvery: '6 hours' }, 'backupEvery (CATALOG_BACKUP_EVERY) must be a duration such as 6h'],
  [{ backupDirectory: '/backups' }, '--backup-dir requires --backup-every'],
  [{ backupEvery: '6h', databaseUrl: 'postgres://localhost/c' }, '--backup-every requires --backup-dir'],
])('settings that make no schedule are refused: %j', (flags, message) => {
  expect(() => backupPlan(loadConfig(flags, {}))).toThrow(message)
})

test('the schedule can be set by environment variables', () => {
  const environment = {
    CATALOG_BACKUP_EVERY: '90m',
    CATALOG_BACKUP_KEEP: '3',
    CATALOG_BACKUP_DIR: '/backups',
  }
  expect(backupPlan(loadConfig({}, environment))).toEqual({ everySeconds: 5400, keep: 3, folder: '/backups' })
})
