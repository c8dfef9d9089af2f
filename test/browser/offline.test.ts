import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { sql } from '../../src/platform/database/sql.ts'
import type { Tenant } from '../harness.ts'
import { servedConsole } from './console.ts'
import { chooseItem, follow, type Visitor } from './visitors.ts'

const site = servedConsole()
/** For tests that set the clock of the browser. */
const ownBrowser = servedConsole({ isBrowserNew: true })
const loadingAhead = servedConsole({ isBrowserNew: true, isCodeLoadedAhead: true })

/** The admin page of a project with one token. */
async function openAdminPage(of = site): Promise<Visitor & { shop: Tenant }> {
  const shop = await of.service.tenant({ name: 'Web shop' })
  const operator = await of.account({ operator: true })
  const visitor = await of.open(operator, `/operator/projects/${shop.project}`)
  await visitor.page.getByRole('button', { name: 'Revoke Web shop' }).waitFor()
  return { ...visitor, shop }
}

const press = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
const isAccepted = async (shop: Tenant) => (await shop.call('/v2/project')).status === 200

async function issueToken(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'New token' }).click()
  await page.getByLabel('Name').fill(name)
  await press(page, 'Create token')
}

test('fault 28: an action that was canceled offline does not happen when the network is back', async () => {
  const { page, context, shop } = await openAdminPage()
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Revoke Web shop' }).click()
  await press(page, 'Revoke token')
  await press(page, 'Cancel')
  await context.setOffline(false)
  // A queued request would be sent before this one.
  await issueToken(page, 'Till')
  await press(page, 'I have stored it')
  expect(await isAccepted(shop)).toBe(true)
})

test('fault 28: a form submitted offline reports it immediately, keeps its input, and is sent once when submitted again', async () => {
  const { page, context, shop } = await openAdminPage()
  await context.setOffline(true)
  await issueToken(page, 'Till')
  await page.getByText('You are offline, so nothing was sent.').waitFor()
  await context.setOffline(false)
  await page.getByRole('dialog').getByText('You are online again').waitFor()
  await expect.poll(() => page.getByText('You are offline').count()).toBe(0)
  expect(await page.getByLabel('Name').inputValue()).toBe('Till')
  await press(page, 'Create token')
  await press(page, 'I have stored it')
  await page.getByRole('button', { name: 'Revoke Till' }).waitFor()
  const tokens = await site.service.database.query(
    sql<{ name: string }>`select name from tokens where project_id = ${shop.project} order by id`,
  )
  expect(tokens).toEqual([{ name: 'Web shop' }, { name: 'Till' }])
  expect(await isAccepted(shop)).toBe(true)
})

test('fault 28: a request in progress cannot be canceled; if its response is lost, the page reports it and shows the current state', async () => {
  const { page, shop } = await openAdminPage()
  const sent = Promise.withResolvers<void>()
  const lost = Promise.withResolvers<void>()
  await page.route('**/revoke', async (route) => {
    await route.fetch()
    sent.resolve()
    await lost.promise
    await route.abort('connectionreset')
  })
  await page.getByRole('button', { name: 'Revoke Web shop' }).click()
  await press(page, 'Revoke token')
  await sent.promise
  expect(await page.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true)
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  lost.resolve()
  await page.getByText('The change may not have been saved.').waitFor()
  await press(page, 'Cancel')
  await page.getByText('Revoked', { exact: true }).waitFor()
  expect(await isAccepted(shop)).toBe(false)
})

test('fault 28: a request without a response ends after the time limit', async () => {
  const { page } = await openAdminPage()
  await page.route('**/revoke', () => {})
  // For every request, because another one can be sent before this one.
  await page.evaluate(`
    { const timeout = AbortSignal.timeout.bind(AbortSignal)
      AbortSignal.timeout = () => timeout(50) }`)
  await page.getByRole('button', { name: 'Revoke Web shop' }).click()
  await press(page, 'Revoke token')
  await page.getByText('The change may not have been saved.').waitFor()
})

test('fault 28: a success before the network fails is reported, stale data is marked, and is fetched again when the network is back', async () => {
  const { page, context } = await openAdminPage()
  await page.route('**/revoke', async (route) => {
    const response = await route.fetch()
    await context.setOffline(true)
    await route.fulfill({ response })
  })
  await page.getByRole('button', { name: 'Revoke Web shop' }).click()
  await press(page, 'Revoke token')
  await page.getByText('“Web shop” revoked.').waitFor()
  await page.getByText('This data may be out of date').first().waitFor()
  await context.setOffline(false)
  await page.getByText('Revoked', { exact: true }).waitFor()
  await expect.poll(() => page.getByText('This data may be out of date').count()).toBe(0)
})

test('fault 28: the message that the service is not responding disappears when it responds again', async () => {
  const { page } = await openAdminPage(ownBrowser)
  await page.clock.install()
  await page.route('**/console/api/operator/users?*', (route) => route.abort('connectionrefused'))
  await follow(page, '/operator/users')
  await page.clock.runFor(2_000)
  await page.getByText('The service is not responding.').waitFor()
  await page.unrouteAll()
  await page.clock.runFor(6_000)
  await page.getByRole('table', { name: 'Users' }).waitFor()
  await expect.poll(() => page.getByText('The service is not responding.').count()).toBe(0)
})

test('fault 28: signing out and opening a page offline show an error inside the frame, and the page opens when the network is back', async () => {
  const { page, context } = await openAdminPage()
  await context.setOffline(true)
  await page.getByRole('button', { name: /Your account/ }).click()
  await chooseItem(page, 'Sign out')
  const refusal = page.getByRole('alert').filter({ hasText: 'You are offline, so nothing was sent.' })
  await refusal.getByRole('button', { name: 'Dismiss' }).click()
  // If its code is already loaded, the page itself shows the message.
  await page.getByRole('link', { name: 'Audit trail' }).click()
  const main = page.getByRole('main')
  // The previous page may show the same message until this one replaces it.
  await page.getByRole('button', { name: 'Revoke Web shop' }).waitFor({ state: 'detached' })
  await main.getByText('You are offline.').waitFor()
  await page.waitForURL('**/operator/audit')
  await context.setOffline(false)
  await page.getByRole('heading', { name: 'Audit trail', level: 1 }).waitFor()
  await page.getByRole('table', { name: 'Audit trail' }).waitFor()
})

test('fault 28: a page whose code does not load shows an error inside the frame, and opens when the service responds', async () => {
  const { page } = await openAdminPage()
  const addresses = /\/assets\/audit-page-|\/operator\/audit$/
  await page.route(addresses, (route) => route.abort('connectionrefused'))
  await page.getByRole('link', { name: 'Audit trail' }).click()
  await page.getByRole('main').getByText('The service is not responding.').waitFor()
  await page.unroute(addresses)
  // The page also checks on a schedule.
  await page.evaluate(`dispatchEvent(new Event('online'))`)
  await page.getByRole('table', { name: 'Audit trail' }).waitFor()
})

test('fault 28: if a new release has replaced the code of a page, the console loads again and opens the page', async () => {
  const { page } = await openAdminPage()
  await page.route('**/assets/audit-page-*', (route) => route.fulfill({ status: 404 }), { times: 1 })
  const loaded = page.waitForEvent('load')
  await page.getByRole('link', { name: 'Audit trail' }).click()
  await loaded
  await page.getByRole('table', { name: 'Audit trail' }).waitFor()
})

test('fault 28: the code of other pages is preloaded, so that a page opens offline immediately', async () => {
  const { page, context } = await loadingAhead.signedIn(await loadingAhead.account({ operator: true }))
  await page.clock.install()
  await page.goto('/account')
  await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor()
  const loaded = page.waitForResponse(/assets\/audit-/)
  await page.clock.fastForward(10_000)
  await loaded
  await context.setOffline(true)
  await page.getByRole('link', { name: 'Audit trail' }).click()
  await page.getByRole('heading', { name: 'Audit trail', level: 1 }).waitFor()
  await page.getByText('You are offline.').waitFor()
})
