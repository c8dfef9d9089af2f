import type pg from 'pg'
import { embeddedLimits } from '../../limits/database.ts'
import { waitUntil } from '../../scheduling/retry.ts'
import { advisoryLocks } from '../advisory-locks.ts'
import { joinServer, leaveServer } from './join-server.ts'
import { connectionTo, type Server } from './server-connection.ts'

/** Exclusive use of the embedded server: other processes wait, and fail if it takes long. */
export type ExclusiveLease = {
  connection: pg.ClientConfig
  /** The connection that holds the lock; further locks on it last as long. */
  client: pg.Client
  /** Aborted when the server stops: other processes can use the next one. */
  lost: AbortSignal
  isHeld(): Promise<boolean>
  /** Stops the server. */
  release(): Promise<void>
}

export async function leaseExclusively(server: Server): Promise<ExclusiveLease> {
  const take = (client: pg.Client) => acquireExclusively(client, server)
  const client = (await joinServer(server, take, () => false)) as pg.Client
  const lost = new AbortController()
  let released = false
  client.on('end', () => {
    if (!released)
      lost.abort(
        new Error('the embedded PostgreSQL stopped while the command was running; run the command again'),
      )
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

/** Waits briefly, because a process that was just killed may still hold its lock. */
async function acquireExclusively(client: pg.Client, { dataDirectory }: Server): Promise<boolean> {
  const take = async () => {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [
      advisoryLocks.embeddedServer,
    ])
    return rows[0]?.taken === true
  }
  try {
    if (await waitUntil(take, 50, embeddedLimits.exclusiveWaitMilliseconds)) return true
  } catch {
    await client.end().catch(() => {})
    return false
  }
  await client.end().catch(() => {})
  throw new Error(
    `a service or command is using the embedded PostgreSQL in ${dataDirectory}; stop it, then run the command again`,
  )
}
