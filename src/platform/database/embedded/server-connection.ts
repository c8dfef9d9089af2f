import type pg from 'pg'
import { embeddedLimits } from '../../limits/database.ts'
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
  /** Its data is deleted with it, so nothing has to survive a crash. */
  isTemporary?: boolean
}

export function connectionTo({ socket, cluster }: Server): pg.ClientConfig {
  // Without ssl, PGSSLMODE from the environment would apply, which is meant for another server.
  return {
    host: socket,
    port: 5432,
    user: superuser,
    password: cluster.password,
    database: 'postgres',
    ssl: false,
  }
}

/** A connection to the running server; undefined while no server is ready. */
export async function tryConnect(server: Server): Promise<pg.Client | undefined> {
  const options = {
    connectionTimeoutMillis: embeddedLimits.connectMilliseconds,
    application_name: 'catalog-lease',
  }
  try {
    return await connect({ ...connectionTo(server), ...options })
  } catch (error) {
    const code = sqlState(error) ?? ''
    if (code === sqlStates.diskFull) throw new Error(fullDisk(server, (error as Error).message))
    if (code === sqlStates.tooManyConnections)
      throw new Error(
        `the embedded PostgreSQL has no connections left: ${(error as Error).message}; stop some of the processes that use it`,
      )
    if (code.startsWith(sqlStateClasses.invalidAuthorization))
      throw new Error(wrongSecret(server, (error as Error).message))
    if (code !== 'EACCES' && failureOf(error) === 'database_unavailable') return undefined
    throw error
  }
}

export function fullDisk({ cluster }: Server, messages: string): string {
  return `the disk of ${cluster.folder} is full, so the embedded PostgreSQL cannot run; free disk space and start again (${messages || 'no space for a log message'})`
}

function wrongSecret({ cluster }: Server, message: string): string {
  return `the embedded PostgreSQL does not accept the secret in ${secretPath(cluster.folder)} (${message}); restore the correct secret, or see "Replace a lost secret" in docs/troubleshoot.md`
}
