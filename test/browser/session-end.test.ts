import type { BrowserContext, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { sql } from '../../src/platform/database/sql.ts'
import { openSession } from '../console-user.ts'
import { behindDialog, seriousViolations } from './axe.ts'
import { type Account, servedConsole, sessionCookie } from './console.ts'
import { chooseItem } from './visitors.ts'

const site = servedConsole()

/** A signed-in member of a new project. */
async function enter() {
  const shop = await site.service.tenant({ plan: 'enterprise' })
  const account = await site.account({ projects: [shop.project] })
  return { shop, account, ...(await site.signedIn(account)) }
}

/** A product page with an unsaved name. */
async function editing(name: string) {
  const { shop, account, page, context } = await enter()
  const { body } = await shop.call('/v2/products', { method: 'POST', body: { sku: 'MUG-1', name: 'Mug' } })
  await page.goto(`/projects/${shop.project}/products/${body.id}`)
  await page.getByText('MUG-1').first().waitFor()
  await nameField(page).fill(name)
  const savedName = async () => (await shop.call(`/v2/products/${body.id}`)).body.name
  return { shop, account, page, context, savedName, id: body.id }
}

async function giveSession(context: BrowserContext, { id = 0 }: Account): Promise<void> {
  await context.addCookies([sessionCookie(await openSession(site.service.database, id), site.url)])
}

const endSessions = ({ id = 0 }: Account) =>
  site.service.database.query(sql`delete from sessions where user_id = ${id}`)

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const save = (page: Page) => page.getByRole('button', { name: /^Save/ }).click()
const dialog = (page: Page) => page.getByRole('dialog')
const untilSaved = (page: Page) => page.getByText('Version 2, updated').waitFor()
const nameField = (page: Page) => page.getByRole('textbox', { name: 'Name' })

async function signInAgain(page: Page, { password }: Account) {
  await dialog(page).getByLabel('Password', { exact: true }).fill(password)
  await press(page, 'Sign in')
  await dialog(page).waitFor({ state: 'hidden' })
}

test('after a session ends during an edit, the user signs in again over the page and the save succeeds', async () => {
  const { page, account, savedName } = await editing('Tall mug')
  await endSessions(account)
  await save(page)
  await dialog(page).getByRole('heading', { name: 'Your session ended' }).waitFor()
  expect(await dialog(page).getByLabel('Email').inputValue()).toBe(account.email)
  await expect.poll(() => page.evaluate('document.activeElement.type')).toBe('password')
  expect(await seriousViolations(page, behindDialog)).toEqual([])
  expect(await savedName()).toBe('Mug')
  await signInAgain(page, account)
  await untilSaved(page)
  expect([await savedName(), await nameField(page).inputValue()]).toEqual(['Tall mug', 'Tall mug'])
  // Dialogs restore the focus shortly after they close.
  await expect.poll(() => page.evaluate('document.activeElement === document.body')).toBe(false)
})

test('a user who does not sign in again keeps the form, sees a banner, and is asked again by the next save', async () => {
  const { page, account, savedName } = await editing('Small mug')
  await endSessions(account)
  await save(page)
  await dialog(page).getByLabel('Password', { exact: true }).press('Escape')
  await page.getByRole('alert').getByText('Your session ended.').waitFor()
  expect(await nameField(page).inputValue()).toBe('Small mug')
  await press(page, 'Sign in again')
  await press(page, 'Not now')
  await save(page)
  await signInAgain(page, account)
  await untilSaved(page)
  expect(await savedName()).toBe('Small mug')
  expect(await page.getByText('This page can’t load or save anything').count()).toBe(0)
})

test('a form in a dialog stays open under the sign-in, survives Escape, and is sent after the sign-in', async () => {
  const { page, account, shop } = await enter()
  await page.goto(`/projects/${shop.project}/settings/api-access`)
  await press(page, 'New token')
  await page.getByLabel('Name').fill('Till')
  await endSessions(account)
  await press(page, 'Create token')
  const again = page.getByRole('dialog', { name: 'Your session ended' })
  await again.getByLabel('Password', { exact: true }).press('Escape')
  await again.waitFor({ state: 'hidden' })
  expect(await page.getByLabel('Name').inputValue()).toBe('Till')
  await press(page, 'Create token')
  await again.getByLabel('Password', { exact: true }).fill(account.password)
  await press(page, 'Sign in')
  await press(page, 'I have stored it')
  await page.getByRole('button', { name: 'Revoke Till' }).waitFor()
})

test('a page sends nothing under another account that signed in, and reports it', async () => {
  const { shop, account, page, context, savedName, id } = await editing('Their mug')
  const other = await site.account({ projects: [shop.project] })
  await giveSession(context, other)
  await save(page)
  await dialog(page).getByRole('heading', { name: 'You signed in with another account' }).waitFor()
  expect(await savedName()).toBe('Mug')
  await signInAgain(page, account)
  await untilSaved(page)
  const { body } = await shop.call(`/v2/products/${id}/history`)
  expect(body.results[0]).toMatchObject({ version: 2, actor: account.email })
})

test('after a sign-out in another tab, a page with unsaved changes asks to sign in; a sign-in in that tab continues a waiting save', async () => {
  const { account, page, context, savedName } = await editing('Green mug')
  const otherTab = await context.newPage()
  await otherTab.goto('/account')
  await otherTab.getByRole('button', { name: /Your account/ }).click()
  await chooseItem(otherTab, 'Sign out')
  await dialog(page).getByRole('heading', { name: 'Your session ended' }).waitFor()
  await signInAgain(page, account)
  expect(await nameField(page).inputValue()).toBe('Green mug')

  await endSessions(account)
  await save(page)
  await dialog(page).waitFor()
  await otherTab.getByLabel('Email').fill(account.email)
  await otherTab.getByLabel('Password', { exact: true }).fill(account.password)
  await press(otherTab, 'Sign in')
  await untilSaved(page)
  expect(await savedName()).toBe('Green mug')
})

test('the sign-in page reports the end of a session, but not on a first visit, which logs no error', async () => {
  const account = await site.account({})
  const { page, context, complaints } = await site.visit()
  await page.goto('/account')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect([await page.getByText('Your session ended').count(), complaints]).toEqual([0, []])
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await press(page, 'Sign in')
  await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor()
  await context.clearCookies()
  await page.reload()
  await page.getByRole('status').getByText('Your session ended').waitFor()
})
