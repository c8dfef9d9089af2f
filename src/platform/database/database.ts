import type pg from 'pg'
import { databaseLimits } from '../limits/database.ts'
import { retry } from '../scheduling/retry.ts'
import { watchCommits } from './commit-outcome.ts'
import type { ConnectionClass, ConnectionShares } from './connections/connection-classes.ts'
import { openConnections } from './connections/connections.ts'
import { asFailure, breaksConnection, DatabaseFailure, isLockedOut, isRetryable } from './failures.ts'
import type { Statement } from './sql.ts'
import { type PreparedStatement, submitStatement } from './submit-statement.ts'

/** Anything that runs statements: the pool, or one transaction. */
export type Queryable = { query<Row>(statement: Statement<Row>): Promise<Row[]> }

/** Statements inside one transaction. */
export type Transaction = Writable & {
  /** Several statements in one string, without parameters. */
  script(text: string): Promise<void>
}

export type TransactionLimits = {
  /** The project of the transaction: each class leaves some connections to other projects. */
  project?: number
  /** One of very many batches: only a few run at once. */
  bulk?: boolean
  /** For statements that write thousands of rows, or wait for such a statement. */
  statementTimeoutSeconds?: number
  /** For statements that fail instead of waiting for another writer. */
  lockTimeoutMilliseconds?: number
}

/** For a transaction that writes very many rows. */
export const bulkLimits = {
  statementTimeoutSeconds: databaseLimits.bulkStatementSeconds,
  bulk: true,
} as const

/** The pool or a transaction. A single statement is atomic; several need a transaction. */
export type Writable = Queryable & {
  /** Within a transaction, the same transaction. */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>, limits?: TransactionLimits): Promise<Result>
}

/** Statements that all read the same snapshot. */
export type SnapshotReader = Queryable & {
  /** Rows in batches, so that any number of rows can be read. */
  batches<Row>(statement: Statement<Row>, size: number): AsyncGenerator<Row[]>
}

export type Database = Writable & {
  /** For writes of several requests: fails instead of waiting for a row that another writer has locked. */
  unwaiting: Queryable
  /** The same database for work that no request waits for. Each class has its own connections. */
  background: Writable
  deliveries: Writable
  jobs: Writable
  /**
   * Reads one snapshot of a project. The connection is released when the generator ends or throws. The signal aborts when the
   * client has disconnected.
   */
  snapshot<Item>(
    project: number,
    work: (reader: SnapshotReader) => AsyncGenerator<Item>,
    signal?: AbortSignal,
  ): AsyncGenerator<Item>
  /** One connection for the duration of the work. It is closed afterwards, together with its settings and locks. */
  session<Result>(work: (client: pg.ClientBase) => Promise<Result>): Promise<Result>
  connections(): { total: number; idle: number; waiting: number }
  /** 0 if statements can take any time. */
  statementTimeoutSeconds: number
  close(): Promise<void>
}

export type DatabaseOptions = {
  connection: pg.ClientConfig
  /** One number of connections in total for a command, or one per class for a service. */
  poolSize: number | ConnectionShares
  /** 0 disables the timeout. */
  statementTimeoutSeconds: number
  /** Called when a connection breaks; the pool replaces it. */
  onBrokenConnection?: (error: Error) => void
  /** Returns why writes are not possible at present; called before each write. */
  refusesWrites?: () => string | undefined
}

/** Work that failed because of another writer changed nothing, so it runs again. */
const retries = {
  attempts: databaseLimits.attempts,
  isRetryable,
  exhausted: (error: unknown) => new DatabaseFailure('too_busy', error),
}

export function openDatabase({
  connection,
  poolSize,
  statementTimeoutSeconds,
  onBrokenConnection = () => {},
  refusesWrites = () => undefined,
}: DatabaseOptions): Database {
  const { watch, confirmed } = watchCommits()
  const connections = openConnections(poolSize, {
    connection,
    statementTimeoutSeconds,
    onConnect: watch,
    onBrokenConnection,
    refusesWrites,
  })
  const prepare = createStatementNamer()

  function run<Row>(
    client: pg.PoolClient,
    statement: Statement<Row>,
    limits?: TransactionLimits,
  ): Promise<Row[]> {
    const prepared = prepare(statement)
    const seconds = limits?.statementTimeoutSeconds
    const timeoutMilliseconds = seconds === undefined ? undefined : seconds * 1000 + 1000
    return submitStatement(client, prepared, statement.values, timeoutMilliseconds)
  }

  function attempt<Result>(
    name: ConnectionClass,
    work: (tx: Transaction) => Promise<Result>,
    limits: TransactionLimits,
  ): Promise<Result> {
    return connections.use(name, limits.project, async (client) => {
      await client.query(['begin isolation level read committed', ...settings(limits)].join('; '))
      try {
        const tx: Transaction = {
          query: (statement) => run(client, statement, limits),
          script: async (text) => void (await client.query(text)),
          transaction: (inner) => inner(tx),
        }
        const result = await work(tx)
        await confirmed(client, client.query('commit'))
        return result
      } catch (error) {
        if (!breaksConnection(error)) await client.query('rollback')
        throw error
      }
    })
  }

  async function* snapshot<Item>(
    project: number,
    work: (reader: SnapshotReader) => AsyncGenerator<Item>,
    signal?: AbortSignal,
  ): AsyncGenerator<Item> {
    const { client, release } = await connections.hold('exports', project, signal)
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
      await client.query(
        `begin isolation level repeatable read read only; set local idle_in_transaction_session_timeout = '${databaseLimits.idleSnapshotSeconds}s'`,
      )
      yield* work({ query: (statement) => run(client, statement), batches })
    } catch (error) {
      broken = breaksConnection(error)
      throw asFailure(error)
    } finally {
      if (!broken)
        await client.query('rollback').catch(() => {
          broken = true
        })
      release(broken)
    }
  }

  function query<Row>(name: ConnectionClass, statement: Statement<Row>): Promise<Row[]> {
    const isRead = name === 'reads' || name === 'lists'
    return retry(retries, () =>
      connections.use(
        name,
        statement.project,
        (client) => (isRead ? run(client, statement) : confirmed(client, run(client, statement))),
        statement.signal,
      ),
    )
  }

  function on(name: ConnectionClass): Writable {
    return {
      query: (statement) => query(name, statement),
      transaction: (work, limits = {}) => retry(retries, () => attempt(name, work, limits)),
    }
  }

  async function session<Result>(work: (client: pg.ClientBase) => Promise<Result>): Promise<Result> {
    const { client, release } = await connections.hold('background')
    try {
      return await confirmed(client, work(client))
    } catch (error) {
      throw asFailure(error)
    } finally {
      release(true)
    }
  }

  return {
    query(statement) {
      const { connectionClass = 'reads', broad } = statement
      if (connectionClass === 'writes') return waitSeparately((name) => query(name, statement))
      return broad === true
        ? connections.broad.run(() => query(connectionClass, statement), undefined, statement.signal)
        : query(connectionClass, statement)
    },
    transaction(work, limits = {}) {
      const run = (name: ConnectionClass) => on(name).transaction(work, limits)
      if (limits.bulk === true) return run('bulk')
      return limits.lockTimeoutMilliseconds === undefined ? waitSeparately(run) : run('writes')
    },
    unwaiting: { query: (statement) => query('writes', statement) },
    background: on('background'),
    deliveries: on('deliveries'),
    jobs: on('jobs'),
    snapshot,
    session,
    connections: connections.totals,
    statementTimeoutSeconds,
    close: connections.close,
  }
}

/** A write that has to wait for a locked row releases its connection to other writes, and waits in a separate class. */
async function waitSeparately<Result>(
  writeOn: (name: 'writes' | 'waiting') => Promise<Result>,
): Promise<Result> {
  try {
    return await writeOn('writes').catch((error) => {
      if (!isLockedOut(error)) throw error
      return writeOn('waiting')
    })
  } catch (error) {
    throw isLockedOut(error) ? new DatabaseFailure('too_busy', error) : error
  }
}

function settings({ statementTimeoutSeconds, lockTimeoutMilliseconds }: TransactionLimits): string[] {
  return [
    ...(statementTimeoutSeconds === undefined
      ? []
      : [`set local statement_timeout = ${statementTimeoutSeconds * 1000}`]),
    ...(lockTimeoutMilliseconds === undefined ? [] : [`set local lock_timeout = ${lockTimeoutMilliseconds}`]),
  ]
}

/**
 * Equal statements get the same name, so each connection prepares them once. They also share one string: the driver compares it
 * with the prepared text, which takes no time for the same string. Statements beyond the limit get no name. Lists are counted
 * separately, because clients can request any number of sort orders.
 */
function createStatementNamer(): (statement: Statement<unknown>) => PreparedStatement {
  const prepared = new Map<string, PreparedStatement>()
  const given = { lists: 0, others: 0 }
  return ({ text, connectionClass, planEachTime }) => {
    if (planEachTime === true) return { text }
    const known = prepared.get(text)
    if (known !== undefined) return known
    const kind = connectionClass === 'lists' ? 'lists' : 'others'
    if (given[kind] >= databaseLimits.preparedStatements) return { text }
    given[kind] += 1
    const added = { text, name: `s${prepared.size + 1}` }
    prepared.set(text, added)
    return added
  }
}
