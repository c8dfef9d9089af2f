import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { databaseLimits } from '../../limits/database.ts'
import { type ConcurrencyLimit, limitConcurrency } from '../../scheduling/concurrency-limit.ts'
import { isCommitUnderWay } from '../commit-outcome.ts'
import { asFailure, breaksConnection, DatabaseFailure } from '../failures.ts'
import { connectWithBackoff } from './connect-with-backoff.ts'
import {
  type ConnectionClass,
  type ConnectionShares,
  connectionClasses,
  maxPerProject,
  type PoolName,
  poolOf,
} from './connection-classes.ts'
import { openPool, type PoolOptions } from './open-pool.ts'

/** A connection that the caller owns until release(). A broken connection is replaced. */
export type HeldConnection = { client: pg.PoolClient; release(broken: boolean): void }

type ConnectionOptions = Omit<PoolOptions, 'size'> & { refusesWrites: () => string | undefined }

type Class = { pool: pg.Pool; limit: ConcurrencyLimit }

const readClasses = new Set<ConnectionClass>(['reads', 'lists', 'exports'])

/** Opens a single pool for a command, or several pools with limits per class for a service. */
export function openConnections(
  poolSize: number | ConnectionShares,
  { refusesWrites, ...options }: ConnectionOptions,
) {
  const classes = typeof poolSize === 'number' ? oneForAll(poolSize, options) : oneEach(poolSize, options)
  const pools = new Set(Object.values(classes).map(({ pool }) => pool))
  const limits = new Set(Object.values(classes).map(({ limit }) => limit))
  const connect = connectWithBackoff()
  const lists = typeof poolSize === 'number' ? poolSize : poolSize.lists
  // Statements that read very many rows leave connections to other lists.
  const broad = limitConcurrency({
    most: Math.max(1, Math.floor(lists / 2)),
    maxWaitSeconds: options.statementTimeoutSeconds,
  })

  async function hold(
    name: ConnectionClass,
    project?: number,
    signal?: AbortSignal,
  ): Promise<HeldConnection> {
    if (!readClasses.has(name)) rejectWrites(refusesWrites())
    const { pool, limit } = classes[name]
    const leave = await limit.enter(project, signal)
    try {
      const isIdleThere = pool.idleCount > pool.waitingCount
      const client = await (isIdleThere ? pool.connect() : connect(() => pool.connect()))
      return {
        client,
        release(broken) {
          client.release(broken)
          leave()
        },
      }
    } catch (error) {
      leave()
      throw asFailure(error)
    }
  }

  async function use<Result>(
    name: ConnectionClass,
    project: number | undefined,
    work: (client: pg.PoolClient) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    const { client, release } = await hold(name, project, signal)
    try {
      const result = await work(client)
      release(false)
      return result
    } catch (error) {
      // A rejected statement does not break the connection. Closing it would make every conflict cost a reconnect.
      if (isCommitUnderWay(error)) whenSettled(client, () => release(true))
      else release(breaksConnection(error))
      throw asFailure(error)
    }
  }

  return {
    hold,
    use,
    broad,
    totals: () => ({
      total: sumOf(pools, ({ totalCount }) => totalCount),
      idle: sumOf(pools, ({ idleCount }) => idleCount),
      waiting: sumOf(limits, ({ waiting }) => waiting()) + broad.waiting(),
    }),
    // A server that hangs must not prevent shutdown.
    async close() {
      const ended = Promise.all([...pools].map((pool) => pool.end()))
      await Promise.race([ended, sleep(databaseLimits.closeMilliseconds, undefined, { ref: false })])
    },
  }
}

function sumOf<Item>(items: Iterable<Item>, count: (item: Item) => number): number {
  let sum = 0
  for (const item of items) sum += count(item)
  return sum
}

function rejectWrites(reason: string | undefined): void {
  if (reason !== undefined) throw new DatabaseFailure('database_unavailable', new Error(reason))
}

/**
 * A commit that waits occupies its backend even if we disconnect. It keeps its slot here too. Otherwise repeated writes would
 * use up all connections of the server, including those for reads.
 */
function whenSettled(client: pg.PoolClient, then: () => void): void {
  const settle = () => {
    clearTimeout(timer)
    client.off('drain', settle).off('end', settle)
    then()
  }
  const timer = setTimeout(settle, databaseLimits.commitMilliseconds).unref()
  client.once('drain', settle).once('end', settle)
}

function oneForAll(size: number, options: Omit<PoolOptions, 'size'>): Record<ConnectionClass, Class> {
  const limit = limitConcurrency({ most: size, maxWaitSeconds: databaseLimits.commandWaitSeconds })
  const one = { pool: openPool('any', { ...options, size }), limit }
  return Object.fromEntries(connectionClasses.map((name) => [name, one])) as Record<ConnectionClass, Class>
}

function oneEach(
  shares: ConnectionShares,
  options: Omit<PoolOptions, 'size'>,
): Record<ConnectionClass, Class> {
  const pools = new Map<PoolName, pg.Pool>()
  const open = (name: ConnectionClass): Class => {
    const kind = poolOf(name)
    const size = sumOf(connectionClasses, (other) => (poolOf(other) === kind ? shares[other] : 0))
    const limit = limitConcurrency({
      most: shares[name],
      maxPerProject: maxPerProject(name, shares[name]),
      maxWaitSeconds: maxWaitOf(name, options.statementTimeoutSeconds),
    })
    return { pool: pools.getOrInsertComputed(kind, () => openPool(kind, { ...options, size })), limit }
  }
  const background = open('background')
  const classOf = (name: ConnectionClass) =>
    name === 'background' || shares[name] === 0 ? background : open(name)
  return Object.fromEntries(connectionClasses.map((name) => [name, classOf(name)])) as Record<
    ConnectionClass,
    Class
  >
}

const unlimitedClasses = new Set<ConnectionClass>(['bulk', 'background', 'deliveries', 'jobs'])

/** Push batches and background work are limited where they start, so they wait as long as necessary. */
function maxWaitOf(name: ConnectionClass, statementTimeoutSeconds: number): number {
  if (unlimitedClasses.has(name)) return 0
  return name === 'reads' ? databaseLimits.readWaitSeconds : statementTimeoutSeconds
}
