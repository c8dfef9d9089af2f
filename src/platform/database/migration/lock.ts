import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { schemaUpgradeLimits } from '../../limits/database.ts'
import { repeat } from '../../scheduling/retry.ts'
import { advisoryLocks } from '../advisory-locks.ts'
import type { Queryable } from '../database.ts'
import { sql } from '../sql.ts'

const { pollMilliseconds } = schemaUpgradeLimits
const polling = { pauses: [pollMilliseconds] }
const waiting = 'another process is migrating or backing up the database; waiting until it finishes'

/**
 * One process migrates at a time. Its connection holds the lock until it closes. The others poll, because a connection that
 * waits for the lock in the server has a snapshot, and `create index concurrently` would wait for that.
 */
export function acquireMigrationLock(client: pg.ClientBase, report: (line: string) => void): Promise<void> {
  return acquireLock(client, 'pg_try_advisory_lock', report)
}

/** Makes migrations wait while a connection reads the whole schema. Several such connections do not block each other. */
export function blockMigrations(client: pg.ClientBase, report: (line: string) => void): Promise<void> {
  return acquireLock(client, 'pg_try_advisory_lock_shared', report)
}

async function acquireLock(
  client: pg.ClientBase,
  lock: 'pg_try_advisory_lock' | 'pg_try_advisory_lock_shared',
  report: (line: string) => void,
): Promise<void> {
  await repeat(polling, async (failures) => {
    const { rows } = await client.query<{ taken: boolean }>(
      `select ${lock}(${advisoryLocks.migration}) as taken`,
    )
    const isTaken = rows[0]?.taken === true
    if (!isTaken && failures === 0) report(waiting)
    return isTaken || undefined
  })
}

/** Returns when no process migrates, after one more polling interval. */
export async function waitForMigrations(database: Queryable, report: (line: string) => void): Promise<void> {
  await repeat(polling, async (failures) => {
    const [lock] = await database.query(
      sql<{ free: boolean }>`select pg_try_advisory_xact_lock_shared(${advisoryLocks.migration}) as free`,
    )
    const isFree = lock?.free === true
    if (!isFree && failures === 0) report(waiting)
    return isFree || undefined
  })
  await sleep(pollMilliseconds)
}
