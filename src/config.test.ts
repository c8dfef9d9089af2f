import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../test/setup/temporary-folder.ts'
import { type Flags, loadConfig, refuseUnsafeListening } from './config.ts'

function listen(flags: Flags): void {
  refuseUnsafeListening(loadConfig(flags, {}))
}

const off = { host: '0.0.0.0', baseUrl: 'https://catalog.example' }

describe('plain HTTP', () => {
  test.each(['127.0.0.1', '127.0.0.2', '::1', 'localhost'])('listens on %s', (host) => {
    expect(() => listen({ host })).not.toThrow()
  })

  test.each(['0.0.0.0', '::', '192.168.1.5', 'catalog.example', 'localhost.example', '127.0.0.1.example'])(
    'is refused on %s',
    (host) => expect(() => listen({ ...off, host })).toThrow('loopback only'),
  )
})

describe('off loopback', () => {
  test.each<Flags>([{ tls: 'self-signed' }, { tlsCert: 'c.pem', tlsKey: 'k.pem' }, { behindProxy: true }])(
    'with %j the service listens, but only with a base URL',
    (flags) => {
      expect(() => listen({ ...off, ...flags })).not.toThrow()
      expect(() => listen({ host: '0.0.0.0', ...flags })).toThrow('needs --base-url')
    },
  )
})

describe('contradictory and malformed settings are rejected', () => {
  test.each<[Flags, string]>([
    [{ tlsCert: 'c.pem' }, 'set both --tls-cert and --tls-key'],
    [{ tlsKey: 'k.pem' }, 'set both --tls-cert and --tls-key'],
    [{ tls: 'self-signed', tlsCert: 'c.pem', tlsKey: 'k.pem' }, 'remove it'],
    [{ tls: 'letsencrypt' }, 'tls (CATALOG_TLS)'],
    [{ behindProxy: 'maybe' }, 'behindProxy (CATALOG_BEHIND_PROXY)'],
    [{ baseUrl: 'catalog.example' }, 'baseUrl (CATALOG_BASE_URL)'],
    [{ corsOrigins: ['https://shop.example/'] }, 'is not an origin'],
    [{ workers: 8, poolSize: 20 }, '8 workers need 88 database connections'],
    [{ poolSize: 6 }, 'poolSize (CATALOG_POOL_SIZE)'],
    [{ corsOrigins: ['*'] }, 'is not an origin'],
    [{ media: 's3://shop' }, 'needs CATALOG_MEDIA_ACCESS_KEY'],
    [{ media: 's3://user@shop', mediaAccessKey: 'a', mediaSecretKey: 'b' }, 'must not contain keys'],
    [{ media: 'https://shop.s3.example' }, 'a folder, or the address of a bucket that starts with s3://'],
    [{ corsOrigins: ['https://ok.example', 'shop.example'] }, '"shop.example" is not an origin'],
  ])('%j', (flags, message) => expect(() => loadConfig(flags, {})).toThrow(message))
})

test('a variable sets the same value as its flag, and the flag takes precedence', () => {
  const environment = {
    CATALOG_TLS_CERT: 'c.pem',
    CATALOG_TLS_KEY: 'k.pem',
    CATALOG_BEHIND_PROXY: 'true',
    CATALOG_CORS_ORIGIN: 'https://a.example, https://b.example',
  }
  expect(loadConfig({ tlsKey: 'other.pem' }, environment)).toMatchObject({
    tlsCert: 'c.pem',
    tlsKey: 'other.pem',
    behindProxy: true,
    corsOrigins: ['https://a.example', 'https://b.example'],
  })
})

test('webhook networks and keys are lists, and an invalid key is rejected without being printed', () => {
  const key = Buffer.alloc(32, 'k').toString('base64')
  const environment = { CATALOG_WEBHOOK_ALLOW: '10.0.0.0/8, fd00::/8', CATALOG_WEBHOOK_KEY: `${key},${key}` }
  expect(loadConfig({}, environment)).toMatchObject({
    webhookAllow: ['10.0.0.0/8', 'fd00::/8'],
    webhookKeys: [key, key],
  })
  for (const network of ['10.0.0.0', '10.0.0.0/33', 'receiver.example', '::ffff:10.0.0.0/104'])
    expect(() => loadConfig({ webhookAllow: [network] }, {})).toThrow(`"${network}" is not a network`)
  const load = () => loadConfig({}, { CATALOG_WEBHOOK_KEY: 'sesame' })
  expect(load).toThrow('base64-encoded keys of 32 bytes')
  expect(load).not.toThrow('sesame')
})

describe('a secret can come from a file', () => {
  const secret = 'postgres://catalog:pass word@db/catalog'
  const fileOf = (text: string) => {
    const path = join(temporaryFolder(), 'secret')
    writeFileSync(path, text)
    return path
  }

  test.each<[string, keyof ReturnType<typeof loadConfig>, string]>([
    ['DATABASE_URL', 'databaseUrl', secret],
    ['CATALOG_AUTH_SECRET', 'authSecret', 'a'.repeat(32)],
    ['CATALOG_METRICS_TOKEN', 'metricsToken', 'm'.repeat(16)],
  ])('%s_FILE, with or without a line break at its end', (variable, name, value) => {
    for (const end of ['', '\n', '\r\n'])
      expect(loadConfig({}, { [`${variable}_FILE`]: fileOf(value + end), [variable]: '' })[name]).toBe(value)
  })

  test('a setting that is not secret cannot: PORT_FILE is ignored', () => {
    expect(loadConfig({}, { PORT_FILE: fileOf('9000') }).port).toBe(8080)
  })

  test('setting both the variable and its file is rejected', () => {
    const both = { DATABASE_URL: secret, DATABASE_URL_FILE: fileOf(secret) }
    expect(() => loadConfig({}, both)).toThrow('DATABASE_URL and DATABASE_URL_FILE are both set')
  })

  test.each<[string, () => string, string]>([
    ['missing', () => join(temporaryFolder(), 'none'), 'cannot be read: ENOENT'],
    ['a folder', () => temporaryFolder(), 'cannot be read: EISDIR'],
    ['larger than any secret', () => fileOf('x'.repeat(65 * 1024)), 'cannot be read: it is too large'],
    ['empty', () => fileOf(''), 'is empty'],
    ['empty but for a line break', () => fileOf('\n'), 'is empty'],
  ])('a file that is %s is rejected with its path', (_state, file, message) => {
    const path = file()
    const load = () => loadConfig({}, { CATALOG_AUTH_SECRET_FILE: path })
    expect(load).toThrow(`CATALOG_AUTH_SECRET_FILE: the file ${path} `)
    expect(load).toThrow(message)
  })

  test('a malformed secret is rejected without being printed', () => {
    const load = () => loadConfig({}, { DATABASE_URL_FILE: fileOf('mysql://catalog:sesame@db/catalog') })
    expect(load).toThrow('databaseUrl (DATABASE_URL) must be an address')
    expect(load).not.toThrow('sesame')
  })
})

test.each([
  [1, 28],
  [2, 28],
  [4, 48],
  [64, 708],
])('by default, %i workers have %i database connections', (workers, poolSize) => {
  expect(loadConfig({ workers }, {}).poolSize).toBe(poolSize)
})
