import type pg from 'pg'
import { connect } from '../connections/connect.ts'
import { failureOf, sqlState } from '../failures.ts'
import { sqlStateClasses, sqlStates } from '../sql-states.ts'
import { type Cluster, secretPath, superuser } from './cluster.ts'
import type { Installation } from './installation.ts'
import type { ServerUser } from './server-user.ts'

export type Server = {
  installation: Installation
  user: ServerUser
  cluster: Cluster
  socket: string
  dataDirectory: string
}

export function connectionTo({ socket, cluster }: Server): pg.ClientConfig {
  // ssl is said, because PGSSLMODE of the user's environment is meant for another server.
  return {
    host: socket,
    port: 5432,
    user: superuser,
    password: cluster.password,
    database: 'postgres',
    ssl: false,
  }
}

/** A connection to the running server, or undefined while there is none. Starting up and shutting down count as none. */
export async function tryConnect(server: Server): Promise<pg.Client | undefined> {
  const patience = { connectionTimeoutMillis: 5000, application_name: 'catalog-lease' }
  try {
    return await connect({ ...connectionTo(server), ...patience })
  } catch (error) {
    const code = sqlState(error) ?? ''
    if (code === sqlStates.diskFull) throw new Error(fullDisk(server, (error as Error).message))
    if (code === sqlStates.tooManyConnections)
      throw new Error(
        `the embedded PostgreSQL has no connection left: ${(error as Error).message}; end some of its users`,
      )
    if (code.startsWith(sqlStateClasses.invalidAuthorization))
      throw new Error(wrongSecret(server, (error as Error).message))
    if (code !== 'EACCES' && failureOf(error) === 'database_unavailable') return undefined
    throw error
  }
}

export function fullDisk({ cluster }: Server, words: string): string {
  return `the disk of ${cluster.folder} is full, and the embedded PostgreSQL cannot work; make room and start again (${words || 'no room for a word of it'})`
}

function wrongSecret({ cluster }: Server, words: string): string {
  return `the embedded PostgreSQL does not take the secret in ${secretPath(cluster.folder)} (${words}); put the right one back, or see "Replace a lost secret" in docs/troubleshoot.md`
}
