import type pg from 'pg'
import { waitUntil } from '../../scheduling/retry.ts'
import { advisoryLocks } from '../advisory-locks.ts'
import { joinServer, leaveServer } from './join-server.ts'
import { connectionTo, type Server } from './server-connection.ts'

/** The embedded server for one process alone: whoever comes meanwhile waits, and is refused if it takes long. */
export type ExclusiveLease = {
  connection: pg.ClientConfig
  /** The connection that holds the lock, for locks that shall last as long. */
  client: pg.Client
  /** Aborted when the server is gone, and others could be in the next one. */
  lost: AbortSignal
  isHeld(): Promise<boolean>
  /** Stops the server. */
  release(): Promise<void>
}

const patienceMilliseconds = 2_000

export async function leaseExclusively(server: Server): Promise<ExclusiveLease> {
  const take = (client: pg.Client) => takeAlone(client, server)
  const client = (await joinServer(server, take, () => false)) as pg.Client
  const lost = new AbortController()
  let released = false
  client.on('end', () => {
    if (!released) lost.abort(new Error('the embedded PostgreSQL ended meanwhile; run the command again'))
  })
  return {
    connection: connectionTo(server),
    client,
    lost: lost.signal,
    isHeld: () =>
      client.query('select').then(
        () => !lost.signal.aborted,
        () => false,
      ),
    async release() {
      released = true
      await leaveServer(server, client)
    },
  }
}

/** A moment of patience: a process that was just killed, or ends, may still have its share. */
async function takeAlone(client: pg.Client, { dataDirectory }: Server): Promise<boolean> {
  const take = async () => {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [
      advisoryLocks.embeddedServer,
    ])
    return rows[0]?.taken === true
  }
  try {
    if (await waitUntil(take, 50, patienceMilliseconds)) return true
  } catch {
    await client.end().catch(() => {})
    return false
  }
  await client.end().catch(() => {})
  throw new Error(
    `a service or a command uses the embedded PostgreSQL in ${dataDirectory}; stop it, and run this again`,
  )
}
