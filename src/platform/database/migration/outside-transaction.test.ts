import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { emptyDatabase } from '../../../../test/database/test-database.ts'
import { compileCache, environment } from '../../../../test/processes/catalog-process.ts'
import { temporaryFolder } from '../../../../test/setup/temporary-folder.ts'
import { connect } from '../connections/connect.ts'
import { openDatabase } from '../database.ts'
import { migrate } from '../migrate.ts'
import { readMigrations } from './migration-file.ts'

const items = `create table items (id bigint primary key, name text, upper_name text, changes int not null default 0);
  insert into items select id, 'item ' || id from generate_series(1, 3000) as id;`
const index = `-- outside a transaction
  create index concurrently items_by_name on items (name);`
/** A batch of more than 200 rows takes longer than batches may. */
const backfill = `-- outside a transaction
  -- repeat until no row changes
  with batch as materialized (
    select id from items where id > coalesce($2, 0) and upper_name is null order by id limit $1 for no key update
  ), slow as materialized (
    select pg_sleep(case when count(*) > 200 then 10 else 0.01 end) from batch
  ), changed as (
    update items set upper_name = upper(name), changes = changes + 1
    from slow where id in (select id from batch)
  )
  select id from batch order by id desc limit 1;
  alter table items alter column changes set not null;`

let connection: pg.ClientConfig
let admin: pg.Client
beforeAll(async () => {
  connection = await emptyDatabase('outside')
  admin = await connect(connection)
  return () => admin.end()
})
beforeEach(async () => {
  await admin.query('drop schema public cascade; create schema public')
  await start({ '1.sql': items }).applied
})

function folderOf(files: Record<string, string>): string {
  const folder = mkdtempSync(join(temporaryFolder(), 'migrations-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), `${text}\n`)
  return folder
}

/** As a service does at its start. */
function start(files: Record<string, string>, maxLockWaitSeconds = 60) {
  const database = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 0 })
  const reported: string[] = []
  const release = { version: '1.0.0', migrations: readMigrations(folderOf({ '1.sql': items, ...files })) }
  const report = (line: string) => void reported.push(line)
  const applied = migrate(database, { release, maxLockWaitSeconds, report }).finally(() => database.close())
  applied.catch(() => {})
  return { applied, reported }
}

/** A process that migrates, to be killed. */
function startProcess(files: Record<string, string>) {
  const program = `
    const [database, files, migrate] = await Promise.all(['database.ts', 'migration/migration-file.ts', 'migrate.ts']
      .map((file) => import(${JSON.stringify(fileURLToPath(new URL('../', import.meta.url)))} + file)))
    const [connection, folder] = process.argv.slice(1)
    const options = { connection: JSON.parse(connection), poolSize: 1, statementTimeoutSeconds: 0 }
    const release = { version: '1.0.0', migrations: files.readMigrations(folder) }
    await migrate.migrate(database.openDatabase(options), { release })`
  const args = [
    '--input-type=module',
    '-e',
    program,
    JSON.stringify(connection),
    folderOf({ '1.sql': items, ...files }),
  ]
  const child = spawn(process.execPath, args, { env: environment(compileCache), stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

async function value(query: string): Promise<unknown> {
  const { rows } = await admin.query<Record<string, unknown>>(query)
  return Object.values(rows[0] ?? {})[0]
}

/** A writer whose transaction stays open until commit(). */
async function openWriter() {
  const client = await connect(connection)
  onTestFinished(() => client.end())
  await client.query('begin; update items set name = name where id = 1')
  return { commit: () => client.query('commit') }
}

const write = `set lock_timeout = '1s'; update items set name = name where id = 2`
const isValid = `select indisvalid from pg_index where indexrelid = to_regclass('items_by_name')`
const waitsForOlder = `select count(*)::int from pg_stat_progress_create_index
  where datname = current_database() and phase like 'waiting for%'`

test('an index is built while a writer stays open and other starts wait, and no writer is blocked', async () => {
  const writer = await openWriter()
  const first = start({ '2.sql': index })
  await expect.poll(() => value(waitsForOlder)).toBe(1)
  const others = [start({ '2.sql': index }), start({ '2.sql': index })]
  for (const { reported } of others)
    await expect
      .poll(() => reported)
      .toEqual(['another process is migrating or backing up the database; waiting until it finishes'])
  await admin.query(write)
  await writer.commit()
  expect(await first.applied).toEqual(['2.sql'])
  for (const { applied } of others) expect(await applied).toEqual([])
  expect(await value(isValid)).toBe(true)
})

test.each([
  ['create index concurrently items_by_name'],
  ['create unique index concurrently if not exists "items_by_name"'],
])('an index that a killed start left invalid is dropped and built again: %s', async (create) => {
  const files = { '2.sql': `-- outside a transaction\n${create} on items (name);` }
  const writer = await openWriter()
  const killed = start(files)
  await expect.poll(() => value(waitsForOlder)).toBe(1)
  await admin.query(
    'select pg_terminate_backend(pid) from pg_stat_progress_create_index where datname = current_database()',
  )
  await expect(killed.applied).rejects.toThrow()
  expect(await value(isValid)).toBe(false)
  await writer.commit()
  expect(await start(files).applied).toEqual(['2.sql'])
  expect(await value(isValid)).toBe(true)
})

test('the server completes the index of a killed process, and the next start finds it', async () => {
  const writer = await openWriter()
  const child = startProcess({ '2.sql': index })
  await expect.poll(() => value(waitsForOlder)).toBe(1)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const next = start({ '2.sql': index })
  await expect.poll(() => next.reported.length).toBe(1)
  await writer.commit()
  expect(await next.applied).toEqual(['2.sql'])
  expect(await value(isValid)).toBe(true)
})

test('a backfill uses smaller batches when one takes too long, and changes every row once', async () => {
  expect(await start({ '2.sql': backfill }).applied).toEqual(['2.sql'])
  expect(await value('select count(*)::int from items where upper_name = upper(name) and changes = 1')).toBe(
    3000,
  )
  // Rows of one batch were written by one transaction.
  const largest = 'select max(count)::int from (select count(*) from items group by xmin::text) as batch'
  expect(await value(largest)).toBeGreaterThan(125)
  expect(await value(largest)).toBeLessThanOrEqual(200)
})

test('a backfill survives a period in which a single row takes too long, then uses large batches again', async () => {
  await admin.query('create sequence calls')
  const stalled = `-- outside a transaction
    -- repeat until no row changes
    with batch as materialized (
      select id from items where id > coalesce($2, 0) order by id limit $1 for no key update
    ), slow as materialized (
      select pg_sleep(case when nextval('calls') <= 7 then 10 else 0 end) from batch limit 1
    ), changed as (
      update items set upper_name = upper(name), changes = changes + 1 from slow where id in (select id from batch)
    )
    select id from batch order by id desc limit 1;`
  expect(await start({ '2.sql': stalled }).applied).toEqual(['2.sql'])
  expect(await value('select count(*)::int from items where changes = 1')).toBe(3000)
  expect(await value('select last_value::int from calls')).toBeLessThan(100)
})

test('an index without a name is rejected, because a second run could not find it', async () => {
  const files = { '2.sql': '-- outside a transaction\ncreate index concurrently on items (name);' }
  await expect(start(files).applied).rejects.toThrow(
    '2.sql: an index that is built concurrently needs a name',
  )
})

test('a killed backfill continues where it stopped', async () => {
  const child = startProcess({ '2.sql': backfill })
  const done = 'select count(*)::int from items where upper_name is not null'
  await expect.poll(() => value(done), { interval: 5 }).toBeGreaterThan(0)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(await value(`select count(*)::int from migrations where name = '2.sql' and is_complete`)).toBe(0)
  expect(await start({ '2.sql': backfill }).applied).toEqual(['2.sql'])
  expect(await value('select count(*)::int from items where changes = 1')).toBe(3000)
})

test('a backfill waits for a locked row without blocking other writers', async () => {
  const writer = await openWriter()
  const started = start({ '2.sql': backfill })
  await expect
    .poll(() => started.reported.at(-1))
    .toBe('2.sql is waiting for a lock that another transaction holds')
  await admin.query(write)
  await writer.commit()
  expect(await started.applied).toEqual(['2.sql'])
})

test('fault 5: concurrent starts apply every migration once', async () => {
  const files = { '2.sql': index, '3.sql': 'create table more ();', '4.sql': backfill }
  const starts = Array.from({ length: 4 }, () => start(files))
  const applied = await Promise.all(starts.map((one) => one.applied))
  expect(applied.flat().toSorted()).toEqual(['2.sql', '3.sql', '4.sql'])
})

test('a migration that waits for a table blocks no writer, and gives up with an explanation', async () => {
  const files = { '2.sql': 'alter table items add column more text;' }
  const writer = await openWriter()
  const waiting = start(files)
  await expect
    .poll(() => waiting.reported)
    .toEqual(['2.sql is waiting for a lock that another transaction holds'])
  // Each of them meets the waiting lock, or the pause between two tries.
  for (let round = 0; round < 5; round += 1) await admin.query(write)
  await writer.commit()
  expect(await waiting.applied).toEqual(['2.sql'])

  const another = await openWriter()
  const impatient = start({ ...files, '3.sql': 'alter table items drop column more;' }, 0)
  await expect(impatient.applied).rejects.toThrow('3.sql could not lock its tables within 0 s; end the')
  await another.commit()
})

test('a locked row delays a backfill but does not make its batches smaller', async () => {
  const quick = backfill.replace('count(*) > 200', 'count(*) > 9000')
  const holder = await connect(connection)
  onTestFinished(() => holder.end())
  await holder.query('begin; update items set changes = 7 where id = 1200')
  const { applied, reported } = start({ '2.sql': quick })
  const waits = '2.sql is waiting for a lock that another transaction holds'
  await expect.poll(() => reported).toContain(waits)
  await new Promise((resolve) => setTimeout(resolve, 1_200))
  await holder.query('rollback')
  await applied
  expect(reported.filter((line) => line.includes('takes fewer rows'))).toEqual([])
})
