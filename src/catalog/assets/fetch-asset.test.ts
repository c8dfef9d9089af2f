import { beforeAll, expect, test } from 'vitest'
import { sharedTestService, startTestService, type Tenant } from '../../../test/harness.ts'
import { drawnPng } from '../../../test/media/drawn-png.ts'
import { startFileServer } from '../../../test/media/file-server.ts'
import { pdfOf } from '../../../test/media/upload.ts'
import { assetLimits } from '../../model/limits/assets.ts'

const image = drawnPng(20, 10)

let origin: string
let shop: Tenant
beforeAll(async () => {
  const server = await startFileServer({
    '/image': (response) => response.writeHead(200, { 'content-type': 'text/plain' }).end(image),
    '/moved': (response) => response.writeHead(302, { location: '/image' }).end(),
    '/loop': (response) => response.writeHead(307, { location: '/loop' }).end(),
    '/plain': (response) => response.writeHead(301, { location: 'http://127.0.0.1/' }).end(),
    '/private': (response) => response.writeHead(301, { location: 'https://10.0.0.1/' }).end(),
    '/broken': (response) =>
      response.writeHead(200, { 'content-length': '900' }).write('x', () => response.destroy()),
    '/page': (response) => response.writeHead(200).end('<!doctype html>secret text'),
    '/large': (response) => response.writeHead(200).end(pdfOf(assetLimits.bytes + 1)),
    '/zipped': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'),
  })
  origin = server.url
  shop = await (await startTestService({}, undefined, { fetching: server.fetching })).tenant()
})

const fetchFrom = (url: string, tenant = shop) =>
  tenant.call('/v2/assets/from-url', { method: 'POST', body: { url } })

test('a file is fetched by its content, also through redirects, and stored once', async () => {
  const first = await fetchFrom(`${origin}/image`)
  expect([first.status, first.body]).toMatchObject([201, { mime: 'image/png', width: 20, height: 10 }])
  expect(first.headers.get('location')).toMatch(new RegExp(`/v2/assets/${first.body.id}$`))
  const again = await fetchFrom(`${origin}/moved`)
  expect([again.status, again.body.id]).toEqual([200, first.body.id])
})

test.each([
  ['/loop', 'more than 3 redirects'],
  ['/plain', 'does not fetch from'],
  ['/private', 'does not fetch from'],
  ['/missing', 'did not return a file'],
  ['/broken', 'was interrupted'],
  ['/large', 'larger than 20 MiB'],
  ['/zipped', 'did not return a file'],
])(
  'what is at %s cannot be fetched, and the error does not quote it',
  { tags: 'slow' },
  async (path, reason) => {
    const { status, body, text } = await fetchFrom(origin + path)
    expect([status, body.code, body.detail]).toEqual([422, 'not_reachable', expect.stringContaining(reason)])
    expect(text).not.toContain('secret')
  },
)

test('a file of another type is rejected like an upload', async () => {
  expect((await fetchFrom(`${origin}/page`)).body.code).toBe('unsupported_media_type')
})

test.each([
  'http://images.example/a.png',
  'https://127.0.0.1/a.png',
  'https://localhost/a.png',
  'https://10.1.2.3/a.png',
  'https://[::1]/a.png',
  'https://169.254.169.254/latest/meta-data',
  'https://user:secret@images.example/a.png',
  'ftp://images.example/a.png',
  'a.png',
])('the service does not fetch from %s', async (url) => {
  const tenant = await (await sharedTestService()).tenant()
  expect((await fetchFrom(url, tenant)).body).toMatchObject({
    code: 'invalid_body',
    errors: [{ pointer: '/url' }],
  })
})
