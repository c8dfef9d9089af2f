import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { columnTypes } from './column-types.ts'
import { asFailure, breaksConnection, DatabaseFailure, isRetryable } from './failures.ts'
import { openLane } from './lane.ts'
import type { Statement } from './sql.ts'

/** Anything that runs statements: the pool, or one transaction. */
export type Queryable = { query<Row>(statement: Statement<Row>): Promise<Row[]> }

/** Statements inside one transaction. Nothing else of the database is in scope there. */
export type Transaction = Writable & {
  /** Several statements in one text, without parameters: what a migration file is. */
  script(text: string): Promise<void>
}

type TransactionLimits = {
  /** For statements that write thousands of rows, or wait for one that does. */
  statementTimeoutSeconds?: number
  /** For statements that would rather fail than wait for another writer. */
  lockTimeoutMilliseconds?: number
  /** One of very many of this project: few of them run at once, fewer of one project, and the others wait for their turn. */
  bulkOf?: number
}

/** The pool or a transaction: one statement is a whole by itself, more than one asks for a transaction. */
export type Writable = Queryable & {
  /** Within a transaction: that same one. */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>, limits?: TransactionLimits): Promise<Result>
}

/** Statements that all see the same moment. */
export type SnapshotReader = Queryable & {
  /** Rows some at a time, however many there are. */
  batches<Row>(statement: Statement<Row>, size: number): AsyncGenerator<Row[]>
}

export type Database = Writable & {
  /** Reads of one snapshot. The connection is free again when the generator ends, however it ends. */
  snapshot<Item>(work: (reader: SnapshotReader) => AsyncGenerator<Item>): AsyncGenerator<Item>
  connections(): { total: number; idle: number; waiting: number }
  close(): Promise<void>
}

export type DatabaseOptions = {
  connection: pg.ClientConfig
  poolSize: number
  /** 0 lets a statement take as long as it needs. */
  statementTimeoutSeconds: number
  /** A connection that breaks is replaced; the word of it only informs. */
  onBrokenConnection?: (error: Error) => void
}

// UTC, because times are read as text. A named statement is a point read or a write: planning it costs more than running it. An index is worth a look even for a good part of a project: disks no longer seek.
const sessionSettings =
  "set timezone = 'UTC'; set datestyle = 'ISO'; set random_page_cost = 1.1; set jit = off; set plan_cache_mode = force_generic_plan"

const preparedLimit = 500
const attempts = 5
/** Of the pool's connections, for statements that may look at very many rows. */
const broadShare = 0.25
const bulkAtOnce = 6
/** How many bulk transactions of one project run at once in a process, where the pool has room for more. */
export const bulkOfOneProject = 3
const closeMilliseconds = 3_000

export function openDatabase({
  connection,
  poolSize,
  statementTimeoutSeconds,
  onBrokenConnection = () => {},
}: DatabaseOptions): Database {
  const pool = new pg.Pool({
    ...connection,
    types: columnTypes,
    max: poolSize,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: 3_000,
    statement_timeout: statementTimeoutSeconds * 1000,
    // A hung server never answers: give up a little after it should have canceled the statement itself.
    query_timeout: statementTimeoutSeconds && statementTimeoutSeconds * 1000 + 1000,
    application_name: 'catalog-service',
  })
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    // Through its whole life: a connection that breaks while nobody listens would end the process.
    client.on('error', onBrokenConnection)
    // Said on the connection and not in its options, which an address may have set for itself.
    client.query(sessionSettings).catch(() => {})
  })
  const nameOf = statementNames()
  const inBroadLane = openLane(Math.max(1, Math.floor(poolSize * broadShare)), statementTimeoutSeconds)
  const mostBulk = Math.max(1, Math.min(bulkAtOnce, poolSize - 1))
  const inBulkLane = openLane(mostBulk, 0, Math.max(1, Math.min(bulkOfOneProject, mostBulk - 1)))

  async function run<Row>(
    client: pg.PoolClient,
    statement: Statement<Row>,
    limits?: TransactionLimits,
  ): Promise<Row[]> {
    const { text, values } = statement
    const name = statement.plannedAnew === true ? undefined : nameOf(text)
    const seconds = limits?.statementTimeoutSeconds
    const patience = seconds !== undefined && { query_timeout: seconds * 1000 + 1000 }
    const query = { text, values, ...patience }
    const result = await client.query(name === undefined ? query : { name, ...query })
    return result.rows as Row[]
  }

  async function withClient<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    let client: pg.PoolClient | undefined
    let broken = false
    try {
      client = await pool.connect()
      return await work(client)
    } catch (error) {
      broken = breaksConnection(error)
      throw asFailure(error)
    } finally {
      // A refused statement leaves the connection whole; destroying it would make every conflict cost a reconnect.
      client?.release(broken)
    }
  }

  async function attempt<Result>(
    work: (tx: Transaction) => Promise<Result>,
    limits?: TransactionLimits,
  ): Promise<Result> {
    return withClient(async (client) => {
      await client.query(['begin', ...settings(limits)].join('; '))
      try {
        const tx: Transaction = {
          query: (statement) => run(client, statement, limits),
          script: async (text) => void (await client.query(text)),
          transaction: (inner) => inner(tx),
        }
        const result = await work(tx)
        await client.query('commit')
        return result
      } catch (error) {
        if (!breaksConnection(error)) await client.query('rollback')
        throw error
      }
    })
  }

  async function* snapshot<Item>(
    work: (reader: SnapshotReader) => AsyncGenerator<Item>,
  ): AsyncGenerator<Item> {
    const client = await pool.connect().catch((error) => {
      throw asFailure(error)
    })
    let broken = false
    async function* batches<Row>({ text, values }: Statement<Row>, size: number): AsyncGenerator<Row[]> {
      await client.query({ text: `declare batches no scroll cursor for ${text}`, values })
      for (;;) {
        const { rows } = await client.query(`fetch ${size} from batches`)
        if (rows.length > 0) yield rows as Row[]
        if (rows.length < size) break
      }
      await client.query('close batches')
    }
    try {
      await client.query('begin isolation level repeatable read read only')
      yield* work({ query: (statement) => run(client, statement), batches })
    } catch (error) {
      broken = breaksConnection(error)
      throw asFailure(error)
    } finally {
      if (!broken)
        await client.query('rollback').catch(() => {
          broken = true
        })
      client.release(broken)
    }
  }

  function query<Row>(statement: Statement<Row>): Promise<Row[]> {
    const work = () => retrying(() => withClient((client) => run(client, statement)))
    return statement.broad === true ? inBroadLane(work) : work()
  }

  function transaction<Result>(
    work: (tx: Transaction) => Promise<Result>,
    limits?: TransactionLimits,
  ): Promise<Result> {
    const write = () => retrying(() => attempt(work, limits))
    return limits?.bulkOf === undefined ? write() : inBulkLane(write, limits.bulkOf)
  }

  return {
    snapshot,
    query,
    transaction,
    connections: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    // A server that hangs must not keep us from leaving.
    close: () => Promise.race([pool.end(), sleep(closeMilliseconds, undefined, { ref: false })]),
  }
}

function settings({ statementTimeoutSeconds, lockTimeoutMilliseconds }: TransactionLimits = {}): string[] {
  return [
    ...(statementTimeoutSeconds === undefined
      ? []
      : [`set local statement_timeout = ${statementTimeoutSeconds * 1000}`]),
    ...(lockTimeoutMilliseconds === undefined ? [] : [`set local lock_timeout = ${lockTimeoutMilliseconds}`]),
  ]
}

/** What lost against another writer left nothing behind, and is done again. */
async function retrying<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let left = attempts - 1; ; left -= 1) {
    try {
      return await work()
    } catch (error) {
      if (!isRetryable(error)) throw error
      if (left === 0) throw new DatabaseFailure('database_unavailable', error)
    }
  }
}

/** The same text gets the same name, so each connection prepares it once. Past the limit statements stay unnamed. */
function statementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>()
  return (text) => {
    const known = names.get(text)
    if (known !== undefined || names.size >= preparedLimit) return known
    const name = `s${names.size + 1}`
    names.set(text, name)
    return name
  }
}
