import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fastify from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { sharedTestService, type TestService } from '../../test/harness.ts'
import { temporaryFolder } from '../../test/setup/temporary-folder.ts'
import { builtFolder, consolePages } from './pages.ts'

let service: TestService
beforeAll(async () => {
  service = await sharedTestService()
})

describe('a page of the console or the reference', () => {
  test.each([
    '/',
    '/sign-in',
    '/account',
    '/projects/7',
    '/projects/7/settings/api-access',
    '/operator/audit',
    '/operator/projects/7?page=2',
    '/docs',
    '/docs/',
  ])('is served at %s, never cached, and can run only our own scripts', async (path) => {
    const { status, headers, text } = await service.call(path)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers.get('cache-control')).toBe('no-cache')
    const policy = headers.get('content-security-policy') ?? ''
    for (const rule of [
      "default-src 'self'",
      "script-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ])
      expect(policy.split('; ')).toContain(rule)
    expect(text).toContain('<div id="root">')
    expect(text).not.toMatch(/<script(?![^>]* src=)|\son\w+=/)
  })

  test.each([
    ['/projects/7', "img-src 'self' https:"],
    ['/docs', "img-src 'self'"],
  ])(
    'at %s allows images only by the rule %s, because product media can be on any host',
    async (path, rule) => {
      const { headers } = await service.call(path)
      expect((headers.get('content-security-policy') ?? '').split('; ')).toContain(rule)
    },
  )

  test.each([
    '/console',
    '/console/api',
    '/console/auth/bogus',
    '/api/bogus',
    '/v2',
    '/assets/bogus.js',
    '/assets/..%2findex.html',
    '/index.html',
    '/reference.html',
    '/docs/nothing',
    '/inputs.json',
  ])('is not served at %s, which returns 404 in JSON', async (path) => {
    const { status, body } = await service.call(path)
    expect([status, body.code]).toEqual([404, 'unknown_route'])
  })
})

test('at an unknown URL a browser gets a page and a program a problem, and the icon exists', async () => {
  const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'
  const page = await fetch(`${service.url}/nowhere?page=2`, { headers: { accept } })
  expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  expect(await page.text()).toContain('<div id="root">')
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
  for (const path of ['/v2/nowhere', '/console/api/nowhere', '/docs/nothing'])
    expect((await service.call(path, { headers: { accept } })).headers.get('content-type')).toContain('json')
  expect((await service.call('/nowhere')).body.code).toBe('unknown_route')
  const icon = await service.call('/favicon.ico')
  expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
})

describe('an asset', () => {
  const name = readdirSync(join(builtFolder, 'assets')).find((file) => file.endsWith('.js')) as string

  test('is cached forever, and sent as compressed at build time', async () => {
    const plain = await service.call(`/assets/${name}`, { headers: { 'accept-encoding': 'identity' } })
    expect(plain.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(plain.headers.get('vary')).toContain('accept-encoding')
    for (const [asked, sent, open] of [
      ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
    ] as const) {
      const { sent: encoding, bytes } = await rawBytes(`/assets/${name}`, asked)
      expect(encoding).toBe(sent)
      expect(open(bytes).toString()).toBe(plain.text)
      expect(bytes.length).toBeLessThan(plain.text.length / 2)
    }
  })

  test('and its page stay available, whatever another build does to the folder', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'assets'))
    writeFileSync(join(folder, 'index.html'), 'the page of this build')
    writeFileSync(join(folder, 'assets', 'old.js'), 'the script of this build')
    const app = fastify()
    await app.register(consolePages(folder))
    await app.ready()
    rmSync(join(folder, 'assets', 'old.js'))
    writeFileSync(join(folder, 'index.html'), 'the page of the next build')
    expect((await app.inject('/')).body).toBe('the page of this build')
    expect((await app.inject('/assets/old.js')).body).toBe('the script of this build')
    await app.close()
  })

  /** fetch would decompress. */
  function rawBytes(path: string, encoding: string): Promise<{ sent: string | undefined; bytes: Buffer }> {
    return new Promise((resolve, reject) => {
      get(service.url + path, { headers: { 'accept-encoding': encoding } }, (response) => {
        const sent = response.headers['content-encoding']
        response.toArray().then((parts) => resolve({ sent, bytes: Buffer.concat(parts) }), reject)
      }).on('error', reject)
    })
  }
})
