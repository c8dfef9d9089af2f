import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { ownDatabase } from '../../test/database/test-database.ts'
import { temporaryFolder } from '../../test/setup/temporary-folder.ts'
import { loadConfig } from '../config.ts'
import { judgeBackups } from '../doctor/check-backups.ts'
import { openLog } from '../http/request-log.ts'
import { backupPlan } from './backup-plan.ts'
import { listKept, nameOfBackup } from './kept-backups.ts'
import { scheduleBackups } from './schedule-backups.ts'

const hour = 3600
let connection: pg.ClientConfig
beforeAll(async () => {
  connection = await ownDatabase('scheduled')
})

/** A process that makes backups every hour, as far as the database can tell. */
function schedule(folder: string, keep = 28) {
  const told = { success: 0, failure: 0 }
  const job = scheduleBackups({
    plan: { everySeconds: hour, keep, folder },
    connection,
    log: openLog('silent'),
    onTimes: (success, failure) => Object.assign(told, { success, failure }),
  })
  const leave = async () => void (await job.end?.(undefined as never))
  onTestFinished(leave)
  return { told, leave, look: () => job.run(undefined as never, new AbortController().signal) }
}

/** Makes all backups of the folder so much older. */
function age(folder: string, hours: number): void {
  for (const { file, at } of listKept(folder))
    renameSync(join(folder, file), join(folder, nameOfBackup(new Date(at.getTime() - hours * hour * 1000))))
}

const count = (folder: string) => listKept(folder).length

test('two processes on one database make one backup a period, also after a restart, and keep as many as they are told', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'notes.backup'), 'not ours')
  const leftOver = `${nameOfBackup(new Date(0))}.0123abcd.partial`
  writeFileSync(join(folder, leftOver), 'of a process that was killed')
  const [one, two] = [schedule(folder, 2), schedule(folder, 2)]
  for (const files of [1, 2, 2]) {
    await Promise.all([one.look(), two.look()])
    await Promise.all([one.look(), two.look(), schedule(folder, 2).look()])
    expect(count(folder)).toBe(files)
    age(folder, 1)
  }
  expect(one.told.success).toBeGreaterThan(Date.now() / 1000 - hour)
  expect(readdirSync(folder)).toContain('notes.backup')
  expect(readdirSync(folder)).not.toContain(leftOver)
})

test('a backup that is dated ahead, by a clock that was wrong, takes the place of no other', async () => {
  const folder = temporaryFolder()
  const ahead = [2, 3].map((hours) => nameOfBackup(new Date(Date.now() + hours * hour * 1000)))
  for (const file of ahead) writeFileSync(join(folder, file), '')
  const { look } = schedule(folder, 1)
  await look()
  await look()
  const files = listKept(folder).map(({ file }) => file)
  expect(files).toEqual([expect.not.stringMatching(ahead[1] as string), ahead[1]])
})

test('when the process that makes backups ends, another one takes over, in a folder of its own', async () => {
  const [here, there] = [temporaryFolder(), temporaryFolder()]
  const [one, two] = [schedule(here), schedule(there)]
  await one.look()
  await two.look()
  expect([count(here), count(there)]).toEqual([1, 0])
  await one.leave()
  await two.look()
  expect([count(here), count(there)]).toEqual([1, 1])
})

test('a failure is told, and tried again later', async () => {
  const folder = join(temporaryFolder(), 'backups')
  writeFileSync(folder, 'in the way')
  const { told, look } = schedule(folder)
  await expect(look()).rejects.toThrow()
  rmSync(folder)
  await look()
  expect(told.failure).toBeGreaterThan(Date.now() / 1000 - hour)
  expect(count(folder)).toBe(0)
  vi.setSystemTime(Date.now() - 24 * hour * 1000)
  onTestFinished(() => void vi.useRealTimers())
  await look()
  expect(count(folder), 'after the clock was set back').toBe(1)
})

test('the doctor warns of a schedule whose newest backup is older than two periods', async () => {
  const folder = temporaryFolder()
  const judge = (at: number) => judgeBackups({ everySeconds: hour, keep: 1, folder }, new Date(at)).status
  const now = Date.now()
  expect(judgeBackups({ everySeconds: hour, keep: 1, folder: join(folder, 'none') }, new Date()).status).toBe(
    'ok',
  )
  expect(judge(now)).toBe('warning')
  writeFileSync(join(folder, nameOfBackup(new Date(now))), '')
  expect([judge(now), judge(now + 1.9 * hour * 1000), judge(now + 2.1 * hour * 1000)]).toEqual([
    'ok',
    'ok',
    'warning',
  ])
})

test.each([
  [{ backupEvery: '6 hours' }, 'backupEvery (CATALOG_BACKUP_EVERY) must be a time such as 6h'],
  [{ backupDirectory: '/backups' }, 'give both, or neither'],
  [{ backupEvery: '6h', databaseUrl: 'postgres://localhost/c' }, 'say with --backup-dir'],
])('settings that make no schedule are refused: %j', (flags, message) => {
  expect(() => backupPlan(loadConfig(flags, {}))).toThrow(message)
})

test('a schedule is read from the environment too', () => {
  const environment = {
    CATALOG_BACKUP_EVERY: '90m',
    CATALOG_BACKUP_KEEP: '3',
    CATALOG_BACKUP_DIR: '/backups',
  }
  expect(backupPlan(loadConfig({}, environment))).toEqual({ everySeconds: 5400, keep: 3, folder: '/backups' })
})
