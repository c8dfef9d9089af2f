import type pg from 'pg'
import { connect } from './connect.ts'

/** What stands between us and the server: nothing, or a pooler that lends a server's session for our whole connection, or for a transaction. */
export type Pooling = 'none' | 'session' | 'transaction'

const patienceMilliseconds = 5_000

/** A pooler hands out process numbers of its own, because it passes cancellations on; a server tells its own. */
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
    connectionTimeoutMillis: patienceMilliseconds,
    query_timeout: patienceMilliseconds,
  })
}

async function backendOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}

/** Two connections that are open at once have one backend each, unless backends are lent for a transaction. */
async function howPooled(connection: pg.ClientConfig, first: Client): Promise<Pooling> {
  let second: Client | undefined
  try {
    second = await connectInTime(connection)
    const backends = { first: new Set<number>(), second: new Set<number>() }
    // Twice in a row and in turns, so that it shows whether the pooler lends the latest or the next.
    for (const turn of ['first', 'first', 'second', 'second', 'first'] as const)
      backends[turn].add(await backendOf(turn === 'first' ? first : second))
    const isOwn = backends.first.size === 1 && backends.first.isDisjointFrom(backends.second)
    return isOwn ? 'session' : 'transaction'
  } catch {
    // The second waits for a backend while the first keeps its own.
    return 'session'
  } finally {
    await second?.end().catch(() => {})
  }
}
