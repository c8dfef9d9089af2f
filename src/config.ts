import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { isLoopback } from './http/loopback.ts'

const ConfigSchema = Type.Object({
  databaseUrl: Type.Optional(Type.String({ pattern: '^postgres(ql)?://' })),
  dataDirectory: Type.Optional(Type.String({ minLength: 1 })),
  host: Type.String({ minLength: 1, default: '127.0.0.1' }),
  port: Type.Integer({ minimum: 0, maximum: 65_535, default: 8080 }),
  workers: Type.Integer({ minimum: 1, maximum: 64, default: 1 }),
  tls: Type.Optional(Type.Enum(['self-signed'])),
  tlsCert: Type.Optional(Type.String({ minLength: 1 })),
  tlsKey: Type.Optional(Type.String({ minLength: 1 })),
  behindProxy: Type.Boolean({ default: false }),
  corsOrigins: Type.Array(Type.String(), { default: [] }),
  baseUrl: Type.Optional(Type.String({ pattern: '^https?://[^/?#]+$' })),
  logLevel: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], { default: 'info' }),
  metricsToken: Type.Optional(Type.String({ minLength: 16 })),
  poolSize: Type.Integer({ minimum: 1, maximum: 150, default: 20 }),
  statementTimeoutSeconds: Type.Integer({ minimum: 1, maximum: 600, default: 5 }),
})

export type Config = Readonly<Type.Static<typeof ConfigSchema>>
export type Flags = { [Name in keyof Config]?: string | number | boolean | string[] | undefined }

/** Environment variables, and the setting each one gives. A flag of the command line goes before. */
const environmentNames: Record<string, keyof Config> = {
  DATABASE_URL: 'databaseUrl',
  CATALOG_DATA: 'dataDirectory',
  HOST: 'host',
  PORT: 'port',
  TLS: 'tls',
  TLS_CERT: 'tlsCert',
  TLS_KEY: 'tlsKey',
  BEHIND_PROXY: 'behindProxy',
  CORS_ORIGIN: 'corsOrigins',
  BASE_URL: 'baseUrl',
  LOG_LEVEL: 'logLevel',
  METRICS_TOKEN: 'metricsToken',
  POOL_SIZE: 'poolSize',
  STATEMENT_TIMEOUT_SECONDS: 'statementTimeoutSeconds',
}

/** The only reader of the environment. */
export function loadConfig(flags: Flags = {}, environment: NodeJS.ProcessEnv = process.env): Config {
  const given: Record<string, unknown> = {}
  for (const [variable, name] of Object.entries(environmentNames)) {
    if (environment[variable] !== undefined && environment[variable] !== '')
      given[name] = environment[variable]
  }
  for (const [name, value] of Object.entries(flags)) if (value !== undefined) given[name] = value
  if (typeof given['corsOrigins'] === 'string') given['corsOrigins'] = given['corsOrigins'].split(/[\s,]+/)
  const converted = Value.Convert(ConfigSchema, Value.Default(ConfigSchema, given))
  const [fault] = Value.Errors(ConfigSchema, converted)
  if (fault !== undefined)
    throw new Error(`the setting ${nameFor(fault.instancePath.slice(1))} ${fault.message}`)
  const config = Object.freeze(converted as Config)
  refuseContradictions(config)
  return config
}

function nameFor(setting: string): string {
  const variable = Object.entries(environmentNames).find(([, name]) => name === setting)?.[0]
  return variable === undefined ? setting : `${setting} (${variable})`
}

function refuseContradictions({ tls, tlsCert, tlsKey, corsOrigins }: Config): void {
  if ((tlsCert === undefined) !== (tlsKey === undefined))
    throw new Error('a certificate and its key go together; give --tls-cert and --tls-key both')
  if (tls !== undefined && tlsCert !== undefined)
    throw new Error(
      '--tls self-signed makes a certificate of its own; leave it out, or --tls-cert and --tls-key',
    )
  const odd = corsOrigins.find((origin) => URL.parse(origin)?.origin !== origin)
  if (odd !== undefined)
    throw new Error(
      `"${odd}" is no origin; --cors-origin takes scheme, host and port alone, such as https://shop.example`,
    )
}

/** For those who listen: tokens travel in plain text without TLS, and a forged Host must not shape a link. */
export function refuseUnsafeListening({ host, tls, tlsCert, behindProxy, baseUrl }: Config): void {
  if (isLoopback(host)) return
  if (tls === undefined && tlsCert === undefined && !behindProxy)
    throw new Error(
      `plain HTTP listens on loopback only (127.0.0.1, ::1 or localhost), and the host is ${host}; give --tls-cert and --tls-key, or --tls self-signed, or --behind-proxy where a proxy terminates TLS`,
    )
  if (baseUrl === undefined)
    throw new Error(
      `listening on ${host} needs --base-url, the address that clients use, such as https://catalog.example; without it a forged Host header would shape the links`,
    )
}
