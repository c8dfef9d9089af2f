import { totalmem } from 'node:os'
import type { Command } from 'commander'
import { companySettings } from '../../../access/company-accounts/company-settings.ts'
import { type Config, refuseUnsafeListening } from '../../../config.ts'
import { isConsoleBuilt } from '../../../console-api/pages.ts'
import { backupPlan, prepareFolder } from '../../../operations/backup/backup-plan.ts'
import { createDemo, type Demo } from '../../../operations/demo/create-demo.ts'
import { refuseTooManyConnections } from '../../../platform/database/connections/connection-capacity.ts'
import { type ReachedServer, reachServer } from '../../../platform/database/connections/reach-server.ts'
import { openDatabase } from '../../../platform/database/database.ts'
import { dataDirectoryOf } from '../../../platform/database/embedded/data-directory.ts'
import { migrate } from '../../../platform/database/migrate.ts'
import { findReadOnlyReason } from '../../../platform/database/read-only.ts'
import { findMemoryShortage } from '../../../platform/http/limits/memory-budget.ts'
import { rateLimitMemory } from '../../../platform/http/limits/rate-limit.ts'
import { sharedCountersMemory } from '../../../platform/http/metrics/shared-counters.ts'
import { type Certificate, findTimeError, parseCertificate } from '../../../platform/http/tls/certificate.ts'
import { loadCertificate } from '../../../platform/http/tls/load-certificate.ts'
import { version } from '../../../platform/version.ts'
import { type Service, startService } from '../../../service.ts'
import { command } from '../../command.ts'
import { limitHeapGrowth } from '../../limit-heap-growth.ts'
import { commandLimits } from '../../limits.ts'
import { exitWithin, untilSignal } from '../../signals.ts'
import { startWorkers } from '../../workers.ts'
import { databaseInUse } from '../demo.ts'
import { addServeOptions, type ServeOptions, serveConfig } from './serve-options.ts'

type Options = ServeOptions & { demo?: boolean }

export function serveCommand(): Command {
  return addServeOptions(command('serve', 'Migrate the database and serve the API until SIGTERM or Ctrl-C'))
    .option('--demo', 'Add a demo catalog to an empty database and print a token for it')
    .addHelpText(
      'after',
      `
Examples:
  catalog serve --demo
  catalog serve --tls self-signed --port 8443
  catalog serve --backup-every 6h --backup-keep 28
  DATABASE_URL=postgres://localhost/catalog catalog serve --workers 4`,
    )
    .action(serve)
}

async function serve(options: Options): Promise<void> {
  const config = serveConfig(options)
  refuseUnsafeListening(config)
  // A wrong group map is reported here, before workers start.
  companySettings(config)
  checkMemory(config)
  const backups = backupPlan(config)
  const certificate = await loadCertificate(config, () => dataDirectoryOf(config))
  if (certificate !== undefined) warnOfTime(certificate)
  const stopped = untilSignal()
  console.error(config.databaseUrl === undefined ? 'starting PostgreSQL' : 'connecting to PostgreSQL')
  const server = await reachServer(config)
  let service: Service | undefined
  try {
    if (backups !== undefined) prepareFolder(backups)
    const demo = await Promise.race([prepare(server, config, options.demo === true), stopped])
    if (typeof demo === 'string') return
    service = await start(config, server, certificate)
    announce(options, { config, server, service, demo, certificate })
    limitHeapGrowth()
    await stopped
    console.error('stopping: finishing requests in progress')
  } finally {
    void stopped.then(() => exitWithin(commandLimits.stopMilliseconds))
    await service?.drain()
    await server.release()
    void stopped.then(() => exitWithin(500))
  }
}

/** A single worker starts anyway, with a warning: few services ever reach their memory limit. */
function checkMemory({ workers }: Config): void {
  // A container may have less memory than its machine. Without a limit, Node returns a huge number or 0.
  const available = Math.min(process.constrainedMemory() || totalmem(), totalmem())
  const shortage = findMemoryShortage(workers, available)
  if (shortage === undefined) return
  if (workers > 1) throw new Error(`${shortage}; use fewer --workers`)
  console.error(`warning: ${shortage}`)
}

/** Only a warning: clients that do not check validity dates keep working. */
function warnOfTime({ cert, files }: Certificate): void {
  const problem = findTimeError(parseCertificate(cert, files.cert))
  if (problem !== undefined) console.error(`warning: the certificate in ${files.cert} ${problem}`)
}

async function prepare(
  { connection }: ReachedServer,
  { poolSize }: Config,
  withDemo: boolean,
): Promise<Demo | undefined> {
  const database = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 0 })
  try {
    await refuseTooManyConnections(database, poolSize)
    await migrate(database, { report: (line) => console.error(line) })
    const readOnly = await findReadOnlyReason(database)
    if (readOnly !== undefined) console.error(`warning: ${readOnly}; until then /readyz returns 503`)
    return withDemo ? await createDemo(database) : undefined
  } finally {
    await database.close()
  }
}

function start(
  config: Config,
  { connection, dataDirectory }: ReachedServer,
  certificate: Certificate | undefined,
): Promise<Service> {
  const rateLimits = rateLimitMemory()
  const metrics = sharedCountersMemory(config.workers)
  const parts = { config, connection, dataDirectory, rateLimits, metrics, certificate }
  return config.workers === 1 ? startService(parts) : startWorkers(parts, config.workers)
}

type Started = {
  config: Config
  server: ReachedServer
  service: Service
  demo: Demo | undefined
  certificate: Certificate | undefined
}

function announce(options: Options, { config, server, service, demo, certificate }: Started): void {
  const { url } = service
  if (options.json === true) {
    console.log(JSON.stringify({ url, demo: demo ?? null }))
    return
  }
  const lines = [`Catalog Service ${version} is running`, `database: ${server.description}`]
  if (isConsoleBuilt()) lines.push(`console: ${url}/`, `API reference: ${url}/docs`)
  else lines.push('console: not built; run "npm run build" and restart the service')
  if (certificate !== undefined) lines.push(`certificate: ${certificate.files.cert}`)
  if (demo !== undefined) {
    const trust = config.tls === undefined ? '' : `--cacert '${certificate?.files.cert}' `
    lines.push(...describeDemo(demo), 'try it:', `  ${exampleRequest(trust, demo.token, url)}`)
  } else if (options.demo === true) lines.push(databaseInUse)
  lines.push(`listening on ${url}`)
  console.log(lines.join('\n'))
}

function describeDemo({ project, locked_project, token, sign_ins }: Demo): string[] {
  return [
    ...Object.entries(sign_ins).map(
      ([role, { email, password }]) => `sign in as ${role}: ${email}, password ${password}`,
    ),
    `demo project with API access: ${project}`,
    ...(locked_project === null ? [] : [`demo project without API access: ${locked_project}`]),
    `API token: ${token}`,
  ]
}

function exampleRequest(trust: string, token: string, url: string): string {
  return `curl ${trust}-H 'Authorization: Bearer ${token}' '${url}/v2/products?status=active&page_size=3'`
}
