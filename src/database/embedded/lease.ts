import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { ensureCluster } from './cluster.ts'
import { chooseDataDirectory, socketFolder } from './data-directory.ts'
import { findInstallation } from './installation.ts'
import { connectionTo, type Server, start, stop, tryConnect } from './server.ts'
import { serverUser } from './server-user.ts'

/** Our share in the embedded server: it runs at least until release(). */
export type Lease = { connection: pg.ClientConfig; dataDirectory: string; release(): Promise<void> }

const lockKey = 4_270_012
const registerSeconds = 90

/**
 * Every process that uses the server holds a shared advisory lock on a connection of its own; the one that can take the
 * lock alone is the last and stops the server. A killed process loses its connection and with it its share: nothing to
 * clean up, no file to go stale.
 */
export async function leaseEmbeddedServer(givenDirectory: string | undefined): Promise<Lease> {
  const user = serverUser()
  const dataDirectory = chooseDataDirectory(givenDirectory, user)
  mkdirSync(dataDirectory, { recursive: true })
  const installation = findInstallation(user, dataDirectory)
  const cluster = ensureCluster(dataDirectory, installation, user)
  const socket = socketFolder(dataDirectory, user)
  const server: Server = {
    installation,
    user,
    cluster,
    socket,
    startLog: join(dataDirectory, 'postgres-start.log'),
  }

  let released = false
  let held = await register(server)
  let registering = Promise.resolve()
  watch()

  function watch(): void {
    held.on('end', () => {
      if (!released) registering = registerAgain()
    })
  }

  // The server went away under us (killed, or stopped by its last other user): bring it back.
  async function registerAgain(): Promise<void> {
    while (!released) {
      try {
        held = await register(server)
        return watch()
      } catch {
        await sleep(500)
      }
    }
  }

  return {
    connection: connectionTo(server),
    dataDirectory,
    async release() {
      released = true
      await registering
      await leave(server, held)
    },
  }
}

async function register(server: Server): Promise<pg.Client> {
  const deadline = Date.now() + registerSeconds * 1000
  while (Date.now() < deadline) {
    const client = (await tryConnect(server)) ?? (await start(server))
    if (client !== undefined && (await takeShare(client))) return client
    await sleep(25)
  }
  throw new Error(
    `the embedded PostgreSQL in ${server.cluster.folder} neither answers nor ends; stop it and start again`,
  )
}

/** Waits while the last user stops the server, and fails when it is gone: then it is started anew. */
async function takeShare(client: pg.Client): Promise<boolean> {
  try {
    await client.query('select pg_advisory_lock_shared($1)', [lockKey])
    return true
  } catch {
    await client.end().catch(() => {})
    return false
  }
}

async function leave(server: Server, client: pg.Client): Promise<void> {
  try {
    await client.query('select pg_advisory_unlock_shared($1)', [lockKey])
    const { rows } = await client.query<{ last: boolean }>('select pg_try_advisory_lock($1) as last', [
      lockKey,
    ])
    if (rows[0]?.last === true) await stop(server)
  } catch {
    // The server is already gone, which is what we came for.
  }
  await client.end().catch(() => {})
}
