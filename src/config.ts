import { Type } from 'typebox'
import { Value } from 'typebox/value'

const ConfigSchema = Type.Object({
  databaseUrl: Type.Optional(Type.String({ pattern: '^postgres(ql)?://' })),
  dataDirectory: Type.Optional(Type.String({ minLength: 1 })),
  host: Type.String({ minLength: 1, default: '127.0.0.1' }),
  port: Type.Integer({ minimum: 0, maximum: 65_535, default: 8080 }),
  workers: Type.Integer({ minimum: 1, maximum: 64, default: 1 }),
  baseUrl: Type.Optional(Type.String({ pattern: '^https?://[^/?#]+$' })),
  logLevel: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], { default: 'info' }),
  poolSize: Type.Integer({ minimum: 1, maximum: 150, default: 20 }),
  statementTimeoutSeconds: Type.Integer({ minimum: 1, maximum: 600, default: 5 }),
})

export type Config = Readonly<Type.Static<typeof ConfigSchema>>
export type Flags = { [Name in keyof Config]?: string | number | undefined }

/** Environment variables, and the setting each one gives. A flag of the command line goes before. */
const environmentNames: Record<string, keyof Config> = {
  DATABASE_URL: 'databaseUrl',
  CATALOG_DATA: 'dataDirectory',
  HOST: 'host',
  PORT: 'port',
  BASE_URL: 'baseUrl',
  LOG_LEVEL: 'logLevel',
  POOL_SIZE: 'poolSize',
  STATEMENT_TIMEOUT_SECONDS: 'statementTimeoutSeconds',
}

const loopbackHosts = ['127.0.0.1', '::1', 'localhost']

/** The only reader of the environment. */
export function loadConfig(flags: Flags = {}, environment: NodeJS.ProcessEnv = process.env): Config {
  const given: Record<string, unknown> = {}
  for (const [variable, name] of Object.entries(environmentNames)) {
    if (environment[variable] !== undefined && environment[variable] !== '')
      given[name] = environment[variable]
  }
  for (const [name, value] of Object.entries(flags)) if (value !== undefined) given[name] = value
  const converted = Value.Convert(ConfigSchema, Value.Default(ConfigSchema, given))
  const [fault] = Value.Errors(ConfigSchema, converted)
  if (fault !== undefined)
    throw new Error(`the setting ${nameFor(fault.instancePath.slice(1))} ${fault.message}`)
  const config = Object.freeze(converted as Config)
  refuseOpenHost(config)
  return config
}

function nameFor(setting: string): string {
  const variable = Object.entries(environmentNames).find(([, name]) => name === setting)?.[0]
  return variable === undefined ? setting : `${setting} (${variable})`
}

/** Tokens travel in plain text without TLS, so only this machine may connect. */
function refuseOpenHost({ host }: Config): void {
  if (!loopbackHosts.includes(host)) {
    throw new Error(
      `plain HTTP listens on loopback only (127.0.0.1, ::1 or localhost), and the host is ${host}; put a TLS proxy on this machine in front of it`,
    )
  }
}
