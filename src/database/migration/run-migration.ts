import type pg from 'pg'
import type { Migration } from './migration-file.ts'
import {
  inTransaction,
  lockTimeoutMilliseconds,
  type MigrationLimits,
  type Retry,
  retryWhileLocked,
} from './retries.ts'
import { runInBatches } from './run-in-batches.ts'
import { splitStatements } from './split-statements.ts'

export async function runMigration(
  client: pg.ClientBase,
  migration: Migration,
  limits: MigrationLimits,
): Promise<void> {
  const { name, text, outsideTransaction } = migration
  const retry = retryWhileLocked(name, limits)
  if (!outsideTransaction)
    return retry(() =>
      inTransaction(client, [], async () => {
        await client.query(text)
        await record(client, migration)
      }),
    )
  limits.tell(`applying ${name}, which may take long and stops no writer`)
  for (const { text: statement, repeated } of splitStatements(text)) {
    if (repeated) await runInBatches(client, statement, retry)
    else await runAlone(client, statement, retry)
  }
  await record(client, migration)
}

async function record(client: pg.ClientBase, { name, checksum, oldestRelease }: Migration): Promise<void> {
  const text = 'insert into migrations (name, checksum, oldest_release) values ($1, $2, $3)'
  await client.query(text, [name, checksum, oldestRelease])
}

const concurrentIndex =
  /^create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?("(?:""|[^"])+"|\w+)/i

async function runAlone(client: pg.ClientBase, statement: string, retry: Retry): Promise<void> {
  // What is done concurrently waits for all older transactions, and no writer waits for it meanwhile.
  const concurrent = /\bconcurrently\b/i.test(statement)
  await client.query(`set lock_timeout = ${concurrent ? 0 : lockTimeoutMilliseconds}`)
  const index = concurrentIndex.exec(statement)?.[1]
  await retry(async () => {
    if (index === undefined || !(await isBuilt(client, index))) await client.query(statement)
  })
}

/** A run that was cut short leaves an invalid index, which serves no query and costs every write: it is dropped first. */
async function isBuilt(client: pg.ClientBase, index: string): Promise<boolean> {
  const { rows } = await client.query<{ indisvalid: boolean }>(
    'select indisvalid from pg_index where indexrelid = to_regclass($1)',
    [index],
  )
  if (rows[0]?.indisvalid === false) await client.query(`drop index concurrently if exists ${index}`)
  return rows[0]?.indisvalid === true
}
