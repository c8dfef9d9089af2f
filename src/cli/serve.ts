import type { Command } from 'commander'
import type { Config } from '../config.ts'
import { openDatabase } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { type ReachedServer, reachServer } from '../database/reach.ts'
import { type Demo, makeDemo } from '../demo/make-demo.ts'
import { rateLimitMemory } from '../http/rate-limit.ts'
import { type Service, startService } from '../service.ts'
import { type CommonOptions, command, configFrom } from './command.ts'
import { occupied } from './demo.ts'
import { exitWithin, untilSignal } from './signals.ts'
import { startWorkers } from './workers.ts'

const longestStopMilliseconds = 11_000

type ServeOptions = CommonOptions & {
  port?: string
  host?: string
  workers?: string
  baseUrl?: string
  logLevel?: string
  demo?: boolean
}

export function serveCommand(): Command {
  return command('serve', 'migrate the database and serve the API until SIGTERM or Ctrl-C')
    .option('--port <port>', 'port to listen on; 0 picks a free one (default: 8080)')
    .option('--host <host>', 'loopback address to listen on (default: 127.0.0.1)')
    .option('--workers <count>', 'threads that share the port (default: 1)')
    .option('--base-url <url>', 'address that links begin with (default: the one that the client used)')
    .option('--log-level <level>', 'fatal, error, warn, info, debug, trace or silent (default: info)')
    .option('--demo', 'fill an empty database with a demo catalog and print a token for it')
    .addHelpText(
      'after',
      '\nExamples:\n  catalog serve --demo\n  DATABASE_URL=postgres://localhost/catalog catalog serve --workers 4',
    )
    .action(serve)
}

async function serve(options: ServeOptions): Promise<void> {
  const { port, host, workers, baseUrl, logLevel } = options
  const config = configFrom(options, { port, host, workers, baseUrl, logLevel })
  const stopped = untilSignal()
  console.error(config.databaseUrl === undefined ? 'starting PostgreSQL' : 'connecting to PostgreSQL')
  const server = await reachServer(config)
  let service: Service | undefined
  try {
    const demo = await Promise.race([prepare(server, options.demo === true), stopped])
    if (typeof demo === 'string') return
    service = await start(config, server)
    announce(options, server, service, demo)
    await stopped
    console.error('stopping: finishing what is under way')
  } finally {
    void stopped.then(() => exitWithin(longestStopMilliseconds))
    await service?.drain()
    await server.release()
    void stopped.then(() => exitWithin(500))
  }
}

async function prepare({ connection }: ReachedServer, withDemo: boolean): Promise<Demo | undefined> {
  const database = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 0 })
  try {
    await migrate(database)
    return withDemo ? await makeDemo(database) : undefined
  } finally {
    await database.close()
  }
}

function start(config: Config, { connection }: ReachedServer): Promise<Service> {
  const parts = { config, connection, rateLimits: rateLimitMemory() }
  return config.workers === 1 ? startService(parts) : startWorkers(parts, config.workers)
}

function announce(
  options: ServeOptions,
  server: ReachedServer,
  { url }: Service,
  demo: Demo | undefined,
): void {
  if (options.json === true) {
    console.log(JSON.stringify({ url, demo: demo ?? null }))
    return
  }
  const lines = [`Catalog Service on ${server.description}`]
  if (demo !== undefined) {
    lines.push(
      `demo project ${demo.project} with API access, demo project ${demo.locked_project} without`,
      `token: ${demo.token}`,
      'try:',
      `  curl -H 'Authorization: Bearer ${demo.token}' '${url}/v2/products?status=active&page_size=3'`,
    )
  } else if (options.demo === true) lines.push(occupied)
  lines.push(`reference: ${url}/docs`, `listening on ${url}`)
  console.log(lines.join('\n'))
}
