import type pg from 'pg'
import { databaseLimits } from '../../limits/database.ts'
import { connect } from './connect.ts'

/** How the connection reaches the server: directly, or through a pooler with session or transaction pooling. */
export type Pooling = 'none' | 'session' | 'transaction'

/** A pooler assigns its own process IDs, because it forwards cancellations; a server returns its own ID. */
export async function findPooling(connection: pg.ClientConfig): Promise<Pooling> {
  const first = await connectInTime(connection)
  try {
    return (await backendOf(first)) === first.processID ? 'none' : await howPooled(connection, first)
  } finally {
    await first.end().catch(() => {})
  }
}

type Client = pg.Client & { processID?: number }

function connectInTime(connection: pg.ClientConfig): Promise<Client> {
  return connect({
    ...connection,
    connectionTimeoutMillis: databaseLimits.poolerCheckMilliseconds,
    query_timeout: databaseLimits.poolerCheckMilliseconds,
  })
}

async function backendOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}

/** Two open connections have one backend each, unless the pooler uses transaction pooling. */
async function howPooled(connection: pg.ClientConfig, first: Client): Promise<Pooling> {
  let second: Client | undefined
  try {
    second = await connectInTime(connection)
    const backends = { first: new Set<number>(), second: new Set<number>() }
    // Twice in a row and alternating, because a pooler can assign the latest or the next backend.
    for (const turn of ['first', 'first', 'second', 'second', 'first'] as const)
      backends[turn].add(await backendOf(turn === 'first' ? first : second))
    const isOwn = backends.first.size === 1 && backends.first.isDisjointFrom(backends.second)
    return isOwn ? 'session' : 'transaction'
  } catch {
    // The second connection waits for a backend while the first keeps its own.
    return 'session'
  } finally {
    await second?.end().catch(() => {})
  }
}
