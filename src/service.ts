import { Server as TcpServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { buildApp } from './app.ts'
import { startBackgroundWork } from './background.ts'
import type { ModelRules } from './catalog/ai-providers/call-model.ts'
import { openMediaFiles } from './catalog/media-store/media-files.ts'
import type { Config } from './config.ts'
import type { WebhookLimits } from './delivery/limits.ts'
import { limitConnections } from './platform/http/limits/limit-connections.ts'
import { openLog } from './platform/http/request-log.ts'
import type { Server } from './platform/http/server.ts'
import type { Certificate } from './platform/http/tls/certificate.ts'
import type { JobLimits } from './platform/limits/jobs.ts'
import { requestLimits } from './platform/limits/requests.ts'
import { createRuntime, openServiceDatabase, type RuntimeParts } from './runtime.ts'

/** A listening service: one per process, or one per worker. */
export type Service = { url: string; port: number; drain(): Promise<void> }

export type ServiceParts = Pick<
  RuntimeParts,
  'worker' | 'metrics' | 'timeLimits' | 'memory' | 'cacheFaults' | 'fetching'
> & {
  config: Config
  connection: pg.ClientConfig
  /** The data folder of the embedded server, if it is used. */
  dataDirectory?: string | undefined
  rateLimits: SharedArrayBuffer
  /** With a certificate, the service uses HTTPS; otherwise HTTP. */
  certificate?: Certificate | undefined
  reusePort?: boolean
  /** Shorter in tests. */
  webhookLimits?: WebhookLimits | undefined
  modelLimits?: Partial<ModelRules> | undefined
  jobLimits?: JobLimits | undefined
}

export async function startService({
  config,
  connection,
  dataDirectory,
  certificate,
  reusePort = false,
  webhookLimits,
  modelLimits,
  jobLimits,
  ...shared
}: ServiceParts): Promise<Service> {
  const { host, workers, maxConnections, cacheMegabytes } = config
  const log = openLog(config.logLevel)
  const webhooks = {
    allow: config.webhookAllow,
    keys: config.webhookKeys,
    baseUrl: config.baseUrl,
    ...(webhookLimits && { limits: webhookLimits }),
  }
  const models = { allow: config.aiAllow, ...modelLimits }
  const database = openServiceDatabase(config, connection, log, dataDirectory, shared.worker)
  const files = openMediaFiles(config, dataDirectory)
  const runtime = createRuntime({
    ...shared,
    database,
    log,
    workers,
    files,
    webhooks,
    models,
    cacheMegabytes,
  })
  const app = await buildApp(config, runtime, certificate)
  limitConnections(app.server, Math.ceil(maxConnections / workers))
  await listen()
  const stopWork = startBackgroundWork({ runtime, config, connection, jobLimits })
  const { port } = app.server.address() as { port: number }

  async function listen(): Promise<void> {
    try {
      // Fastify passes these to node:net unchanged; its type does not include reusePort.
      // With the default backlog of the system, half of a thousand simultaneous clients would have to retry.
      const place = {
        host,
        port: config.port,
        reusePort,
        backlog: requestLimits.backlog,
        listenTextResolver: () => 'listening',
      }
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
      await drainConnections(app, runtime.watch.close)
      await stopWork()
      runtime.webhooks.sender.close()
      runtime.models.close()
      runtime.assets.fetcher.close()
      await app.close()
      await database.close()
    },
  }
}

/** Reports not ready, stops accepting connections, and waits for requests in progress. After the time limit, it closes all connections. */
async function drainConnections(app: Server, endWaiting: () => void): Promise<void> {
  const { politeMilliseconds, drainMilliseconds } = app.timeLimits
  app.leaving = 'announced'
  if ((await openConnections(app)) > 0) await sleep(politeMilliseconds)
  // http.Server.close would also close connections whose first request is still arriving.
  const ended = new Promise((resolve) => TcpServer.prototype.close.call(app.server, resolve))
  // After the close: while the port is open, a client that is disconnected would open a new connection.
  app.leaving = 'closing connections'
  endWaiting()
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
      `port ${port} on ${host} is already in use; stop the process that uses it, or choose another port with --port (0 selects a free one)`,
    )
  }
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new Error(`${host} is not an address of this machine; choose another one with --host`)
  if (error.code === 'EACCES')
    return new Error(`port ${port} requires elevated privileges; choose a port above 1023 with --port`)
  return error
}
