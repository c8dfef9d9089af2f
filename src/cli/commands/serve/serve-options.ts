import type { Command } from 'commander'
import type { Config } from '../../../config.ts'
import { type CommonOptions, configFrom } from '../../command.ts'

export type ServeOptions = CommonOptions & {
  port?: string
  host?: string
  workers?: string
  tls?: string
  tlsCert?: string
  tlsKey?: string
  behindProxy?: boolean
  corsOrigin?: string[]
  baseUrl?: string
  logLevel?: string
  backupEvery?: string
  backupKeep?: string
  backupDir?: string
  webhookAllow?: string[]
  eventRetention?: string
}

/** The options of a listening service, for serve and doctor. */
export function addServeOptions(command: Command): Command {
  return command
    .option('--port <port>', 'port to listen on; 0 picks a free one (default: 8080)')
    .option('--host <host>', 'address to listen on; off loopback only with TLS (default: 127.0.0.1)')
    .option('--workers <count>', 'threads that share the port (default: 1)')
    .option('--tls-cert <file>', 'certificate and its chain in PEM form; with --tls-key: HTTPS')
    .option('--tls-key <file>', 'its private key in PEM form')
    .option('--tls <kind>', 'self-signed: HTTPS with a certificate for localhost, kept in the data folder')
    .option('--behind-proxy', 'a proxy terminates TLS; its X-Forwarded-For, -Host and -Proto are trusted')
    .option('--base-url <url>', 'address that links begin with (default: the one that the client used)')
    .option('--cors-origin <origin>', 'origin whose pages may call the API; may be repeated', collect)
    .option('--webhook-allow <network>', 'inner network that webhooks may be in; may be repeated', collect)
    .option('--log-level <level>', 'fatal, error, warn, info, debug, trace or silent (default: info)')
    .option('--backup-every <time>', 'back up the database on a schedule, such as 6h, 30m or 1d')
    .option('--backup-keep <count>', 'backups that are kept; the oldest are removed (default: 28)')
    .option('--backup-dir <folder>', 'where to keep them (default: backups in the data folder)')
    .option('--event-retention <time>', 'how long to keep events, such as 90d (default: unlimited)')
}

export function serveConfig(options: ServeOptions, environment?: NodeJS.ProcessEnv): Config {
  const { port, host, workers, tls, tlsCert, tlsKey, behindProxy, corsOrigin, baseUrl, logLevel } = options
  const { backupEvery, backupKeep, backupDir, webhookAllow, eventRetention } = options
  const given = { port, host, workers, tls, tlsCert, tlsKey, behindProxy, baseUrl, logLevel }
  const backups = { backupEvery, backupKeep, backupDirectory: backupDir }
  const others = { corsOrigins: corsOrigin, webhookAllow, eventRetention }
  return configFrom(options, { ...given, ...backups, ...others }, environment)
}

function collect(value: string, before: string[] = []): string[] {
  return [...before, value]
}
