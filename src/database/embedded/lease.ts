import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { ensureCluster } from './cluster.ts'
import { chooseDataDirectory, socketFolder } from './data-directory.ts'
import { heal, stop } from './heal.ts'
import { findInstallation } from './installation.ts'
import { hasLostSocket } from './lock-file.ts'
import { sweep } from './partial-folder.ts'
import { start } from './server.ts'
import { connectionTo, type Server, tryConnect } from './server-connection.ts'
import { serverUser } from './server-user.ts'

/** Our share in the embedded server: it runs at least until release(). */
export type Lease = { connection: pg.ClientConfig; dataDirectory: string; release(): Promise<void> }

const lockKey = 4_270_012
const registerSeconds = 90
const patienceSeconds = 10
const leaveMilliseconds = 3_000
const watchMilliseconds = 2_000

/**
 * Every process that uses the server holds a shared advisory lock on a connection of its own; the one that can take the
 * lock alone is the last and stops the server. A killed process loses its connection and with it its share: nothing to
 * clean up, no file to go stale.
 */
export async function leaseEmbeddedServer(givenDirectory: string | undefined): Promise<Lease> {
  const { server, dataDirectory } = prepare(givenDirectory)
  let released = false
  let held = await register(server, () => false)
  let registering: Promise<void> = Promise.resolve()
  watch()
  // Connections that are open work on without the socket, but no new one can be made. Only a new server makes it again.
  const socketWatch = setInterval(() => {
    if (held !== undefined && hasLostSocket(server.cluster.folder, server.socket)) void stop(server)
  }, watchMilliseconds).unref()

  function watch(): void {
    held?.on('end', () => {
      if (!released) registering = registerAgain()
    })
  }

  // The server went away under us (killed, or stopped by its last other user): bring it back.
  async function registerAgain(): Promise<void> {
    held = undefined
    while (!released && held === undefined) {
      held = await register(server, () => released).catch(() => undefined)
      if (held === undefined) await sleep(500)
    }
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
      await (client === undefined ? heal(server, false) : leave(server, client))
    },
  }
}

function prepare(givenDirectory: string | undefined): { server: Server; dataDirectory: string } {
  const user = serverUser()
  const dataDirectory = chooseDataDirectory(givenDirectory, user)
  sweep(dataDirectory)
  const installation = findInstallation(user, dataDirectory)
  const cluster = ensureCluster(dataDirectory, installation, user)
  const socket = socketFolder(dataDirectory, user)
  return {
    server: { installation, user, cluster, socket, dataDirectory },
    dataDirectory,
  }
}

async function register(server: Server, isOver: () => boolean): Promise<pg.Client | undefined> {
  const deadline = Date.now() + registerSeconds * 1000
  let patientUntil = Date.now() + patienceSeconds * 1000
  while (!isOver() && Date.now() < deadline) {
    const client = (await tryConnect(server)) ?? (await start(server))
    if (client !== undefined && (await takeShare(client))) return client
    await heal(server, Date.now() < patientUntil)
    if (Date.now() > patientUntil) patientUntil = deadline
    await sleep(50)
  }
  if (isOver()) return undefined
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

/** A server that hangs is left to the next start; we do not hang with it. */
async function leave(server: Server, client: pg.Client): Promise<void> {
  const ask = (text: string) =>
    client.query({ text, values: [lockKey], query_timeout: leaveMilliseconds } as pg.QueryConfig)
  try {
    await ask('select pg_advisory_unlock_shared($1)')
    const { rows } = await ask('select pg_try_advisory_lock($1) as last')
    if (rows[0]?.last === true) await stop(server)
  } catch {
    // The server is already gone, which is what we came for, or it does not answer.
  }
  await Promise.race([client.end().catch(() => {}), sleep(1_000, undefined, { ref: false })])
}
