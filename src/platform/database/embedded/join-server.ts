import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { embeddedLimits } from '../../limits/database.ts'
import { repeat } from '../../scheduling/retry.ts'
import { advisoryLocks } from '../advisory-locks.ts'
import { repairServer, stopServer } from './repair-server.ts'
import { startServer } from './server.ts'
import { type Server, tryConnect } from './server-connection.ts'

/** Acquires a lock on the connection; false if the server has stopped, which is then started again. */
export type AcquireLock = (client: pg.Client) => Promise<boolean>

/** Returns a connection that holds the lock, and starts the server if necessary. Undefined if `isOver` becomes true. */
export async function joinServer(
  server: Server,
  take: AcquireLock,
  isOver: () => boolean,
): Promise<pg.Client | undefined> {
  const deadline = Date.now() + embeddedLimits.joinSeconds * 1000
  let repairAfter = Date.now() + embeddedLimits.unresponsiveSeconds * 1000
  const joined = await repeat(
    { pauses: [50], withinMilliseconds: embeddedLimits.joinSeconds * 1000 },
    async () => {
      if (isOver()) return { client: undefined }
      const client = (await tryConnect(server)) ?? (await startServer(server))
      if (client !== undefined && (await take(client))) return { client }
      await repairServer(server, Date.now() < repairAfter)
      if (Date.now() > repairAfter) repairAfter = deadline
      return undefined
    },
  )
  if (joined !== undefined || isOver()) return joined?.client
  throw new Error(
    `the embedded PostgreSQL in ${server.cluster.folder} neither responds nor stops; stop it and start again`,
  )
}

/** The last process to leave stops the server. It does not wait for a server that hangs; the next start repairs that. */
export async function leaveServer(server: Server, client: pg.Client): Promise<void> {
  const ask = (text: string) =>
    client.query({
      text,
      values: [advisoryLocks.embeddedServer],
      query_timeout: embeddedLimits.leaveMilliseconds,
    } as pg.QueryConfig)
  try {
    await ask('select pg_advisory_unlock_shared($1)')
    const { rows } = await ask('select pg_try_advisory_lock($1) as last')
    if (rows[0]?.last === true) await stopServer(server)
  } catch {
    // The server has stopped already, or does not respond.
  }
  await Promise.race([client.end().catch(() => {}), sleep(1_000, undefined, { ref: false })])
}
