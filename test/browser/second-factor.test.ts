import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { requireSecondFactor } from '../../src/access/second-factors/manage-second-factor.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { behindDialog, seriousViolations } from './axe.ts'
import { type Account, servedConsole } from './console.ts'
import { addApp, addAuthenticator, shownSecret, totpNow } from './second-factors.ts'
import { chooseItem, follow } from './visitors.ts'

const site = servedConsole({ isAlone: true })

/** Browsers allow passkeys on localhost, but not on 127.0.0.1. */
const at = (path: string) => site.url.replace('127.0.0.1', 'localhost') + path

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const dialog = (page: Page) => page.getByRole('dialog')
const account = (page: Page) => page.getByRole('button', { name: /Your account/ })

async function enterPassword(page: Page, { email, password }: Account): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await press(page, 'Sign in')
}

/** The email field then offers no passkeys, which the authenticator of the test would accept at once. */
const forgetPasskeys = (page: Page) => page.evaluate(`localStorage.removeItem('catalog-passkey')`)

async function signOut(page: Page): Promise<void> {
  await account(page).click()
  await chooseItem(page, 'Sign out')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
}

const isAccessible = async (page: Page) => expect(await seriousViolations(page, behindDialog)).toEqual([])

/** Ends with the recovery codes on the page. */
async function setUpApp(
  page: Page,
  { password }: Account,
  checkStep: (page: Page) => Promise<void> = async () => {},
): Promise<{ secret: string; codes: string[] }> {
  await press(page, 'Set up app')
  await dialog(page).getByLabel('Current password').fill(password)
  await press(page, 'Continue')
  await dialog(page).getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
  await checkStep(page)
  const secret = await shownSecret(page)
  await dialog(page)
    .getByLabel('Code that the app shows')
    .fill(await totpNow(secret, 0))
  await press(page, 'Confirm code')
  await dialog(page).getByRole('heading', { name: 'Recovery codes' }).waitFor()
  const codes = await dialog(page).getByRole('listitem').allTextContents()
  expect(codes).toHaveLength(10)
  await checkStep(page)
  return { secret, codes }
}

test('an authenticator app is set up, asked for at the next sign-in and in the dialog over a page, and replaced by a recovery code', async () => {
  const { project } = await site.service.tenant()
  const member = await site.account({ projects: [project] })
  const { page, complaints } = await site.open(member, '/account')
  const { secret, codes } = await setUpApp(page, member, isAccessible)
  await press(page, 'I stored the codes')
  await page.getByText('10 unused codes').waitFor()
  await signOut(page)

  await enterPassword(page, member)
  await page.getByText('Enter the code that your authenticator app shows').waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.autocomplete')).toBe('one-time-code')
  expect(await seriousViolations(page)).toEqual([])
  await page.getByLabel('Code', { exact: true }).fill('000 000')
  await press(page, 'Continue')
  await page.getByRole('alert').getByText('The code is incorrect').waitFor()
  await page.getByLabel('Code', { exact: true }).fill(await totpNow(secret, 1))
  await press(page, 'Continue')
  await account(page).waitFor()

  await page.waitForURL(`**/projects/${project}`)
  await follow(page, `/projects/${project}/products/new`)
  await page.getByRole('textbox', { name: 'SKU' }).fill('MUG-9')
  await page.getByRole('textbox', { name: 'Name' }).fill('Mug of the second factor')
  await site.service.database.query(sql`delete from sessions where user_id = ${member.id ?? 0}`)
  await page
    .getByRole('button', { name: /^(Save|Create)/ })
    .first()
    .click()
  await dialog(page).getByLabel('Password', { exact: true }).fill(member.password)
  await press(page, 'Sign in')
  await dialog(page).getByRole('button', { name: 'Use a recovery code' }).click()
  await dialog(page)
    .getByLabel('Recovery code')
    .fill(codes[0] ?? '')
  await isAccessible(page)
  await press(page, 'Continue')
  await dialog(page).waitFor({ state: 'hidden' })
  await page.getByRole('heading', { name: 'Mug of the second factor' }).waitFor()
  expect(complaints.filter((text) => !text.includes('401'))).toEqual([])
})

test('a role that requires a second factor leads to the set-up page; a passkey there then signs in alone, and confirms the password', async () => {
  const operator = await site.account({ operator: true })
  const { page } = await site.visit()
  await addAuthenticator(page)
  await page.goto(at('/sign-in'))
  await enterPassword(page, operator)
  await account(page).waitFor()
  await requireSecondFactor(site.service.database, { name: 'tests' }, ['operator'])
  await page.goto(at('/operator/users'))
  await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor()
  expect(await seriousViolations(page)).toEqual([])
  await press(page, 'Add passkey')
  await dialog(page).getByLabel('Name').fill('Work laptop')
  await dialog(page).getByLabel('Current password').fill(operator.password)
  await press(page, 'Create passkey')
  await press(page, 'I stored the codes')
  await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor()
  await requireSecondFactor(site.service.database, { name: 'tests' }, [])
  await page
    .getByRole('row', { name: new RegExp(operator.email) })
    .getByText('Passkey')
    .waitFor()
  await forgetPasskeys(page)
  await signOut(page)
  await press(page, 'Sign in with a passkey')
  await account(page).waitFor()
  // The email field offers the passkey.
  const offered = page.waitForResponse((response) => response.url().endsWith('/console/auth/sign-in/passkey'))
  await account(page).click()
  await chooseItem(page, 'Sign out')
  expect((await offered).status()).toBe(200)
  await account(page).waitFor()
  await forgetPasskeys(page)
  await signOut(page)

  await enterPassword(page, operator)
  await press(page, 'Use a passkey')
  await account(page).waitFor()
  await follow(page, '/account')
  await page.getByText('Work laptop', { exact: true }).first().waitFor()
  await page.getByText(/last used/).waitFor()
  await page.getByRole('button', { name: 'Rename Work laptop' }).click()
  await dialog(page).getByLabel('Name').fill('Old laptop')
  await press(page, 'Save name')
  await page.getByRole('button', { name: 'Remove Old laptop' }).click()
  await dialog(page).getByLabel('Current password').fill(operator.password)
  await dialog(page).getByRole('button', { name: 'Remove' }).click()
  await page.getByText('Passkey removed.').waitFor()
  await expect.poll(() => page.getByText('Old laptop').count()).toBe(0)
  await forgetPasskeys(page)
  await signOut(page)
  await enterPassword(page, operator)
  await account(page).waitFor()
})

test('a role that requires a second factor during an edit asks over the page; a new tab sets it up, and the page then saves its input', async () => {
  const { project } = await site.service.tenant()
  const member = await site.account({ projects: [project] })
  const { page, context } = await site.open(member, `/projects/${project}/products/new`)
  await page.getByRole('textbox', { name: 'SKU' }).fill('MUG-11')
  await page.getByRole('textbox', { name: 'Name' }).fill('Mug of the requirement')
  const save = () =>
    page
      .getByRole('button', { name: /^(Save|Create)/ })
      .first()
      .click()
  const operator = await site.open(await site.account({ operator: true }), '/operator/users')
  await press(operator.page, 'Second factor rules')
  await dialog(operator.page).getByLabel('Managers').check()
  await press(operator.page, 'Save rules')
  await dialog(operator.page).waitFor({ state: 'hidden' })
  try {
    await save()
    const title = dialog(page).getByRole('heading', { name: 'Your role now requires a second factor' })
    await title.waitFor()
    await isAccessible(page)
    await press(page, 'Not now')
    const banner = page.getByRole('status').filter({ hasText: 'Your role now requires a second factor' })
    await banner.getByRole('button', { name: 'Set up a second factor' }).click()
    await title.waitFor()
    const opened = context.waitForEvent('page')
    await dialog(page).getByRole('link', { name: 'Set up in a new tab' }).click()
    const tab = await opened
    await tab.getByRole('heading', { name: 'Set up a second factor' }).waitFor()
    await setUpApp(tab, member)
    await press(tab, 'I stored the codes')
    await dialog(page).waitFor({ state: 'hidden' })
    expect(await banner.count()).toBe(0)
    await save()
    await page.getByRole('heading', { name: 'Mug of the requirement' }).waitFor()
  } finally {
    await requireSecondFactor(site.service.database, { name: 'tests' }, [])
  }
})

test('after an operator reset the second factor, the password signs in, and every page shows a notice until it is dismissed', async () => {
  const { project } = await site.service.tenant()
  const member = await site.account({ projects: [project] })
  const { page, context } = await site.signedIn(member)
  await addApp(context, site.url, member)
  const operator = await site.open(await site.account({ operator: true }), '/operator/users')
  await operator.page.getByRole('button', { name: `More actions for ${member.email}` }).click()
  await chooseItem(operator.page, 'Reset second factor')
  await dialog(operator.page).getByRole('button', { name: 'Reset second factor' }).click()
  await operator.page.getByText(`Second factor of ${member.email} reset.`).waitFor()

  await page.goto(`/projects/${project}/products`)
  await enterPassword(page, member)
  const notice = page.getByRole('status').filter({ hasText: 'An operator reset your second factor' })
  await notice.waitFor()
  expect(await seriousViolations(page)).toEqual([])
  await press(page, 'Notifications, 1 unread')
  await page
    .getByRole('dialog', { name: 'Notifications' })
    .getByText('Your second factor was reset')
    .waitFor()
  await page.keyboard.press('Escape')
  await notice.getByRole('link', { name: 'Set up a second factor' }).click()
  await page.getByRole('button', { name: 'Set up app' }).waitFor()
  await notice.getByRole('button', { name: 'Dismiss' }).click()
  await notice.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('button', { name: 'Set up app' }).waitFor()
  expect(await notice.count()).toBe(0)
})
