import { Server as TcpServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { buildApp } from './app.ts'
import { startBackground } from './background.ts'
import type { Config } from './config.ts'
import { openDatabase } from './database/database.ts'
import { shareConnections } from './database/scheduling/connection-classes.ts'
import { limitConnections } from './http/limits/limit-connections.ts'
import { type MemoryBudget, memoryBudget } from './http/limits/memory-budget.ts'
import { makeRateLimiter } from './http/limits/rate-limit.ts'
import { shareRateLimits } from './http/limits/share-rate-limits.ts'
import type { TimeLimits } from './http/limits/time-limits.ts'
import { openSharedCounters, sharedCountersMemory } from './http/metrics/shared-counters.ts'
import type { Server } from './http/server.ts'
import type { Certificate } from './http/tls/certificate.ts'

const politeMilliseconds = 500
const drainMilliseconds = 8_000
// A thousand clients that come at once wait for a moment; the system's default would send half of them away for a second.
const backlog = 4_096

/** A listening service: one per process, or one per worker. */
export type Service = { url: string; port: number; drain(): Promise<void> }

export type ServiceParts = {
  config: Config
  connection: pg.ClientConfig
  /** Shared by the workers of a host, so that they count requests together. */
  rateLimits: SharedArrayBuffer
  /** Shared likewise, so that one scrape tells the whole. */
  metrics?: SharedArrayBuffer
  /** Which of the workers this is, from 0. */
  worker?: number
  /** With it the service speaks HTTPS, without it HTTP. */
  certificate?: Certificate | undefined
  reusePort?: boolean
  timeLimits?: TimeLimits | undefined
  memory?: MemoryBudget
}

export async function startService({
  config,
  connection,
  rateLimits,
  metrics = sharedCountersMemory(1),
  worker = 0,
  certificate,
  reusePort = false,
  timeLimits,
  memory = memoryBudget(config.workers),
}: ServiceParts): Promise<Service> {
  const { poolSize, statementTimeoutSeconds, host } = config
  const database = openDatabase({
    connection,
    poolSize: shareConnections(Math.floor(poolSize / config.workers)),
    statementTimeoutSeconds,
    onBrokenConnection: (error) => app.log.warn({ reason: error.message }, 'a database connection broke'),
  })
  const rateLimiter = makeRateLimiter(rateLimits)
  const app = await buildApp({
    config,
    database,
    rateLimiter,
    certificate,
    counters: openSharedCounters(metrics, worker),
    timeLimits,
    memory,
  })
  limitConnections(app.server, Math.ceil(config.maxConnections / config.workers))
  await listen()
  const background = startBackground(database, app.log)
  // One thread speaks for all of the process, whose memory they share.
  const sharing =
    worker > 0
      ? undefined
      : shareRateLimits(database.background, rateLimiter.project, (error) =>
          app.log.warn({ err: error }, 'rate limits not shared for the moment'),
        )
  const { port } = app.server.address() as { port: number }

  async function listen(): Promise<void> {
    try {
      // Fastify hands these to node:net as they are; its type does not know reusePort.
      const place = { host, port: config.port, reusePort, backlog, listenTextResolver: () => 'listening' }
      await app.listen(place)
    } catch (error) {
      await database.close()
      throw explainListening(error as NodeJS.ErrnoException, config)
    }
  }

  return {
    url: `${certificate === undefined ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    async drain() {
      await drainConnections(app)
      await background.stop()
      await sharing?.stop()
      await app.close()
      await database.close()
    },
  }
}

/** Announces the end, stops accepting, and waits for what is under way; after the time limit it hangs up. */
async function drainConnections(app: Server): Promise<void> {
  app.leaving = 'announced'
  if ((await openConnections(app)) > 0) await sleep(politeMilliseconds)
  // Not http.Server's own close: that one hangs up on connections whose first request is still on its way.
  const ended = new Promise((resolve) => TcpServer.prototype.close.call(app.server, resolve))
  // Only now: a client that is sent away while the port is open would come back by a new connection.
  app.leaving = 'closing connections'
  await Promise.race([ended, sleep(politeMilliseconds)])
  app.server.closeIdleConnections()
  await Promise.race([ended, sleep(drainMilliseconds, undefined, { ref: false })])
  app.server.closeAllConnections()
}

function openConnections(app: Server): Promise<number> {
  return new Promise((resolve) => app.server.getConnections((_error, count) => resolve(count)))
}

export function explainListening(error: NodeJS.ErrnoException, { host, port }: Config): Error {
  if (error.code === 'EADDRINUSE') {
    return new Error(
      `port ${port} on ${host} is taken; stop what listens there, or choose another with --port (0 picks a free one)`,
    )
  }
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new Error(`${host} is no address of this machine; choose another with --host`)
  if (error.code === 'EACCES')
    return new Error(`port ${port} needs privileges; choose one above 1023 with --port`)
  return error
}
