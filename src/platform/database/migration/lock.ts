import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { repeat } from '../../scheduling/retry.ts'
import { advisoryLocks } from '../advisory-locks.ts'
import type { Queryable } from '../database.ts'
import { sql } from '../sql.ts'

const polling = { pauses: [100] }
const quietMilliseconds = 100
const waiting = 'another process migrates the database, or backs it up; waiting for its end'

/**
 * One process migrates at a time: the lock is its connection's until that ends. The others ask again and again, because
 * who waits within the server has a snapshot, for which `create index concurrently` waits in turn.
 */
export function acquireMigrationLock(client: pg.ClientBase, report: (line: string) => void): Promise<void> {
  return takeLock(client, 'pg_try_advisory_lock', report)
}

/** While a connection reads the whole schema, migrations wait; several such connections do not wait for each other. */
export function blockMigrations(client: pg.ClientBase, report: (line: string) => void): Promise<void> {
  return takeLock(client, 'pg_try_advisory_lock_shared', report)
}

async function takeLock(
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

/** Returns when nobody migrates, and has not for a moment. */
export async function waitForMigrations(database: Queryable, report: (line: string) => void): Promise<void> {
  await repeat(polling, async (failures) => {
    const [lock] = await database.query(
      sql<{ free: boolean }>`select pg_try_advisory_xact_lock_shared(${advisoryLocks.migration}) as free`,
    )
    const isFree = lock?.free === true
    if (!isFree && failures === 0) report(waiting)
    return isFree || undefined
  })
  await sleep(quietMilliseconds)
}
