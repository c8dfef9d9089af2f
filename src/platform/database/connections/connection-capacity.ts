import type { Queryable } from '../database.ts'
import { sql } from '../sql.ts'
import { minConnections } from './connection-classes.ts'

/** How many connections the server allows for users that are not superusers. */
export async function readConnectionCapacity(database: Queryable): Promise<number> {
  const [row] = await database.query(sql<{ most: number }>`
    select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true)::int, 0) as most`)
  return row?.most ?? 0
}

/** With fewer connections than its pool size, a service would reject requests under load. */
export async function refuseTooManyConnections(database: Queryable, poolSize: number): Promise<void> {
  const most = await readConnectionCapacity(database)
  if (poolSize <= most) return
  throw new Error(
    `the service can open ${poolSize} database connections, but PostgreSQL allows only ${most}; lower CATALOG_POOL_SIZE (a worker needs ${minConnections}) or --workers, or raise max_connections on the server`,
  )
}
