import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { openDatabase } from './database/database.ts'
import { makeRateLimiter } from './http/rate-limit.ts'

const politeMilliseconds = 500
const drainMilliseconds = 9_000

/** A listening service: one per process, or one per worker. */
export type Service = { url: string; port: number; drain(): Promise<void> }

export type ServiceParts = {
  config: Config
  connection: pg.ClientConfig
  /** Shared by the workers of a host, so that they count requests together. */
  rateLimits: SharedArrayBuffer
  reusePort?: boolean
}

export async function startService({
  config,
  connection,
  rateLimits,
  reusePort = false,
}: ServiceParts): Promise<Service> {
  const { poolSize, statementTimeoutSeconds, host } = config
  const database = openDatabase({ connection, poolSize, statementTimeoutSeconds })
  const app = await buildApp({ config, database, rateLimiter: makeRateLimiter(rateLimits) })
  await listen()
  const { port } = app.server.address() as { port: number }

  async function listen(): Promise<void> {
    try {
      // Fastify hands these to node:net as they are; its type does not know reusePort.
      const place = { host, port: config.port, reusePort, listenTextResolver: () => 'listening' }
      await app.listen(place)
    } catch (error) {
      await database.close()
      throw explain(error as NodeJS.ErrnoException, config)
    }
  }

  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    async drain() {
      app.draining = true
      // Clients on open connections get a last answer that closes them, and /readyz says that we are leaving.
      const open = await new Promise<number>((resolve) =>
        app.server.getConnections((_error, count) => resolve(count)),
      )
      if (open > 0) await sleep(politeMilliseconds)
      const closing = app.close()
      await Promise.race([closing, sleep(drainMilliseconds, undefined, { ref: false })])
      app.server.closeAllConnections()
      await closing
      await database.close()
    },
  }
}

function explain(error: NodeJS.ErrnoException, { host, port }: Config): Error {
  if (error.code === 'EADDRINUSE') {
    return new Error(
      `port ${port} on ${host} is taken; stop what listens there, or choose another with --port (0 picks a free one)`,
    )
  }
  if (error.code === 'EACCES')
    return new Error(`port ${port} needs privileges; choose one above 1023 with --port`)
  return error
}
