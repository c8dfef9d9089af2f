import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { sql } from '../../src/database/sql.ts'
import { openSession } from '../console-user.ts'
import { behindDialog, seriousViolations } from './axe.ts'
import { type Account, servedConsole } from './console.ts'

const site = servedConsole()

/** A member at the form of a product, with a name that is not saved yet. */
async function editing(name: string) {
  const shop = await site.service.tenant()
  const { body } = await shop.call('/v2/products', { method: 'POST', body: { sku: 'MUG-1', name: 'Mug' } })
  const account = await site.account({ projects: [shop.project] })
  const visitor = await site.signedIn(account)
  const { page } = visitor
  await page.goto(`/projects/${shop.project}/products/${body.id}`)
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  const savedName = async () => (await shop.call(`/v2/products/${body.id}`)).body.name
  return { ...visitor, shop, account, savedName, id: body.id }
}

const endSessions = ({ id = 0 }: Account) =>
  site.service.database.query(sql`delete from sessions where user_id = ${id}`)

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const save = (page: Page) => page.getByRole('button', { name: /^Save/ }).click()
const dialog = (page: Page) => page.getByRole('dialog')
const nameField = (page: Page) => page.getByRole('textbox', { name: 'Name' })

async function signInAgain(page: Page, { password }: Account) {
  await dialog(page).getByLabel('Password', { exact: true }).fill(password)
  await press(page, 'Sign in')
  await dialog(page).waitFor({ state: 'hidden' })
}

test('a session that ends during an edit is opened again over the page, and the save goes through', async () => {
  const { page, account, savedName } = await editing('Tall mug')
  await endSessions(account)
  await save(page)
  await dialog(page).getByRole('heading', { name: 'Your session ended' }).waitFor()
  expect(await dialog(page).getByLabel('Email').inputValue()).toBe(account.email)
  expect(await page.evaluate('document.activeElement.type')).toBe('password')
  expect(await seriousViolations(page, behindDialog)).toEqual([])
  expect(await savedName()).toBe('Mug')
  await signInAgain(page, account)
  await page.getByText('Saved.').waitFor()
  expect([await savedName(), await nameField(page).inputValue()]).toEqual(['Tall mug', 'Tall mug'])
  expect(await page.evaluate('document.activeElement === document.body')).toBe(false)
})

test('whoever does not sign in again keeps the form, is reminded, and is asked again by the next save', async () => {
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
  await page.getByText('Saved.').waitFor()
  expect(await savedName()).toBe('Small mug')
  expect(await page.getByText('This page can neither load nor save').count()).toBe(0)
})

test('a form in a dialog stays open under the sign-in, is kept by Escape, and is sent after it', async () => {
  const { project } = await site.service.tenant({ plan: 'enterprise' })
  const account = await site.account({ projects: [project] })
  const { page } = await site.signedIn(account)
  await page.goto(`/projects/${project}/settings/api-access`)
  await press(page, 'New token')
  await page.getByLabel('Name').fill('Till')
  await endSessions(account)
  await press(page, 'Issue token')
  const again = page.getByRole('dialog', { name: 'Your session ended' })
  await again.getByLabel('Password', { exact: true }).press('Escape')
  await again.waitFor({ state: 'hidden' })
  expect(await page.getByLabel('Name').inputValue()).toBe('Till')
  await press(page, 'Issue token')
  await again.getByLabel('Password', { exact: true }).fill(account.password)
  await press(page, 'Sign in')
  await press(page, 'I have stored it')
  await page.getByRole('button', { name: 'Revoke Till' }).waitFor()
})

test('nothing is sent under another account that signed in meanwhile, and the page says so', async () => {
  const { page, context, shop, account, savedName, id } = await editing('Their mug')
  const other = await site.account({ projects: [shop.project] })
  const [known] = await context.cookies(`${site.url}/console/api`)
  const value = (await openSession(site.service.database, other.id ?? 0)).split('=', 2)[1] ?? ''
  await context.addCookies([{ ...(known as NonNullable<typeof known>), value }])
  await save(page)
  await dialog(page).getByRole('heading', { name: 'Another account signed in' }).waitFor()
  expect(await savedName()).toBe('Mug')
  await signInAgain(page, account)
  await page.getByText('Saved.').waitFor()
  const { body } = await shop.call(`/v2/products/${id}/history`)
  expect(body.results[0]).toMatchObject({ version: 2, actor: account.email })
})

test('a sign-in in another tab continues the page that waits for one', async () => {
  const { page, context, account, savedName } = await editing('Blue mug')
  await endSessions(account)
  await save(page)
  await dialog(page).waitFor()
  const otherTab = await context.newPage()
  await otherTab.goto('/sign-in')
  await otherTab.getByLabel('Email').fill(account.email)
  await otherTab.getByLabel('Password', { exact: true }).fill(account.password)
  await otherTab.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('Saved.').waitFor()
  expect(await savedName()).toBe('Blue mug')
})

test('a sign-out in another tab asks over a page with unsaved changes', async () => {
  const { page, context, account } = await editing('Green mug')
  const otherTab = await context.newPage()
  await otherTab.goto('/account')
  await otherTab.getByRole('button', { name: /Your account/ }).click()
  await otherTab.getByRole('menuitem', { name: 'Sign out' }).click()
  await dialog(page).getByRole('heading', { name: 'Your session ended' }).waitFor()
  await signInAgain(page, account)
  expect(await nameField(page).inputValue()).toBe('Green mug')
})

test('the sign-in page says that the session ended, but not at a first visit, which logs no error', async () => {
  const account = await site.account({})
  const { page, context, complaints } = await site.visit()
  await page.goto('/sign-in')
  await page.evaluate('localStorage.clear()')
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
