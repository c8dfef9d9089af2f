import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { queryableOf } from '../../platform/database/connect.ts'
import { connectForCopy } from './copy-connection.ts'
import { isUsed } from './schema.sql.ts'

const patienceMilliseconds = 2_000

/**
 * A service remembers what it read, such as rules and access: another database must not take the place of the one it knows. One that
 * starts later knows nothing yet, so it is enough to look once, with a moment of patience for connections that just end.
 */
export async function refuseUsed(connection: pg.ClientConfig, signal?: AbortSignal): Promise<void> {
  const client = await connectForCopy(connection, signal)
  const deadline = Date.now() + patienceMilliseconds
  try {
    while (await isUsed(queryableOf(client))) {
      if (Date.now() > deadline)
        throw new Error('a service or a command uses the database; stop it, and run this again')
      await sleep(50)
    }
  } finally {
    await client.end().catch(() => {})
  }
}
