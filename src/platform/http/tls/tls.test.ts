import { mkdtempSync, rmSync } from 'node:fs'
import { connect as connectPlain } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { sharedTestService, type Tenant } from '../../../../test/harness.ts'
import { tlsCall } from '../../../../test/requests/tls-request.ts'
import { type Flags, loadConfig } from '../../../config.ts'
import { type Service, startService } from '../../../service.ts'
import { type TimeLimits, timeLimits } from '../../limits/times.ts'
import { rateLimitMemory } from '../limits/rate-limit.ts'
import { type Certificate, readCertificate } from './certificate.ts'
import { ensureSelfSigned } from './self-signed.ts'

const folder = mkdtempSync(join(tmpdir(), 'catalog-test-'))
const started: Service[] = []
let certificate: Certificate
let service: Service
let shop: Tenant

beforeAll(async () => {
  certificate = readCertificate(await ensureSelfSigned(folder))
  service = await startTls()
  const plain = await sharedTestService()
  shop = await plain.tenant()
  for (const sku of ['A', 'B']) await shop.call('/v2/products', { method: 'POST', body: { sku, name: sku } })
})

afterAll(async () => {
  for (const one of started) await one.drain()
  rmSync(folder, { recursive: true })
})

async function startTls(flags: Flags = {}, shorter: Partial<TimeLimits> = {}): Promise<Service> {
  const config = loadConfig({ port: 0, logLevel: 'silent', ...flags }, {})
  const one = await startService({
    config,
    connection: inject('connection'),
    rateLimits: rateLimitMemory(),
    certificate,
    timeLimits: { ...timeLimits, ...shorter },
  })
  started.push(one)
  return one
}

function shakeHands(options: ConnectionOptions, { port } = service): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, ca: certificate.cert, ...options }, () =>
      resolve(socket),
    )
    socket.on('error', reject)
  })
}

/** Everything that comes back for these bytes until the server closes. */
async function rawOverTls(text: string, to = service): Promise<string> {
  const socket = await shakeHands({}, to)
  socket.write(text)
  return Buffer.concat(await socket.toArray()).toString()
}

const hasIpv6 = Object.values(networkInterfaces()).some((list) =>
  list?.some(({ address }) => address === '::1'),
)

describe('a client that trusts the certificate', () => {
  test('reaches the service by localhost and 127.0.0.1', async () => {
    expect(service.url).toBe(`https://127.0.0.1:${service.port}`)
    for (const host of ['127.0.0.1', 'localhost']) {
      const { status, body } = await tlsCall(`https://${host}:${service.port}/readyz`, {
        ca: certificate.cert,
      })
      expect([status, body]).toEqual([200, { status: 'ready' }])
    }
  })

  test.runIf(hasIpv6)('reaches it by ::1', async () => {
    const { url } = await startTls({ host: '::1' })
    expect(url).toMatch(/^https:\/\/\[::1\]:/)
    expect((await tlsCall(`${url}/healthz`, { ca: certificate.cert })).status).toBe(200)
  })

  test('gets links that begin with https', async () => {
    const { body } = await tlsCall(`${service.url}/v2/products?page_size=1`, {
      ca: certificate.cert,
      headers: { authorization: `Bearer ${shop.token}` },
    })
    expect(body.next).toBe(`${service.url}/v2/products?page=2&page_size=1`)
  })
})

test('a client that does not trust it fails with the reason', async () => {
  await expect(tlsCall(`${service.url}/healthz`)).rejects.toMatchObject({
    code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
  })
})

describe('a handshake', () => {
  test.each(['TLSv1', 'TLSv1.1'] as const)('with %s is refused', async (version) => {
    // The client's own floor is lowered, so that it is the server who refuses.
    const old = { minVersion: version, maxVersion: version, ciphers: 'ALL:@SECLEVEL=0' }
    await expect(shakeHands(old)).rejects.toMatchObject({ code: 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION' })
  })

  test.each(['TLSv1.2', 'TLSv1.3'] as const)('with %s uses authenticated encryption', async (version) => {
    const socket = await shakeHands({ minVersion: version, maxVersion: version })
    expect(socket.getProtocol()).toBe(version)
    expect(socket.getCipher().standardName).toMatch(/GCM|POLY1305/)
    socket.destroy()
  })

  test.each(['ECDHE-ECDSA-AES128-SHA', 'ECDHE-ECDSA-AES256-SHA384', 'AES128-SHA', 'AES128-GCM-SHA256'])(
    'with %s, which has no authenticated encryption or no forward secrecy, is refused',
    async (ciphers) => {
      await expect(
        shakeHands({ ciphers: `${ciphers}:@SECLEVEL=0`, maxVersion: 'TLSv1.2' }),
      ).rejects.toMatchObject({ code: expect.stringContaining('HANDSHAKE_FAILURE') })
    },
  )
})

describe('what is no HTTP over TLS', () => {
  test('plain HTTP on the port is closed without a response, and others are not affected', async () => {
    const socket = connectPlain(service.port, '127.0.0.1')
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
    const answer = Buffer.concat(await socket.toArray().catch(() => []))
    expect(answer.toString('latin1')).not.toContain('HTTP/')
    expect((await tlsCall(`${service.url}/healthz`, { ca: certificate.cert })).status).toBe(200)
  })

  test.each([
    ['nonsense', 'nonsense\r\n\r\n', 400],
    ['20 KB of headers', `GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['no Host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  ])('%s inside TLS is answered with a problem', async (_name, text, status) => {
    const answer = await rawOverTls(text)
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(answer).toMatch(/content-type: application\/problem\+json/i)
  })

  test('fault 8: slow headers inside TLS get 408', async () => {
    const hasty = await startTls({}, { headersMilliseconds: 300, checkMilliseconds: 20 })
    const answer = await rawOverTls('GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ', hasty)
    expect(answer).toMatch(/^HTTP\/1.1 408 /)
  })

  test('fault 8: a handshake that never ends is closed', async () => {
    const hasty = await startTls({}, { handshakeMilliseconds: 300 })
    const begun = performance.now()
    const socket = connectPlain(hasty.port, '127.0.0.1')
    expect(await socket.toArray().catch(() => [])).toEqual([])
    expect(performance.now() - begun).toBeGreaterThan(290)
  })
})

describe('Strict-Transport-Security', () => {
  const hsts = async (host: string, { url } = service) =>
    (await tlsCall(`${url}/healthz`, { ca: certificate.cert, headers: { host } })).headers[
      'strict-transport-security'
    ]

  test('is sent to clients that use a name of their own', async () => {
    const named = await startTls({ baseUrl: 'https://catalog.example' })
    expect(await hsts('catalog.example', named)).toBe('max-age=31536000')
    expect(await hsts('catalog.example:8443', named)).toBe('max-age=31536000')
  })

  test.each(['localhost', 'localhost:8443', 'LOCALHOST', 'shop.localhost', '127.0.0.1:1', '[::1]:1'])(
    'is not sent for %s, where other services share the name',
    async (host) => expect(await hsts(host)).toBeUndefined(),
  )
})
