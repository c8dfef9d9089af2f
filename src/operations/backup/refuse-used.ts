import type pg from 'pg'
import { queryableOf } from '../../platform/database/connections/connect.ts'
import { waitUntil } from '../../platform/scheduling/retry.ts'
import { connectForCopy } from './copy-connection.ts'
import { isUsed } from './schema.sql.ts'

const patienceMilliseconds = 2_000

/**
 * A service remembers what it read, such as rules and access: another database must not take the place of the one it knows. One that
 * starts later knows nothing yet, so it is enough to look once, with a moment of patience for connections that just end.
 */
export async function refuseUsed(connection: pg.ClientConfig, signal?: AbortSignal): Promise<void> {
  const client = await connectForCopy(connection, signal)
  try {
    const isFree = async () => !(await isUsed(queryableOf(client)))
    if (!(await waitUntil(isFree, 50, patienceMilliseconds)))
      throw new Error('a service or a command uses the database; stop it, and run this again')
  } finally {
    await client.end().catch(() => {})
  }
}
