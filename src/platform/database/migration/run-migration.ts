import type pg from 'pg'
import { schemaUpgradeLimits } from '../../limits/database.ts'
import type { Migration } from './migration-file.ts'
import { inTransaction, type MigrationLimits, type Retry, retryWhileLocked } from './retries.ts'
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
  limits.report(`applying ${name}, which can take long but blocks no writes`)
  // Recorded before the first statement: from then on, a release that cannot run on the result must not start.
  await retry(() => record(client, migration, false))
  for (const { text: statement, repeated } of splitStatements(text)) {
    if (repeated) await runInBatches(client, name, statement, retry, limits)
    else await runAlone(client, name, statement, retry)
  }
  await retry(() => record(client, migration, true))
}

async function record(
  client: pg.ClientBase,
  { name, checksum, oldestRelease }: Migration,
  isComplete = true,
): Promise<void> {
  const text = `
    insert into migrations (name, checksum, oldest_release, is_complete) values ($1, $2, $3, $4)
    on conflict (name) do update
    set checksum = excluded.checksum, oldest_release = excluded.oldest_release, is_complete = excluded.is_complete, applied_at = now()`
  await client.query(text, [name, checksum, oldestRelease, isComplete])
}

const concurrently =
  /^(?:create\s+(?:unique\s+)?index|drop\s+index|reindex\s+\w+|refresh\s+materialized\s+view)\s+concurrently\b/i
const concurrentIndex =
  /^create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?("(?:""|[^"])+"|\w+)/i

async function runAlone(client: pg.ClientBase, name: string, statement: string, retry: Retry): Promise<void> {
  // A concurrent statement waits for all older transactions but blocks no writer.
  const timeout = concurrently.test(statement) ? 0 : schemaUpgradeLimits.lockMilliseconds
  await client.query(`set lock_timeout = ${timeout}`)
  const index = concurrentIndex.exec(statement)?.[1]
  if (index?.toLowerCase() === 'on')
    throw new Error(
      `${name}: an index that is built concurrently needs a name, so that a second run can find it`,
    )
  await retry(async () => {
    if (index === undefined || !(await isBuilt(client, index))) await client.query(statement)
  })
}

/** An interrupted run leaves an invalid index, which no query uses and every write maintains. It is dropped first. */
async function isBuilt(client: pg.ClientBase, index: string): Promise<boolean> {
  const { rows } = await client.query<{ indisvalid: boolean }>(
    'select indisvalid from pg_index where indexrelid = to_regclass($1)',
    [index],
  )
  if (rows[0]?.indisvalid === false) await client.query(`drop index concurrently if exists ${index}`)
  return rows[0]?.indisvalid === true
}
