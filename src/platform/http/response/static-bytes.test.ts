import { readdirSync } from 'node:fs'
import { type IncomingHttpHeaders, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fastify from 'fastify'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { sharedTestService, type TestService } from '../../../../test/harness.ts'
import { temporaryFolder } from '../../../../test/setup/temporary-folder.ts'
import { builtFolder } from '../../../console-api/pages.ts'
import { readCertificate } from '../tls/certificate.ts'
import { ensureSelfSigned } from '../tls/self-signed.ts'
import { sendStatic, staticBytes } from './static-bytes.ts'

let service: TestService
beforeAll(async () => {
  service = await sharedTestService()
})

type Raw = { status: number | undefined; headers: IncomingHttpHeaders; bytes: Buffer }

/** As it comes over the wire: fetch would undo the compression and hide it. */
function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const asking = request(service.url + path, { method, headers }, async (response) => {
      const bytes = Buffer.concat(await response.toArray())
      resolve({ status: response.statusCode, headers: response.headers, bytes })
    })
    asking.on('error', reject).end()
  })
}

const script = readdirSync(join(builtFolder, 'assets')).find((name) => /^index-.*\.js$/.test(name))

describe.each(['/openapi.json', '/', `/assets/${script}`])('%s', (path) => {
  test('comes plain, by gzip or by brotli, each with its length and a strong tag of its own', async () => {
    const plain = await ask(path)
    expect(plain.headers['content-encoding']).toBeUndefined()
    const tags = new Set([plain.headers.etag])
    for (const [encoding, open] of [
      ['gzip', gunzipSync],
      ['br', brotliDecompressSync],
    ] as const) {
      const { headers, bytes } = await ask(path, { 'accept-encoding': encoding })
      expect(headers).toMatchObject({
        'content-encoding': encoding,
        'content-length': String(bytes.length),
        'content-type': plain.headers['content-type'],
        vary: 'accept-encoding',
      })
      expect(open(bytes).equals(plain.bytes)).toBe(true)
      tags.add(headers.etag)
    }
    expect(tags.size).toBe(3)
    for (const tag of tags) expect(tag).toMatch(/^"[\w-]+"$/)
  })

  test.each(['GET', 'HEAD'])('is 304 for a client that has this form of it: %s', async (method) => {
    const wanted = { 'accept-encoding': 'br' }
    const { headers: first } = await ask(path, wanted)
    const again = await ask(path, { ...wanted, 'if-none-match': `"other", ${first.etag}` }, method)
    expect([again.status, again.bytes.length, again.headers.etag]).toEqual([304, 0, first.etag])
    expect([again.headers['content-encoding'], again.headers.vary]).toEqual([undefined, 'accept-encoding'])
    // Those of an empty response would replace those of the bytes in a cache.
    expect(again.headers['content-type']).toBeUndefined()
    if (method === 'GET') expect(again.headers['content-length']).toBeUndefined()
    expect((await ask(path, { 'if-none-match': first.etag ?? '' }, method)).status).toBe(200)
  })

  test('has the same headers when HEAD asks', async () => {
    for (const headers of [{}, { 'accept-encoding': 'gzip' }]) {
      const get = await ask(path, headers)
      const head = await ask(path, headers, 'HEAD')
      expect([head.status, head.bytes.length]).toEqual([200, 0])
      for (const name of ['content-length', 'content-encoding', 'etag', 'cache-control', 'vary'])
        expect(head.headers[name]).toBe(get.headers[name])
    }
  })

  test("is under the console's Content-Security-Policy", async () => {
    const { headers } = await ask(path)
    expect(String(headers['content-security-policy']).split('; ')).toEqual(
      expect.arrayContaining(["default-src 'self'", "script-src 'self'", "frame-ancestors 'none'"]),
    )
  })
})

test.each(['/openapi.json', '/'])('%s is compressed once, not for each who asks', async (path) => {
  async function cpuOf(asked: string): Promise<number> {
    await ask(asked, { 'accept-encoding': 'br' })
    const before = process.cpuUsage()
    for (let number = 0; number < 100; number += 1) await ask(asked, { 'accept-encoding': 'br' })
    return process.cpuUsage(before).user
  }
  expect(await cpuOf(path)).toBeLessThan(10 * (await cpuOf('/healthz')))
})

describe.each(['http', 'https'])('over %s', (scheme) => {
  const readers = 40
  const large = Buffer.alloc(8 * 1024 * 1024, 'x')
  const file = staticBytes('text/plain', large)

  test('fault 25: clients that do not read share the bytes, and others get responses', async () => {
    const { cert, key } = readCertificate(await ensureSelfSigned(temporaryFolder()))
    const app = fastify(scheme === 'https' ? ({ https: { cert, key } } as object) : {})
    onTestFinished(() => app.close())
    app.get('/large', (request, reply) => sendStatic(request, reply, file))
    app.get('/small', async () => 'small')
    await app.listen({ port: 0 })
    const { port } = app.server.address() as { port: number }
    const open = (path: string) => openConnection(scheme, port, path)

    const before = process.memoryUsage.rss()
    const slow = await Promise.all(Array.from({ length: readers }, () => open('/large')))
    expect(process.memoryUsage.rss() - before).toBeLessThan((readers * large.length) / 2)
    const other = await open('/small')
    for (const socket of [...slow, other]) socket.destroy()
  })
})

/** Resolves at the first bytes of the response, and reads no more. */
function openConnection(scheme: string, port: number, path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket: Socket =
      scheme === 'https' ? connectTls({ port, rejectUnauthorized: false }) : connect({ port })
    socket.on('error', reject).once('data', () => resolve(socket.pause()))
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  })
}
