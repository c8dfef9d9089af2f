import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { repeat } from '../../scheduling/retry.ts'
import { advisoryLocks } from '../advisory-locks.ts'
import { repairServer, stopServer } from './repair-server.ts'
import { startServer } from './server.ts'
import { type Server, tryConnect } from './server-connection.ts'

const registerSeconds = 90
const patienceSeconds = 10
const leaveMilliseconds = 3_000

/** Takes a lock on the connection; false where the server is gone, which is then started anew. */
export type AcquireLock = (client: pg.Client) => Promise<boolean>

/** A connection with the lock, to the server that runs or to one that is started. Undefined where it is not wanted any more. */
export async function joinServer(
  server: Server,
  take: AcquireLock,
  isOver: () => boolean,
): Promise<pg.Client | undefined> {
  const deadline = Date.now() + registerSeconds * 1000
  let patientUntil = Date.now() + patienceSeconds * 1000
  const registered = await repeat({ pauses: [50], withinMilliseconds: registerSeconds * 1000 }, async () => {
    if (isOver()) return { client: undefined }
    const client = (await tryConnect(server)) ?? (await startServer(server))
    if (client !== undefined && (await take(client))) return { client }
    await repairServer(server, Date.now() < patientUntil)
    if (Date.now() > patientUntil) patientUntil = deadline
    return undefined
  })
  if (registered !== undefined || isOver()) return registered?.client
  throw new Error(
    `the embedded PostgreSQL in ${server.cluster.folder} neither responds nor stops; stop it and start again`,
  )
}

/** The last one stops the server. One that hangs is left to the next start; we do not hang with it. */
export async function leaveServer(server: Server, client: pg.Client): Promise<void> {
  const ask = (text: string) =>
    client.query({
      text,
      values: [advisoryLocks.embeddedServer],
      query_timeout: leaveMilliseconds,
    } as pg.QueryConfig)
  try {
    await ask('select pg_advisory_unlock_shared($1)')
    const { rows } = await ask('select pg_try_advisory_lock($1) as last')
    if (rows[0]?.last === true) await stopServer(server)
  } catch {
    // The server is already gone, which is what we came for, or it does not answer.
  }
  await Promise.race([client.end().catch(() => {}), sleep(1_000, undefined, { ref: false })])
}
