import pg from 'pg'
import type { Config } from '../config.ts'
import { leaseEmbeddedServer } from './embedded/lease.ts'

/** A server that answers: the one of DATABASE_URL, or the embedded one, which runs at least until release(). */
export type ReachedServer = { connection: pg.ClientConfig; description: string; release(): Promise<void> }

export async function reachServer(
  config: Pick<Config, 'databaseUrl' | 'dataDirectory'>,
): Promise<ReachedServer> {
  if (config.databaseUrl === undefined) {
    const { connection, dataDirectory, release } = await leaseEmbeddedServer(config.dataDirectory)
    return { connection, description: `PostgreSQL, embedded, in ${dataDirectory}`, release }
  }
  const connection = { connectionString: config.databaseUrl }
  await refuseUnreachable(connection)
  return { connection, description: `PostgreSQL at ${placeOf(config.databaseUrl)}`, release: async () => {} }
}

async function refuseUnreachable(connection: { connectionString: string }): Promise<void> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.end()
  } catch (error) {
    const reason = (error as Error).message || (error as NodeJS.ErrnoException).code
    throw new Error(
      `PostgreSQL at ${placeOf(connection.connectionString)} cannot be reached: ${reason}; check DATABASE_URL and that the server runs`,
    )
  }
}

/** The address without its user and password. */
function placeOf(url: string): string {
  try {
    const { host, pathname } = new URL(url)
    return `${host}${pathname}`
  } catch {
    return 'the address in DATABASE_URL'
  }
}
