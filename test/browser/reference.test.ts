import type { Page, Request } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { Tenant } from '../harness.ts'
import { allViolations, behindDialog } from './axe.ts'
import { servedConsole } from './console.ts'
import { oddDocument } from './odd-document.ts'
import type { Visitor } from './visitors.ts'

const site = servedConsole()
let shop: Tenant
let everything: Document

type Document = { paths: Record<string, Record<string, unknown>> }

beforeAll(async () => {
  shop = await site.service.tenant()
  everything = (await shop.call('/openapi.json')).body
})

async function open(page: Page, heading: string, place = ''): Promise<void> {
  await page.goto(`/docs${place}`)
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
}

/** The document with a few operations: three tags and every method. */
async function serveFewOperations(page: Page): Promise<void> {
  const paths = Object.entries(everything.paths)
  const few = paths.filter(([path]) => /^\/(categories|products$|products\/by-sku|healthz)/.test(path))
  const methods = (some: typeof paths) => new Set(some.flatMap(([, operations]) => Object.keys(operations)))
  expect(methods(few)).toEqual(methods(paths))
  const json = { ...everything, paths: Object.fromEntries(few) }
  await page.route('**/openapi.json', (route) => route.fulfill({ json }))
}

/** An operation of that document. */
async function openOperation(heading: string, place: string): Promise<Visitor> {
  const visitor = await site.visit()
  await serveFewOperations(visitor.page)
  await open(visitor.page, heading, place)
  return visitor
}

const testButton = (page: Page) => page.getByRole('button', { name: 'Test request', exact: true }).first()

/** Sends the request in the dialog, and returns it as the browser sent it. */
async function send(page: Page): Promise<Request> {
  const sent = page.waitForRequest((request) => new URL(request.url()).pathname.startsWith('/v2/'))
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  return sent
}

test("under the console's Content-Security-Policy, which blocks nothing, the first request has no filter, no token and no cookie", async () => {
  const policies = await Promise.all(['/docs', '/'].map((path) => fetch(site.url + path)))
  const [own, console] = policies.map(({ headers }) => headers.get('content-security-policy'))
  expect(own).toContain("connect-src 'self'")
  expect(own).toBe(console?.replace("img-src 'self' https:", "img-src 'self'"))
  const { page, complaints } = await site.signedIn(await site.account({ projects: [shop.project] }))
  await open(page, 'API reference')
  await testButton(page).click()
  await page.getByRole('dialog').waitFor()
  expect(complaints).toEqual([])
  const request = await send(page)
  expect([request.method(), new URL(request.url()).pathname]).toEqual(['GET', '/v2/products'])
  expect(new URL(request.url()).search).toBe('')
  const { authorization, cookie } = await request.allHeaders()
  expect([authorization, cookie]).toEqual([undefined, undefined])
  await page.getByText('The token is missing').waitFor()
})

/** Whether the link of the current page is visible above the foot of the navigation. */
const isLinkShown = (page: Page) =>
  page.evaluate(`(() => {
    const { top, bottom } = document.querySelector('nav [aria-current=page]').getBoundingClientRect()
    return top >= 0 && bottom <= innerHeight - 100
  })()`)

test('a link opens its operation, the search finds others, and the keyboard skips the navigation', async () => {
  const { page } = await openOperation('Get a product by SKU', '#operation/getProductBySku')
  expect(await page.title()).toBe('Get a product by SKU · API reference')
  // In a window this low, the navigation has to scroll to show the link.
  await page.setViewportSize({ width: 1280, height: 400 })
  await page.reload()
  await expect.poll(() => isLinkShown(page)).toBe(true)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content')
  await page.getByRole('heading', { name: 'Get a product by SKU', level: 1 }).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('delete categor')
  const found = page.getByRole('navigation', { name: 'Operations' }).getByRole('link')
  await expect.poll(() => found.allTextContents()).toEqual(['Categories', expect.stringMatching(/^DELETE/)])
  await found.last().click()
  await page.getByRole('heading', { name: 'Delete an unused category', level: 1 }).waitFor()
  expect(new URL(page.url()).hash).toBe('#operation/deleteCategory')
  await page.goBack()
  await page.getByRole('heading', { name: 'Get a product by SKU', level: 1 }).waitFor()
  await page.evaluate(`location.hash = '#operation/bogus'`)
  await page.getByRole('heading', { name: 'Page not found', level: 1 }).waitFor()
})

test('a token is sent to the service, stored nowhere, and gone when the page closes', async () => {
  const { page, context } = await openOperation('List products', '#operation/listProducts')
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

test('a write starts with its example, warns about real data, and arrives; an unreachable service is reported', async () => {
  const { page, context } = await openOperation('Create a product', '#operation/createProduct')
  const { token, call } = await site.service.tenant()
  await testButton(page).click()
  await page.getByText('This request can change real data').waitFor()
  await page.getByLabel('Token', { exact: true }).fill(token)
  const body = JSON.parse(await page.getByLabel('Body').inputValue())
  expect(body).toHaveProperty('sku')
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByText('No response.').waitFor()
  await context.setOffline(false)
  expect((await call('/v2/products')).body.count).toBe(0)
  await send(page)
  await page.getByText('201 Created').waitFor()
  expect((await call('/v2/products')).body.results[0].sku).toBe(body.sku)
})

test('parameters are sent in the right place, and a long response is truncated', async () => {
  const { page } = await openOperation('List products', '#operation/listProducts')
  await page.getByLabel('API version').selectOption('/api')
  await testButton(page).click()
  await page.getByLabel('status', { exact: true }).selectOption('active')
  await page.getByLabel('id__in', { exact: true }).fill('1, 2')
  await page.getByLabel('attributes', { exact: true }).fill('color=red')
  await page.getByLabel('If-None-Match').fill('"tag"')
  const results = Array.from({ length: 12_000 }, (_, id) => ({ id, name: 'Mug' }))
  await page.route('**/api/products?*', (route) => route.fulfill({ json: { count: 12_000, results } }))
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
  await page.getByText('Only its start is shown.').waitFor()
})

const overflow = 'document.documentElement.scrollWidth - innerWidth'

test('the dialog returns the focus to the button that opened it; the drawer on mobile closes after a choice', async () => {
  const { page } = await site.visit()
  await open(page, 'API reference', '#introduction')
  const button = page.getByRole('listitem').filter({ hasText: 'List categories' }).getByRole('button')
  await button.press('Enter')
  await page.getByLabel('Token', { exact: true }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Escape')
  await button.and(page.locator(':focus')).waitFor()
  await page.setViewportSize({ width: 390, height: 800 })
  // Of all operations, while axe checks a few.
  expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0)
  await page.getByRole('button', { name: 'Open navigation' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'List prompt templates' }).click()
  await page.getByRole('heading', { name: 'List prompt templates', level: 1 }).waitFor()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
})

const navigation = 'section[aria-label="API reference"]'
/** Other parts of the page were checked in the view before. */
const views: [name: string, behind: string | undefined, show: (page: Page) => Promise<void>][] = [
  ['an operation', undefined, unfoldOperation],
  ['the dialog', behindDialog, openDialog],
  ['the introduction', navigation, openIntroduction],
]

async function unfoldOperation(page: Page): Promise<void> {
  // A small operation that has all features.
  await open(page, 'Create a category', '#operation/createCategory')
  for (const which of ['201', '422', 'Properties of errors'])
    await page.locator('summary:visible', { hasText: which }).first().click()
}

async function openDialog(page: Page): Promise<void> {
  await testButton(page).click()
  await page.getByRole('dialog').waitFor()
}

async function openIntroduction(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'API reference' }).first().click()
  await page.getByRole('heading', { name: 'API reference', level: 1 }).waitFor()
}

test('axe finds no violations, every second view in the dark theme on mobile, and nothing scrolls sideways', {
  timeout: 120_000,
}, async () => {
  const { page } = await site.visit()
  await serveFewOperations(page)
  for (const [index, [name, behind, show]] of views.entries()) {
    const check = async (theme: string) =>
      expect.soft(await allViolations(page, behind), `${name} in the ${theme} theme`).toEqual([])
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 1280, height: 800 })
    await show(page)
    if (index % 2 === 0) await check('light')
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
    await page.setViewportSize({ width: 390, height: 800 })
    if (index % 2 === 1) await check('dark')
    expect.soft(await page.evaluate(overflow), name).toBeLessThanOrEqual(0)
  }
})

test('any document is shown: references, variants, maps, null, and a recursive schema', async () => {
  const { page } = await site.visit()
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
  const closed = main.locator('details:not([open]) > summary', { hasText: 'Properties of child' })
  for (let opened = 0; opened < 20 && !(await end.isVisible()); opened += 1)
    await closed.or(end).last().click()
  await end.waitFor()
})
