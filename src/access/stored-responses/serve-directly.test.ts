import { get } from 'node:http'
import pino from 'pino'
import { beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { sharedTestService, type Tenant } from '../../../test/harness.ts'
import { rawRequest } from '../../../test/requests/raw-request.ts'
import { sendRequest } from '../../../test/requests/send-request.ts'
import { whenFileEnds } from '../../../test/setup/file-end.ts'
import { buildApp } from '../../app.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { createRuntime } from '../../runtime.ts'
import { updateProject } from '../projects/project.sql.ts'
import { revokeTokenRow } from '../tokens/token.sql.ts'

type Line = { reqId: string; msg: string; req: object; res?: object }

/** A service behind a proxy that counts routed requests and reads of credentials, and keeps its log. */
let served: Awaited<ReturnType<typeof serve>>
let shop: Tenant
let path: string

async function serve() {
  const seen = { routed: 0, reads: 0, lines: [] as Line[], beforeRead: async () => {} }
  const database = openDatabase({
    connection: inject('connection'),
    poolSize: 5,
    statementTimeoutSeconds: 30,
  })
  const log = pino({ base: null }, { write: (line) => void seen.lines.push(JSON.parse(line)) })
  const runtime = createRuntime({ database, cacheMegabytes: 8, log: log as never })
  const app = await buildApp(
    { behindProxy: true },
    {
      ...runtime,
      async findFenced(hash) {
        seen.reads += 1
        await seen.beforeRead()
        return runtime.findFenced(hash)
      },
    },
  )
  const { routing } = app
  app.routing = (request, response) => {
    seen.routed += 1
    routing(request, response)
  }
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  whenFileEnds(async () => {
    await app.close()
    await database.close()
  })
  return { app, url, seen, database }
}

type Options = { method?: string; headers?: Record<string, string>; token?: string }

function send({ method = 'GET', headers = {}, token = shop.token }: Options = {}) {
  return sendRequest(served.url, {
    method,
    path,
    headers: { host: 'shop.example', authorization: `Bearer ${token}`, ...headers },
  })
}

/** The response, and how often the request was routed. */
async function observe(options: Options = {}) {
  const before = served.seen.routed
  const response = await send(options)
  return { ...response, routed: served.seen.routed - before }
}

/** Repeats a request until it is not routed. */
async function untilDirect(options: Options = {}): Promise<void> {
  await expect.poll(async () => (await observe(options)).routed).toBe(0)
}

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
const ofRequest = ['x-request-id', 'traceparent', 'date', 'ratelimit']

beforeAll(async () => {
  served = await serve()
})
beforeEach(async () => {
  shop = await (await sharedTestService()).tenant()
  const body = { sku: 'A', name: 'Läufer', description: 'A sentence. '.repeat(200) }
  const made = await shop.call('/v2/products', { method: 'POST', body })
  path = `/v2/products/${made.body.id}`
  await untilDirect()
})

async function lineOf(id: string): Promise<object> {
  const own = () => served.seen.lines.filter(({ reqId }) => reqId === id)
  await expect.poll(own).toHaveLength(1)
  const [{ msg, req, res } = {}] = own()
  return { msg, req, res }
}

test.each<[string, Options]>([
  ['GET', {}],
  ['HEAD', { method: 'HEAD' }],
  ['If-None-Match', { headers: { 'if-none-match': '*' } }],
  ['gzip', { headers: { 'accept-encoding': 'gzip, deflate' } }],
  ['HEAD with zstd', { method: 'HEAD', headers: { 'accept-encoding': 'zstd' } }],
  ['X-No-Compression', { headers: { 'accept-encoding': 'gzip', 'x-no-compression': 'true' } }],
  ['a proxy', { headers: { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.1, 192.0.2.7' } }],
])('a stored response is the same without routing: %s', async (_, options) => {
  await served.database.transaction((tx) => updateProject(tx, shop.project, { rateLimit: '1000' }))
  await untilDirect(options)
  const direct = await observe(options)
  const routed = await observe({ ...options, headers: { ...options.headers, traceparent } })
  expect([direct.routed, routed.routed]).toEqual([0, 1])
  const shown = ({ status, text, headers }: typeof direct) => ({
    status,
    text,
    headers: Object.fromEntries([...headers].filter(([name]) => !ofRequest.includes(name))),
  })
  expect(shown(direct)).toEqual(shown(routed))
  expect(direct.headers.get('ratelimit')).toMatch(/^"project";r=\d+;t=1$/)
  expect(await lineOf(direct.headers.get('x-request-id') ?? '')).toEqual(
    await lineOf(routed.headers.get('x-request-id') ?? ''),
  )
})

test.each<[string, Record<string, string>, number]>([
  ['Traceparent', { traceparent }, 200],
  ['Origin', { origin: 'https://shop.example' }, 200],
  ['Content-Length', { 'content-length': '0' }, 200],
  ['Expect', { expect: 'nothing' }, 417],
  ['an invalid host', { host: 'a b' }, 400],
  ['an invalid scheme', { 'x-forwarded-proto': 'ftp' }, 400],
  ['no token', { authorization: '' }, 401],
])('a request with %s is routed', async (_, headers, status) => {
  expect(await observe({ headers })).toMatchObject({ routed: 1, status })
})

test.each([
  ['HTTP/1.0', 'HTTP/1.0', '', 200],
  ['two hosts', 'HTTP/1.1', 'host: other.example\r\n', 400],
  ['two tokens', 'HTTP/1.1', 'authorization: Bearer x\r\n', 400],
])('a request with %s is routed', async (_, version, header, status) => {
  const before = served.seen.routed
  const head = `GET ${path} ${version}\r\nhost: shop.example\r\nauthorization: Bearer ${shop.token}\r\n`
  const text = await rawRequest(served.url, `${head}${header}connection: close\r\n\r\n`)
  expect([Number(text.split(' ')[1]), served.seen.routed - before]).toEqual([status, 1])
})

test('a check that fails is reported by the routes, which use the credentials that were read', async () => {
  const { database, seen } = served
  const rejected = async () => {
    const before = seen.reads
    const { status, routed } = await observe()
    return { status, routed, reads: seen.reads - before }
  }
  await database.transaction((tx) => updateProject(tx, shop.project, { apiAccess: 'off' }))
  expect(await rejected()).toEqual({ status: 403, routed: 1, reads: 1 })
  await database.transaction((tx) => updateProject(tx, shop.project, { apiAccess: 'on', rateLimit: '1' }))
  const before = { ...seen }
  const sent = await Promise.all(Array.from({ length: 20 }, () => send()))
  const limited = sent.filter(({ status }) => status === 429).length
  expect(limited).toBeGreaterThan(0)
  expect([seen.routed - before.routed, seen.reads - before.reads]).toEqual([limited, 20])
  await revokeTokenRow(database, shop.tokenId)
  expect(await rejected()).toEqual({ status: 401, routed: 1, reads: 1 })
})

test('a response that changed while its token was checked is read again', async () => {
  const { seen } = served
  seen.beforeRead = async () => {
    seen.beforeRead = async () => {}
    await shop.call(path, { method: 'PATCH', body: { name: 'New' } })
  }
  const reads = seen.reads
  expect(await observe()).toMatchObject({ routed: 1, body: { name: 'New' } })
  expect(seen.reads).toBe(reads + 1)
})

test('responses to pipelined requests are in order', async () => {
  const before = served.seen.routed
  const head = (url: string, more = '') =>
    `GET ${url} HTTP/1.1\r\nhost: shop.example\r\nauthorization: Bearer ${shop.token}\r\n${more}\r\n`
  const text = await rawRequest(
    served.url,
    head('/v2/products/0') + head(path) + head('/healthz') + head(path, 'connection: close\r\n'),
  )
  const bodies = text.match(/"code":"not_found"|"sku":"A"|"status":"ok"/g)
  expect(bodies).toEqual(['"code":"not_found"', '"sku":"A"', '"status":"ok"', '"sku":"A"'])
  expect(served.seen.routed - before).toBe(2)
})

test('a service that is stopping closes the connection', async () => {
  const { app } = served
  app.leaving = 'closing connections'
  const { status, headers, routed } = await observe()
  app.leaving = undefined
  expect([status, headers.get('connection'), routed]).toEqual([200, 'close', 1])
})

test('a client that disconnects is logged', async () => {
  const { seen, app } = served
  const [waiting, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  app.server.once('request', (request) => request.once('close', left.resolve))
  seen.beforeRead = () => {
    seen.beforeRead = async () => {}
    waiting.resolve()
    return left.promise
  }
  const id = `left-${shop.project}-00000`
  const client = new AbortController()
  const headers = { host: 'shop.example', authorization: `Bearer ${shop.token}`, 'x-request-id': id }
  const sent = get(served.url + path, { headers, signal: client.signal })
  sent.on('error', () => {})
  await waiting.promise
  client.abort()
  expect(await lineOf(id)).toMatchObject({ msg: 'request aborted', req: { method: 'GET', url: path } })
})

test('a response that counts toward the memory of its project is routed', async () => {
  const body = { description: 'x'.repeat(70_000) }
  const { status } = await shop.call(path, { method: 'PATCH', body })
  expect(status).toBe(200)
  await expect.poll(async () => (await observe()).text.length).toBeGreaterThan(70_000)
  for (let count = 0; count < 5; count += 1) expect((await observe()).routed).toBe(1)
})
