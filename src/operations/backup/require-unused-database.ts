import type pg from 'pg'
import { queryableOf } from '../../platform/database/connections/connect.ts'
import { waitUntil } from '../../platform/scheduling/retry.ts'
import { operationLimits } from '../limits.ts'
import { connectForCopy } from './copy-connection.ts'
import { isUsed } from './schema.sql.ts'

/**
 * A running service caches rules and access, so the database must not change underneath it. A service that starts later has no
 * cache yet, so one check is enough; it waits a little for connections that are closing.
 */
export async function requireUnusedDatabase(
  connection: pg.ClientConfig,
  signal?: AbortSignal,
): Promise<void> {
  const client = await connectForCopy(connection, signal)
  try {
    const isFree = async () => !(await isUsed(queryableOf(client)))
    if (!(await waitUntil(isFree, 50, operationLimits.releaseWaitMilliseconds)))
      throw new Error('a service or command is using the database; stop it, then run this command again')
  } finally {
    await client.end().catch(() => {})
  }
}
