import type pg from 'pg'
import { embeddedLimits } from '../../limits/database.ts'
import { repeat } from '../../scheduling/retry.ts'
import { advisoryLocks } from '../advisory-locks.ts'
import { sqlState } from '../failures.ts'
import { sqlStates } from '../sql-states.ts'
import { joinServer, leaveServer } from './join-server.ts'
import { hasLostSocket } from './lock-file.ts'
import { refuseMoved } from './moved-marker.ts'
import { prepareServer } from './prepare-server.ts'
import { repairServer, stopServer } from './repair-server.ts'
import { connectionTo, type Server, tryConnect } from './server-connection.ts'

/** Shared use of the embedded server, which runs at least until release(). */
export type Lease = { connection: pg.ClientConfig; dataDirectory: string; release(): Promise<void> }

/**
 * Every process that uses the server holds a shared advisory lock on its own connection. A process that can acquire the
 * lock exclusively is the last one and stops the server. A killed process loses its connection, and its lock with it, so
 * nothing has to be cleaned up.
 */
export async function leaseEmbeddedServer(
  givenDirectory: string | undefined,
  { isTemporary = false } = {},
): Promise<Lease> {
  const server = prepareServer(givenDirectory, isTemporary)
  const { dataDirectory } = server
  let released = false
  let held = await joinShared(server, () => false)
  let joining: Promise<void> = Promise.resolve()
  watch()
  // Without the socket, open connections keep working, but no new one can be opened. Only a new server creates the socket again.
  const socketWatch = setInterval(() => {
    if (held !== undefined && hasLostSocket(server.cluster.folder, server.socket)) void stopServer(server)
  }, embeddedLimits.socketCheckMilliseconds).unref()

  function watch(): void {
    held?.on('end', () => {
      if (!released) joining = rejoin()
    })
  }

  // The server was killed, or its last other user stopped it.
  async function rejoin(): Promise<void> {
    held = undefined
    await repeat({ pauses: [embeddedLimits.rejoinMilliseconds] }, async () => {
      held = released ? undefined : await joinShared(server, () => released).catch(() => undefined)
      return released || held !== undefined || undefined
    })
    watch()
  }

  return {
    connection: connectionTo(server),
    dataDirectory,
    async release() {
      released = true
      clearInterval(socketWatch)
      await joining
      const client = held ?? (await tryConnect(server).catch(() => undefined))
      await (client === undefined ? repairServer(server, false) : leaveServer(server, client))
    },
  }
}

/** Does not even start the server of a database that was moved. */
async function joinShared(server: Server, isOver: () => boolean): Promise<pg.Client | undefined> {
  refuseMoved(server.dataDirectory)
  return joinServer(server, (client) => acquireShared(server, client), isOver)
}

/** Waits while the last user stops the server. Returns false once it has stopped: then it is started again. */
async function acquireShared(server: Server, client: pg.Client): Promise<boolean> {
  try {
    await client.query(`set lock_timeout = '${embeddedLimits.waitSeconds}s'`)
    await client.query('select pg_advisory_lock_shared($1)', [advisoryLocks.embeddedServer])
  } catch (error) {
    await client.end().catch(() => {})
    if (sqlState(error) === sqlStates.lockNotAvailable)
      throw new Error(
        `a command such as "catalog move" has exclusive use of the embedded PostgreSQL in ${server.dataDirectory}; wait until it finishes`,
      )
    return false
  }
  try {
    // Checked now, because only a process with exclusive use of the server marks the folder as moved.
    refuseMoved(server.dataDirectory)
    return true
  } catch (error) {
    await leaveServer(server, client)
    throw error
  }
}
