import type pg from 'pg'
import { openDatabase } from '../database.ts'
import type { DatabasePlace } from '../embedded/data-directory.ts'
import { leaseEmbeddedServer } from '../embedded/lease.ts'
import { explainConnectionError } from './explain-connection-error.ts'
import { findPooling, type Pooling } from './pooler.ts'

/** A server that accepts connections: the one in DATABASE_URL, or the embedded one, which runs at least until release(). */
export type ReachedServer = {
  connection: pg.ClientConfig
  description: string
  /** Only of the embedded server. */
  dataDirectory?: string
  pooling: Pooling
  release(): Promise<void>
}

export async function reachServer(
  { databaseUrl, dataDirectory }: DatabasePlace,
  setting = 'DATABASE_URL',
): Promise<ReachedServer> {
  if (databaseUrl === undefined) {
    const lease = await leaseEmbeddedServer(dataDirectory)
    return { ...lease, description: `PostgreSQL, embedded, in ${lease.dataDirectory}`, pooling: 'none' }
  }
  const connection = { connectionString: databaseUrl }
  const place = `PostgreSQL at ${databaseLocation(databaseUrl)}`
  const pooling = await findPooling(connection).catch((error) => {
    throw explainConnectionError(place, error, setting)
  })
  if (pooling === 'transaction')
    throw new Error(
      `${place} is a pooler that uses transaction or statement pooling, but the service keeps settings and prepared statements on its connections; use session pooling (pool_mode = session), or set ${setting} to the address of the server itself`,
    )
  await requireUsable(connection, place, setting)
  return { connection, description: place, pooling, release: async () => {} }
}

/** Connects with the settings of the service, which a pooler may refuse. */
async function requireUsable(connection: pg.ClientConfig, place: string, setting: string): Promise<void> {
  const database = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 5 })
  try {
    await database.transaction((tx) => tx.script('select 1'))
  } catch (error) {
    throw explainConnectionError(place, error, setting)
  } finally {
    await database.close()
  }
}

/** The address without its user and password. */
export function databaseLocation(url: string): string {
  try {
    const { host, pathname } = new URL(url)
    return `${host}${pathname}`
  } catch {
    return 'an invalid address'
  }
}
