import type { Queryable } from '../database.ts'
import { sql } from '../sql.ts'
import { minConnections } from './connection-classes.ts'

/** How many connections the server allows to users who are no superusers. */
export async function readConnectionCapacity(database: Queryable): Promise<number> {
  const [row] = await database.query(sql<{ most: number }>`
    select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true)::int, 0) as most`)
  return row?.most ?? 0
}

/** A service that may open more connections than there are would refuse requests at its busiest moment. */
export async function refuseTooManyConnections(database: Queryable, poolSize: number): Promise<void> {
  const most = await readConnectionCapacity(database)
  if (poolSize <= most) return
  throw new Error(
    `the service may open ${poolSize} database connections, and PostgreSQL allows ${most}; lower CATALOG_POOL_SIZE (a worker needs ${minConnections}) or --workers, or raise max_connections of the server`,
  )
}
