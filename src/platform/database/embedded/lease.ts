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

/** Our share in the embedded server: it runs at least until release(). */
export type Lease = { connection: pg.ClientConfig; dataDirectory: string; release(): Promise<void> }

const watchMilliseconds = 2_000

/**
 * Every process that uses the server holds a shared advisory lock on a connection of its own; the one that can take the
 * lock alone is the last and stops the server. A killed process loses its connection and with it its share: nothing to
 * clean up, no file to go stale.
 */
export async function leaseEmbeddedServer(givenDirectory: string | undefined): Promise<Lease> {
  const server = prepareServer(givenDirectory)
  const { dataDirectory } = server
  let released = false
  let held = await registerShare(server, () => false)
  let registering: Promise<void> = Promise.resolve()
  watch()
  // Connections that are open work on without the socket, but no new one can be made. Only a new server makes it again.
  const socketWatch = setInterval(() => {
    if (held !== undefined && hasLostSocket(server.cluster.folder, server.socket)) void stopServer(server)
  }, watchMilliseconds).unref()

  function watch(): void {
    held?.on('end', () => {
      if (!released) registering = registerAgain()
    })
  }

  // The server went away under us (killed, or stopped by its last other user): bring it back.
  async function registerAgain(): Promise<void> {
    held = undefined
    await repeat({ pauses: [500] }, async () => {
      held = released ? undefined : await registerShare(server, () => released).catch(() => undefined)
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
      await registering
      const client = held ?? (await tryConnect(server).catch(() => undefined))
      await (client === undefined ? repairServer(server, false) : leaveServer(server, client))
    },
  }
}

/** Of a database that was moved away not even the server is started. */
async function registerShare(server: Server, isOver: () => boolean): Promise<pg.Client | undefined> {
  refuseMoved(server.dataDirectory)
  return joinServer(server, (client) => takeShare(server, client), isOver)
}

/** Waits while the last user stops the server, and fails when it is gone: then it is started anew. */
async function takeShare(server: Server, client: pg.Client): Promise<boolean> {
  try {
    await client.query(`set lock_timeout = '${embeddedLimits.waitSeconds}s'`)
    await client.query('select pg_advisory_lock_shared($1)', [advisoryLocks.embeddedServer])
  } catch (error) {
    await client.end().catch(() => {})
    if (sqlState(error) === sqlStates.lockNotAvailable)
      throw new Error(
        `a command has the embedded PostgreSQL in ${server.dataDirectory} for itself, such as "catalog move"; wait for its end`,
      )
    return false
  }
  try {
    // Asked now: nobody marks the folder without having the server alone.
    refuseMoved(server.dataDirectory)
    return true
  } catch (error) {
    await leaveServer(server, client)
    throw error
  }
}
