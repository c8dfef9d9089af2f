import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { servedConsole } from './console.ts'
import type { Visitor } from './visitors.ts'

const site = servedConsole({ isBrowserNew: true })
const mostBytesOfFirstPage = 325_000
const mostRequestsOfFirstPage = 21
/** Scripts and styles. */
const mostFilesOfFirstPage = 7
/** Function calls in our scripts: about twice the current number. Times would depend on the load of the machine. */
const mostCallsOfFirstPage = 250_000

/** Counts function calls in scripts from now on. */
async function watchCalls({ page, context }: Visitor): Promise<() => Promise<number>> {
  const tools = await context.newCDPSession(page)
  await tools.send('Profiler.enable')
  await tools.send('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  return async () => {
    const { result } = await tools.send('Profiler.takePreciseCoverage')
    return result
      .filter(({ url }) => url.startsWith(site.url))
      .flatMap(({ functions }) => functions)
      .reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0)
  }
}

/** The bytes of every response, as transferred. */
/** Without the OpenAPI document, which grows with the API. */
function watchSizes(page: Page): Promise<number>[] {
  const sizes: Promise<number>[] = []
  page.on('requestfinished', (request) => {
    if (request.url().endsWith('/openapi.json')) return
    sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
  })
  return sizes
}

test('a first visit takes little work, few requests and few bytes', async () => {
  const { project } = await site.service.tenant()
  const visitor = await site.signedIn(await site.account({ projects: [project] }))
  const { page } = visitor
  const sizes = watchSizes(page)
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const countCalls = await watchCalls(visitor)
  await page.goto(`/projects/${project}`)
  await page.getByText('No products yet').waitFor()
  await page.waitForLoadState('networkidle')
  const calls = await countCalls()

  // Verifies that calls are counted at all.
  expect(calls).toBeGreaterThan(1_000)
  expect(calls).toBeLessThan(mostCallsOfFirstPage)
  const files = asked.filter((url) => /\.(js|css)$/.test(url))
  expect(asked.length, asked.join(' ')).toBeLessThanOrEqual(mostRequestsOfFirstPage)
  expect(files.length, files.join(' ')).toBeLessThanOrEqual(mostFilesOfFirstPage)
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size)
  expect(bytes).toBeLessThan(mostBytesOfFirstPage)
})

test.each([
  ['/sign-in', 'Sign in', 320_000],
  ['/docs', 'API reference', 334_000],
])('%s loads small, compressed, immutable files from this host only', async (address, heading, mostBytes) => {
  const { page } = await site.visit()
  const sizes = watchSizes(page)
  const hosts = new Set<string>()
  const assets: Record<string, string>[] = []
  page.on('response', async (response) => {
    hosts.add(new URL(response.url()).host)
    if (response.url().includes('/assets/')) assets.push(response.headers())
  })
  await page.goto(address)
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size)
  expect(bytes).toBeLessThan(mostBytes)
  expect([...hosts]).toEqual([new URL(site.url).host])
  expect(assets.length).toBeGreaterThan(2)
  for (const headers of assets) {
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    if (!headers['content-type']?.startsWith('font/')) expect(headers['content-encoding']).toBe('br')
  }
})
