import type { Page } from 'playwright-core'
import { requireSecondFactor } from '../../src/access/second-factors/manage-second-factor.ts'
import { addAuthenticator, shownSecret, totpNow } from '../../test/browser/second-factors.ts'
import type { Members } from './sample-members.ts'
import type { Studio } from './studio.ts'

/** Sign-in, and what protects it. The second service offers company accounts. */
export async function takeSignIn(studio: Studio, members: Members, companyUrl: string): Promise<void> {
  const { take } = studio
  const visitor = await studio.visit()
  await take(visitor, 'sign-in', '/sign-in')
  await take(visitor, 'sign-in-company', `${companyUrl}/sign-in?ended=true`)
  await takeSecondFactor(studio, members.editor)
  await takeSetUp(studio, members.viewer)
}

type Account = Members['editor']
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** Of an account that adds an authenticator app and a passkey. */
async function takeSecondFactor({ take, save, visit, url }: Studio, account: Account): Promise<void> {
  const page = await visit()
  // Browsers allow passkeys on localhost, but not on 127.0.0.1.
  const local = url.replace('127.0.0.1', 'localhost')
  await addAuthenticator(page)
  await page.goto(`${local}/sign-in`)
  await enterPassword(page, account)
  await page.waitForURL((address) => address.pathname !== '/sign-in')
  await page.goto(`${local}/account`)
  await press(page, 'Set up app')
  await page.getByRole('dialog').getByLabel('Current password').fill(account.password)
  await press(page, 'Continue')
  await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
  await save(page, 'second-factor-app', false)
  await page.getByLabel('Code that the app shows').fill(await totpNow(await shownSecret(page), -1))
  await press(page, 'Confirm code')
  await page.getByRole('heading', { name: 'Recovery codes' }).waitFor()
  await save(page, 'recovery-codes', false)
  await press(page, 'I stored the codes')
  await press(page, 'Add passkey')
  await page.getByRole('dialog').getByLabel('Name').fill('Work laptop')
  await page.getByRole('dialog').getByLabel('Current password').fill(account.password)
  await save(page, 'passkey-new', false)
  await press(page, 'Create passkey')
  await page.getByText('Work laptop', { exact: true }).first().waitFor()
  await take(page, 'account-protected', `${local}/account`)
  const another = await visit()
  await another.goto('/sign-in')
  await enterPassword(another, account)
  await another.getByLabel('Code', { exact: true }).waitFor()
  await save(another, 'sign-in-code', false)
}

/** Of an account whose role requires a second factor. */
async function takeSetUp({ take, visit, database }: Studio, account: Account): Promise<void> {
  const page = await visit(account)
  await requireSecondFactor(database, { name: 'demo' }, ['viewer'])
  await take(page, 'second-factor-required', '/')
  await requireSecondFactor(database, { name: 'demo' }, [])
}

async function enterPassword(page: Page, { email, password }: Account): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await press(page, 'Sign in')
}
