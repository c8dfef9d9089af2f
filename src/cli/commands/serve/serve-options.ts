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
  aiAllow?: string[]
  eventRetention?: string
  allowLocalOperator?: boolean
}

/** The options that serve, ready and doctor share. */
export function addServeOptions(command: Command): Command {
  return command
    .option('--port <port>', 'Port to listen on; 0 picks a free port (default: 8080)')
    .option('--host <host>', 'Address to listen on; other than loopback requires TLS (default: 127.0.0.1)')
    .option('--workers <count>', 'Number of threads that share the port (default: 1)')
    .option('--tls-cert <file>', 'PEM file with the TLS certificate and its chain; requires --tls-key')
    .option('--tls-key <file>', 'PEM file with the private key of the certificate')
    .option('--tls <kind>', 'self-signed creates a TLS certificate for localhost in the data folder')
    .option('--behind-proxy', 'Trust X-Forwarded-For, -Host and -Proto of a proxy that terminates TLS')
    .option('--base-url <url>', 'Public base URL for links (default: the host that the client used)')
    .option(
      '--allow-local-operator',
      'Let operators sign in with a password or a passkey even if CATALOG_LOCAL_SIGN_IN is off',
    )
    .option('--cors-origin <origin>', 'Origin that may call the API from a browser (repeatable)', collect)
    .option('--webhook-allow <network>', 'Private network that webhooks may connect to (repeatable)', collect)
    .option('--ai-allow <origin>', 'Origin in your network that AI providers may use (repeatable)', collect)
    .option('--log-level <level>', 'fatal, error, warn, info, debug, trace or silent (default: info)')
    .option('--backup-every <time>', 'Interval of scheduled backups, such as 30m, 6h or 1d')
    .option('--backup-keep <count>', 'Number of scheduled backups to keep (default: 28)')
    .option('--backup-dir <folder>', 'Folder for scheduled backups (default: backups in the data folder)')
    .option('--event-retention <time>', 'How long to retain events, such as 90d (default: unlimited)')
}

export function serveConfig(options: ServeOptions, environment?: NodeJS.ProcessEnv): Config {
  const { port, host, workers, tls, tlsCert, tlsKey, behindProxy, corsOrigin, baseUrl, logLevel } = options
  const { backupEvery, backupKeep, backupDir, webhookAllow, aiAllow, eventRetention } = options
  const given = { port, host, workers, tls, tlsCert, tlsKey, behindProxy, baseUrl, logLevel }
  const backups = { backupEvery, backupKeep, backupDirectory: backupDir }
  const others = {
    corsOrigins: corsOrigin,
    webhookAllow,
    aiAllow,
    eventRetention,
    allowLocalOperator: options.allowLocalOperator,
  }
  return configFrom(options, { ...given, ...backups, ...others }, environment)
}

function collect(value: string, before: string[] = []): string[] {
  return [...before, value]
}
