import type pg from 'pg'
import type { Config } from '../config.ts'
import { openDatabase } from './database.ts'
import { leaseEmbeddedServer } from './embedded/lease.ts'
import { findPooling, type Pooling } from './pooler.ts'

/** A server that answers: the one of DATABASE_URL, or the embedded one, which runs at least until release(). */
export type ReachedServer = {
  connection: pg.ClientConfig
  description: string
  /** Of the embedded one. */
  dataDirectory?: string
  pooling: Pooling
  release(): Promise<void>
}

export async function reachServer(
  config: Pick<Config, 'databaseUrl' | 'dataDirectory'>,
): Promise<ReachedServer> {
  if (config.databaseUrl === undefined) {
    const lease = await leaseEmbeddedServer(config.dataDirectory)
    return { ...lease, description: `PostgreSQL, embedded, in ${lease.dataDirectory}`, pooling: 'none' }
  }
  const connection = { connectionString: config.databaseUrl }
  const place = `PostgreSQL at ${placeOf(config.databaseUrl)}`
  const pooling = await findPooling(connection).catch((error) => {
    throw explainRefusal(place, error)
  })
  if (pooling === 'transaction')
    throw new Error(
      `${place} is a pooler that lends a connection for a transaction, and the service needs one for longer: it keeps settings and prepared statements there; use session pooling (pool_mode = session), or name the server itself in DATABASE_URL`,
    )
  await refuseUnusable(connection, place)
  return { connection, description: place, pooling, release: async () => {} }
}

/** Connects as the service itself will: a pooler may refuse settings that a plain connection does not ask for. */
async function refuseUnusable(connection: pg.ClientConfig, place: string): Promise<void> {
  const database = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 5 })
  try {
    await database.transaction((tx) => tx.script('select 1'))
  } catch (error) {
    throw explainRefusal(place, error)
  } finally {
    await database.close()
  }
}

function explainRefusal(place: string, error: unknown): Error {
  const reason = (error as Error).message || String((error as NodeJS.ErrnoException).code)
  const parameter = /unsupported startup parameter.*: (\S+)/.exec(reason)?.[1]
  if (parameter === undefined)
    return new Error(`${place} cannot be reached: ${reason}; check its address and that the server runs`)
  return new Error(
    `${place} is a pooler that refuses the setting ${parameter}, which the service connects with; add it to ignore_startup_parameters of pgbouncer (docs/operations.md, "Behind a pooler"), or name the server itself in DATABASE_URL`,
  )
}

/** The address without its user and password. */
export function placeOf(url: string): string {
  try {
    const { host, pathname } = new URL(url)
    return `${host}${pathname}`
  } catch {
    return 'an address that cannot be read'
  }
}
