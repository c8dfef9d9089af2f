import type { Page, Request } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Tenant } from '../harness.ts'
import { allViolations } from './axe.ts'
import { servedConsole, type Visitor } from './console.ts'
import { oddDocument } from './odd-document.ts'

const site = servedConsole()
let shop: Tenant
let reader: Visitor

beforeAll(async () => {
  shop = await site.service.tenant()
})

/** One reader without an account for all tests: the page is loaded anew for each, its script is not. */
beforeEach(async () => {
  reader ??= await site.visit()
})

async function open(page: Page, heading: string, place = ''): Promise<void> {
  await page.goto('about:blank')
  await page.goto(`/docs${place}`)
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
}

const testButton = (page: Page) => page.getByRole('button', { name: 'Test Request', exact: true }).first()

/** Sends what the dialog holds; the request as the browser sent it. */
async function send(page: Page): Promise<Request> {
  const sent = page.waitForRequest((request) => new URL(request.url()).pathname.startsWith('/v2/'))
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  return sent
}

test("it stands under the console's Content-Security-Policy, which finds nothing to refuse", async () => {
  const { page, complaints } = reader
  const policies = await Promise.all(['/docs', '/'].map((path) => fetch(site.url + path)))
  const [own, console] = policies.map(({ headers }) => headers.get('content-security-policy'))
  expect(own).toContain("connect-src 'self'")
  expect(own).toBe(console)
  await open(page, 'API reference')
  await testButton(page).click()
  await page.getByRole('dialog').waitFor()
  expect(complaints).toEqual([])
})

test('the first request of the first operation asks for everything: no filter, no token, no cookie', async () => {
  const { page } = await site.signedIn(await site.account({ projects: [shop.project] }))
  await open(page, 'API reference')
  await testButton(page).click()
  const request = await send(page)
  expect([request.method(), new URL(request.url()).pathname]).toEqual(['GET', '/v2/products'])
  expect(new URL(request.url()).search).toBe('')
  const { authorization, cookie } = await request.allHeaders()
  expect([authorization, cookie]).toEqual([undefined, undefined])
  await page.getByText('A token is missing').waitFor()
})

test('a token that was typed is sent to the service, kept nowhere, and gone with the page', async () => {
  const { page, context } = reader
  await open(page, 'List products', '#operation/listProducts')
  await testButton(page).click()
  await page.getByLabel('Token', { exact: true }).fill(shop.token)
  const request = await send(page)
  expect((await request.allHeaders())['authorization']).toBe(`Bearer ${shop.token}`)
  await page.getByText('200 OK').waitFor()
  const stored = await page.evaluate(
    `Promise.all([indexedDB.databases(), caches.keys()]).then((kept) => JSON.stringify([kept, { ...localStorage }, { ...sessionStorage }, document.cookie, location.href, history.state]))`,
  )
  expect(stored).not.toContain(shop.token)
  expect(JSON.stringify(await context.storageState())).not.toContain(shop.token)
  await page.reload()
  await testButton(page).click()
  expect(await page.getByLabel('Token', { exact: true }).inputValue()).toBe('')
})

test('a write begins with its example, says that it is no rehearsal, and arrives; unreachable, it says so', async () => {
  const { page, context } = reader
  await open(page, 'Create a product', '#operation/createProduct')
  await testButton(page).click()
  await page.getByText('This may change real data').waitFor()
  await page.getByLabel('Token', { exact: true }).fill(shop.token)
  const body = JSON.parse(await page.getByLabel('Body').inputValue())
  expect(body).toHaveProperty('sku')
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByText('No answer came.').waitFor()
  await context.setOffline(false)
  expect((await shop.call('/v2/products')).body.count).toBe(0)
  await send(page)
  await page.getByText('201 Created').waitFor()
  expect((await shop.call('/v2/products')).body.results[0].sku).toBe(body.sku)
})

test('filled parameters go where they belong, and an answer larger than what is shown is cut', async () => {
  const { page } = reader
  await open(page, 'List products', '#operation/listProducts')
  await page.getByLabel('Addresses begin with').selectOption('/api')
  await testButton(page).click()
  await page.getByLabel('status', { exact: true }).selectOption('active')
  await page.getByLabel('id__in', { exact: true }).fill('1, 2')
  await page.getByLabel('attributes', { exact: true }).fill('color=red')
  await page.getByLabel('If-None-Match').fill('"tag"')
  const results = Array.from({ length: 20_000 }, (_, id) => ({ id, name: 'Mug' }))
  await page.route('**/api/products?*', (route) => route.fulfill({ json: { count: 20_000, results } }))
  const sent = page.waitForRequest('**/api/products?*')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  const request = await sent
  const query = new URL(request.url()).searchParams
  expect([query.get('status'), query.getAll('id__in').join(), query.get('attributes[color]')]).toEqual([
    'active',
    '1,2',
    'red',
  ])
  expect([...query.keys()].filter((name) => !/^(status|id__in|attributes)/.test(name))).toEqual([])
  expect((await request.allHeaders())['if-none-match']).toBe('"tag"')
  await page.getByText('Only the beginning of the body is shown.').waitFor()
  await page.unroute('**/api/products?*')
})

test('a link leads to its operation, the search to others, and the keyboard past the navigation', async () => {
  const { page } = reader
  await open(page, 'Get a product by its SKU', '#operation/getProductBySku')
  expect(await page.title()).toBe('Get a product by its SKU · API reference')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  expect(await page.evaluate('document.activeElement.id')).toBe('content')
  await page.getByRole('heading', { name: 'Get a product by its SKU', level: 1 }).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('delete categor')
  const found = page.getByRole('navigation', { name: 'Operations' }).getByRole('link')
  expect(await found.allTextContents()).toEqual(['Categories', expect.stringMatching(/^DELETE/)])
  await found.last().click()
  await page.getByRole('heading', { name: 'Delete a category', level: 1 }).waitFor()
  expect(new URL(page.url()).hash).toBe('#operation/deleteCategory')
  await page.goBack()
  await page.getByRole('heading', { name: 'Get a product by its SKU', level: 1 }).waitFor()
  await open(page, 'Nothing here', '#operation/bogus')
})

const views: [name: string, show: (page: Page) => Promise<void>][] = [
  ['the introduction', (page) => open(page, 'API reference')],
  ['an operation', openedOperation],
  [
    'the dialog',
    async (page) => {
      await open(page, 'Create a product', '#operation/createProduct')
      await testButton(page).click()
      await page.getByRole('dialog').waitFor()
    },
  ],
]

async function openedOperation(page: Page): Promise<void> {
  await open(page, 'Create a product', '#operation/createProduct')
  for (const which of ['categories', '201', '422'])
    await page.locator('summary', { hasText: which }).first().click()
}

test.each(views)(
  'axe finds nothing to better in %s, by day on a desk and by night on a telephone, and nothing scrolls sideways',
  async (_, show) => {
    const { page } = reader
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 1280, height: 800 })
    await show(page)
    expect(await allViolations(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
    await page.setViewportSize({ width: 390, height: 800 })
    expect(await allViolations(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
  },
)

test('the dialog gives the focus back to the button that opened it', async () => {
  const { page } = reader
  await open(page, 'API reference')
  const button = page.getByRole('listitem').filter({ hasText: 'List categories' }).getByRole('button')
  await button.press('Enter')
  await page.getByLabel('Token', { exact: true }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Escape')
  await button.and(page.locator(':focus')).waitFor()
})

test('on a telephone the navigation is in a drawer, which closes when a place is chosen', async () => {
  const { page } = reader
  await page.setViewportSize({ width: 390, height: 800 })
  await open(page, 'API reference')
  await page.getByRole('button', { name: 'Open navigation' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'List prompt templates' }).click()
  await page.getByRole('heading', { name: 'List prompt templates', level: 1 }).waitFor()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
})

test('whatever a document holds is shown: references, variants, maps, null, and a shape that holds itself', async () => {
  const { page } = reader
  await page.route('**/openapi.json', (route) => route.fulfill({ json: oddDocument }))
  await open(page, 'API reference')
  await page.getByText('<b>not markup</b>').waitFor()
  expect(await page.locator('a[href^="javascript:"]').count()).toBe(0)
  const main = page.getByRole('main')
  await main.getByRole('link', { name: 'Plant' }).click()
  const texts = ['integer or null', 'Leaf or null', 'map of integer', 'array of (string or number)']
  for (const text of [...texts, 'from the other part', 'never', 'Anything else'])
    await main.getByText(text, { exact: true }).first().waitFor()
  expect(await main.getByText('elsewhere.example').count()).toBe(0)
  const end = main.getByText('and so on')
  const closed = main.locator('details:not([open]) > summary', { hasText: 'What child holds' })
  for (let opened = 0; opened < 20 && !(await end.isVisible()); opened += 1)
    await closed.or(end).last().click()
  await end.waitFor()
  await page.unroute('**/openapi.json')
})
