import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { version } from '../../src/platform/version.ts'
import { startTestService, type TestService } from '../harness.ts'
import { whenFileEnds } from '../setup/file-end.ts'
import { servedConsole } from './console.ts'

const site = servedConsole()
let origin: string
let allowing: TestService
const redirected: string[] = []
beforeAll(async () => {
  const server = createServer(({ url = '' }, response) => {
    if (!url.includes('/v2/'))
      return response.setHeader('content-type', 'text/html').end('<title>Shop</title>')
    redirected.push(url)
    return response.writeHead(302, { location: `/elsewhere${url}` }).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  whenFileEnds(() => void server.close())
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  allowing = await startTestService({ corsOrigins: [origin] })
})

/** Pushes a product, lists it and reads headers in the page. */
function useClient(page: Page, url: string, token: string): Promise<unknown> {
  return page.evaluate(`(async () => {
    const { Catalog } = await import('${url}/client/${version}/index.js')
    const catalog = new Catalog({ url: '${url}', token: '${token}' })
    const { created } = await catalog.products.push([{ sku: 'A', name: 'A' }])
    const headers = []
    const onResponse = (response) => headers.push(...['catalog-version', 'etag'].map((name) => response.headers.has(name)))
    const { results } = await catalog.products.list({}, { onResponse })
    const skus = []
    for await (const { sku } of catalog.products.export({}, { onResponse: (response) => headers.push(response.headers.has('catalog-cursor')) })) skus.push(sku)
    const code = await catalog.products.get(1).catch((problem) => problem.code)
    return { created, listed: results[0].sku, skus, headers, code }
  })()`)
}

const used = { created: 1, listed: 'A', skus: ['A'], headers: [true, true, true], code: 'not_found' }

test('Chromium imports the client from the service and uses it', async () => {
  const { page } = await site.visit()
  await page.goto('/docs')
  expect(await useClient(page, site.url, (await site.service.tenant()).token)).toEqual(used)
})

test('a page of an allowed origin uses the client, reads its headers, and does not follow redirects', async () => {
  const { page } = await site.visit()
  await page.goto(origin)
  expect(await useClient(page, allowing.url, (await allowing.tenant()).token)).toEqual(used)
  const code = await page.evaluate(`(async () => {
    const { Catalog } = await import('${allowing.url}/client/${version}/index.js')
    return new Catalog({ url: '${origin}', token: 'cat_x' }).project.get().catch((problem) => problem.code)
  })()`)
  // Once, and not at the address of the redirect.
  expect([code, redirected]).toEqual(['unexpected_response', ['/v2/project']])
})
