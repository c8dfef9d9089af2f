import { expect } from 'vitest'
import type { Queryable } from '../../src/platform/database/database.ts'
import { type Sql, sql } from '../../src/platform/database/sql.ts'

/** The process ID of the server backend of a connection. */
export async function backendOf(connection: Queryable): Promise<number> {
  const [row] = await connection.query(sql<{ pid: number }>`select pg_backend_pid() as pid`)
  return row?.pid as number
}

/** Whether another backend waits for a lock that this backend holds. */
export function isWaitedFor(database: Queryable, backend: number): Promise<boolean> {
  return hasBackend(database, sql`${backend} = any(pg_blocking_pids(pid))`)
}

/** Whether this backend waits for a lock of another one. */
export function isWaiting(database: Queryable, backend: number): Promise<boolean> {
  return hasBackend(database, sql`pid = ${backend} and cardinality(pg_blocking_pids(pid)) > 0`)
}

async function hasBackend(database: Queryable, condition: Sql): Promise<boolean> {
  return (await database.query(sql`select from pg_stat_activity where ${condition}`)).length > 0
}

export async function until(condition: () => Promise<boolean>): Promise<void> {
  await expect.poll(condition).toBe(true)
}
