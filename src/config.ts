import { Type } from 'typebox'
import { type Setting, settings } from './config-settings.ts'
import { defaultConnections, minConnections } from './platform/database/connections/connection-classes.ts'
import { openFileStore } from './platform/file-store/open-file-store.ts'
import { type ParameterSchema, readValue } from './platform/http/query/query-values.ts'
import { isNetwork } from './platform/http/request/client-network.ts'
import { isLoopback } from './platform/http/request/loopback.ts'
import { readSecretFile } from './platform/secrets/secret-file.ts'

function databaseAddress() {
  return Type.String({
    pattern: '^postgres(ql)?://',
    description: 'an address such as postgres://user:password@host/database',
  })
}

const ConfigSchema = Type.Object({
  databaseUrl: Type.Optional(databaseAddress()),
  /** The database that `catalog move` moves the embedded database to. */
  moveTo: Type.Optional(databaseAddress()),
  dataDirectory: Type.Optional(Type.String({ minLength: 1 })),
  host: Type.String({ minLength: 1, default: '127.0.0.1' }),
  port: Type.Integer({ minimum: 0, maximum: 65_535, default: 8080 }),
  workers: Type.Integer({ minimum: 1, maximum: 64, default: 1 }),
  tls: Type.Optional(Type.Enum(['self-signed'])),
  tlsCert: Type.Optional(Type.String({ minLength: 1 })),
  tlsKey: Type.Optional(Type.String({ minLength: 1 })),
  behindProxy: Type.Boolean({ default: false }),
  corsOrigins: Type.Array(Type.String(), { default: [] }),
  baseUrl: Type.Optional(
    Type.String({
      pattern: '^https?://[^/?#]+$',
      description: 'a scheme, host and port without a path, such as https://catalog.example',
    }),
  ),
  logLevel: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], { default: 'info' }),
  metricsToken: Type.Optional(
    Type.String({ pattern: '^\\S{16,}$', description: 'a secret of at least 16 characters without spaces' }),
  ),
  authSecret: Type.Optional(
    Type.String({ pattern: '^\\S{32,}$', description: 'a secret of at least 32 characters without spaces' }),
  ),
  oidcIssuer: Type.Optional(Type.String({ minLength: 1 })),
  oidcClientId: Type.Optional(Type.String({ minLength: 1 })),
  oidcClientSecret: Type.Optional(Type.String({ minLength: 1 })),
  oidcScopes: Type.String({
    pattern: '^openid( \\S+)*$',
    default: 'openid email profile',
    description: 'scopes separated by spaces; the first one must be openid',
  }),
  oidcGroupsClaim: Type.String({ minLength: 1, default: 'groups' }),
  oidcGroupsFile: Type.Optional(Type.String({ minLength: 1 })),
  localSignIn: Type.Enum(['on', 'off'], { default: 'on' }),
  /** Operators can sign in with a password or a passkey even if local sign-in is off. */
  allowLocalOperator: Type.Boolean({ default: false }),
  /** Private networks that webhooks can deliver to, in addition to the public internet. */
  webhookAllow: Type.Array(Type.String(), { default: [] }),
  /** Origins that AI providers can use, in addition to the public internet. */
  aiAllow: Type.Array(Type.String(), { default: [] }),
  /** Base64 keys that encrypt webhook secrets and the keys of AI providers. The first key encrypts; all keys decrypt. */
  webhookKeys: Type.Array(Type.String(), { default: [] }),
  /** A folder or an S3 bucket for media files. The embedded server has a folder by default. */
  media: Type.Optional(Type.String({ minLength: 1 })),
  mediaAccessKey: Type.Optional(Type.String({ minLength: 1 })),
  mediaSecretKey: Type.Optional(Type.String({ minLength: 1 })),
  poolSize: Type.Integer({ minimum: minConnections, maximum: 1000 }),
  statementTimeoutSeconds: Type.Integer({ minimum: 1, maximum: 600, default: 5 }),
  cacheMegabytes: Type.Integer({ minimum: 0, maximum: 65_536, default: 64 }),
  maxConnections: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 10_000 }),
  backupEvery: Type.Optional(
    Type.String({ pattern: '^[1-9]\\d{0,4}[smhd]$', description: 'a duration such as 6h, 30m or 1d' }),
  ),
  backupKeep: Type.Integer({ minimum: 1, maximum: 10_000, default: 28 }),
  backupDirectory: Type.Optional(Type.String({ minLength: 1 })),
  /** How long events are stored. Without a value, they are stored forever. */
  eventRetention: Type.Optional(
    Type.String({ pattern: '^[1-9]\\d{0,4}[hd]$', description: 'a duration such as 90d or 720h' }),
  ),
})

export type Config = Readonly<Type.Static<typeof ConfigSchema>>
export type Flags = { [Name in keyof Config]?: string | number | boolean | string[] | undefined }

const sources: Record<keyof Config, Setting> = settings

/** Environment variables, and the setting each one gives. A flag takes precedence. */
const environmentNames = Object.fromEntries(
  Object.entries(sources).flatMap(([name, { variable }]) =>
    variable === undefined ? [] : [[variable, name as keyof Config]],
  ),
)

/** Each can also come from a file that `<variable>_FILE` names: fewer processes can read a file of mode 0400. */
const secretVariables = Object.values(sources).flatMap(({ variable, isSecret }) =>
  isSecret && variable !== undefined ? [variable] : [],
)

/** Every variable that has a meaning, for what is checked against them. */
export const variables = [...Object.keys(environmentNames), ...secretVariables.map((name) => `${name}_FILE`)]

/** For a command that uses no secret: it runs also where their files cannot be read. */
export function environmentWithoutSecrets(): NodeJS.ProcessEnv {
  const secrets = new Set(secretVariables.flatMap((name) => [name, `${name}_FILE`]))
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !secrets.has(name)))
}

/** The token of a command that is a client of the service. */
export function clientToken(environment: NodeJS.ProcessEnv = process.env): string {
  const { CATALOG_TOKEN: token = '' } = environment
  if (token === '') throw new Error('CATALOG_TOKEN is not set; set it to an API token of the project')
  return token
}

/** The only function that reads the environment. */
export function loadConfig(flags: Flags = {}, environment: NodeJS.ProcessEnv = process.env): Config {
  const given: Record<string, unknown> = {}
  for (const [variable, name] of Object.entries(environmentNames)) {
    const value = readVariable(variable, environment)
    if (value !== undefined) given[name] = value
  }
  for (const [name, value] of Object.entries(flags)) if (value !== undefined) given[name] = value
  for (const name of ['corsOrigins', 'webhookAllow', 'aiAllow', 'webhookKeys']) {
    const list = given[name]
    if (typeof list === 'string') given[name] = list.split(/[\s,]+/).filter(Boolean)
  }
  for (const [name, value] of Object.entries(given)) given[name] = readSetting(name as keyof Config, value)
  const merged = { ...defaultSettings(), ...given } as Config
  const config = Object.freeze({
    ...merged,
    poolSize: merged.poolSize ?? defaultConnections(merged.workers),
  })
  rejectContradictions(config)
  return config
}

/** The value of a variable, or the content of its file. An empty variable is ignored. */
function readVariable(variable: string, environment: NodeJS.ProcessEnv): string | undefined {
  const value = environment[variable] || undefined
  const file = secretVariables.includes(variable) ? environment[`${variable}_FILE`] : undefined
  if (!file) return value
  if (value !== undefined)
    throw new Error(`${variable} and ${variable}_FILE are both set; remove one of them`)
  return readSecretFile(`${variable}_FILE`, file)
}

/** TypeBox's own way to fill defaults would load 300 files more at the start of every command. */
export function defaultSettings(): Partial<Config> {
  const properties = Object.entries<object>(ConfigSchema.properties)
  return Object.fromEntries(
    properties.flatMap(([name, schema]) => ('default' in schema ? [[name, schema.default]] : [])),
  )
}

function readSetting(name: keyof Config, value: unknown): unknown {
  const schema: ParameterSchema & { pattern?: string; description?: string } = ConfigSchema.properties[name]
  const read =
    typeof value === 'string' || typeof value === 'number' ? readValue(schema, String(value)) : value
  if (read instanceof Error) throw new Error(`the setting ${nameFor(name)} ${read.message}, not "${value}"`)
  if (schema.pattern !== undefined && !new RegExp(schema.pattern).test(String(read))) {
    throw new Error(`the setting ${nameFor(name)} must be ${schema.description}`)
  }
  return read
}

function nameFor(setting: keyof Config): string {
  const { variable } = sources[setting]
  return variable === undefined ? setting : `${setting} (${variable})`
}

function rejectContradictions({
  tls,
  tlsCert,
  tlsKey,
  corsOrigins,
  baseUrl,
  poolSize,
  workers,
  webhookAllow,
  aiAllow,
  webhookKeys,
  media,
  mediaAccessKey,
  mediaSecretKey,
  oidcIssuer,
  localSignIn,
  allowLocalOperator,
}: Config): void {
  // Opening a store connects to nothing.
  openFileStore({ place: media, accessKey: mediaAccessKey, secretKey: mediaSecretKey })
  if (poolSize < workers * minConnections)
    throw new Error(
      `${workers} workers need ${workers * minConnections} database connections, but CATALOG_POOL_SIZE is ${poolSize}; increase it, or use fewer --workers`,
    )
  if (baseUrl !== undefined && URL.parse(baseUrl)?.origin !== baseUrl)
    throw new Error(
      `"${baseUrl}" is not a base URL; --base-url takes a scheme, host and port without a path, such as https://catalog.example`,
    )
  if (localSignIn === 'off' && oidcIssuer === undefined && !allowLocalOperator)
    throw new Error(
      'CATALOG_LOCAL_SIGN_IN=off needs company accounts, because no one could sign in; set CATALOG_OIDC_ISSUER',
    )
  if ((tlsCert === undefined) !== (tlsKey === undefined))
    throw new Error('HTTPS needs a certificate and its key; set both --tls-cert and --tls-key')
  if (tls !== undefined && tlsCert !== undefined)
    throw new Error(
      '--tls self-signed generates a certificate; remove it, or remove --tls-cert and --tls-key',
    )
  const noNetwork = webhookAllow.find((text) => !isNetwork(text))
  if (noNetwork !== undefined)
    throw new Error(
      `"${noNetwork}" is not a network; --webhook-allow takes a network such as 10.1.0.0/16 or fd00:1::/64`,
    )
  const noOrigin = aiAllow.find((origin) => !isWebOrigin(origin))
  if (noOrigin !== undefined)
    throw new Error(
      `"${noOrigin}" is not an origin; --ai-allow takes a scheme, host and port without a path, such as http://127.0.0.1:11434`,
    )
  if (webhookKeys.some((key) => Buffer.from(key, 'base64').length !== 32))
    throw new Error('CATALOG_WEBHOOK_KEY takes base64-encoded keys of 32 bytes each, separated by commas')
  const odd = corsOrigins.find((origin) => URL.parse(origin)?.origin !== origin)
  if (odd !== undefined)
    throw new Error(
      `"${odd}" is not an origin; --cors-origin takes a scheme, host and port without a path, such as https://shop.example`,
    )
}

/** Refuses to listen where tokens would be sent unencrypted, or where a forged Host header could change links. */
export function refuseUnsafeListening({ host, tls, tlsCert, behindProxy, baseUrl }: Config): void {
  if (isLoopback(host)) return
  if (tls === undefined && tlsCert === undefined && !behindProxy)
    throw new Error(
      `plain HTTP is allowed on loopback only (127.0.0.1, ::1 or localhost), but the host is ${host}; set --tls-cert and --tls-key, or --tls self-signed, or --behind-proxy if a proxy terminates TLS`,
    )
  if (baseUrl === undefined)
    throw new Error(
      `listening on ${host} needs --base-url, the URL that clients use, such as https://catalog.example; without it, a forged Host header could change links`,
    )
}

function isWebOrigin(text: string): boolean {
  const url = URL.parse(text)
  return url?.origin === text && /^https?:$/.test(url.protocol)
}
