import { expect, test } from 'vitest'
import { servedConsole } from './console.ts'

const site = servedConsole()
const longestMilliseconds = 1_000
const mostBytesBeforeSignIn = 260_000

test('a page opens in under a second in a browser that has never been here', async () => {
  const { project } = await site.service.tenant()
  const account = await site.account({ projects: [project] })
  const times: number[] = []
  // The best of several: other tests want the same cores, but not all the time.
  for (let round = 0; round < 50 && !times.some((time) => time < longestMilliseconds); round += 1) {
    const { page, context } = await site.signedIn(account)
    const begin = performance.now()
    await page.goto(`/projects/${project}`)
    await page.getByText('No products yet').waitFor()
    times.push(performance.now() - begin)
    await context.close()
  }
  expect(Math.min(...times), times.map(Math.round).join(', ')).toBeLessThan(longestMilliseconds)
}, 90_000)

test('what is loaded before sign-in is small, compressed, kept for ever, and from here alone', async () => {
  const { page } = await site.visit()
  let bytes = 0
  const hosts = new Set<string>()
  const assets: Record<string, string>[] = []
  page.on('response', async (answer) => {
    hosts.add(new URL(answer.url()).host)
    if (answer.url().includes('/assets/')) assets.push(answer.headers())
  })
  page.on('requestfinished', async (request) => {
    bytes += (await request.sizes()).responseBodySize
  })
  await page.goto('/sign-in')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.waitForLoadState('networkidle')
  expect(bytes).toBeLessThan(mostBytesBeforeSignIn)
  expect([...hosts]).toEqual([new URL(site.url).host])
  expect(assets.length).toBeGreaterThan(2)
  for (const headers of assets) {
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    if (!headers['content-type']?.startsWith('font/')) expect(headers['content-encoding']).toBe('br')
  }
})
