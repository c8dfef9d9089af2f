import { beforeAll, expect, test } from 'vitest'
import { linkUser } from '../../src/access/company-accounts/link-company.ts'
import type { Flags } from '../../src/config.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { startProvider, type TestProvider } from '../openid-provider.ts'
import { behindDialog, seriousViolations } from './axe.ts'
import { servedConsole } from './console.ts'
import { chooseItem } from './visitors.ts'

const flags: Flags = {}
let provider: TestProvider
beforeAll(async () => {
  provider = await startProvider()
  const { issuer, clientId, clientSecret } = provider
  Object.assign(flags, { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret })
})
const site = servedConsole({ isAlone: true, flags })

test('a company account signs in to the requested page, and over a page whose session ended, without losing its input', async () => {
  provider.allow(site.url)
  const { project } = await site.service.tenant()
  const { id = 0, email } = await site.account({ projects: [project] })
  provider.person = { sub: 'ada', email, email_verified: true }
  await linkUser(site.service.database, { name: 'tests' }, id, { issuer: provider.issuer, subject: 'ada' })
  const { page } = await site.visit()
  await page.goto(`/projects/${project}/products/new`)
  const company = page.getByRole('button', { name: 'Sign in with company account' })
  await company.waitFor()
  expect(await seriousViolations(page)).toEqual([])
  await company.click()
  await page.getByRole('textbox', { name: 'SKU' }).fill('MUG-7')
  await page.getByRole('textbox', { name: 'Name' }).fill('Mug of the company')
  await site.service.database.query(sql`delete from sessions where user_id = ${id}`)
  await page
    .getByRole('button', { name: /^(Save|Create)/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('heading', { name: 'Your session ended' }).waitFor()
  await company.waitFor()
  expect(await seriousViolations(page, behindDialog)).toEqual([])
  await company.click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('heading', { name: 'Mug of the company' }).waitFor()
})

test('a user links a company account to an existing account, signs in with it, and joins a project from an invitation', async () => {
  provider.allow(site.url)
  const [first, second] = [await site.service.tenant(), await site.service.tenant()]
  const member = await site.account({ projects: [first.project] })
  // The email at the provider differs: the link does not depend on it.
  provider.person = { sub: 'grace', email: 'grace@company.example', email_verified: true }
  const { page } = await site.open(member, '/account')
  await page.getByRole('button', { name: 'Link company account' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Then both ways to sign in work.').waitFor()
  expect(await seriousViolations(page, behindDialog)).toEqual([])
  await dialog.getByLabel('Current password').fill('not the password')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByText('is not your current password').waitFor()
  await dialog.getByLabel('Current password').fill(member.password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Company account linked.').waitFor()
  await page.getByText('Linked', { exact: true }).waitFor()
  expect(await seriousViolations(page)).toEqual([])
  await page.getByRole('button', { name: /Your account/ }).click()
  await chooseItem(page, 'Sign out')
  const company = page.getByRole('button', { name: 'Sign in with company account' })
  await company.click()
  await page.waitForURL(`**/projects/${first.project}`)
  await page.getByRole('button', { name: /Your account/ }).click()
  await chooseItem(page, 'Sign out')
  await company.waitFor()

  const manager = await site.signedIn(await site.account({ projects: [second.project] }))
  const invited = await manager.context.request.post(
    `/console/api/projects/${second.project}/members/invitations`,
    { data: { email: member.email, role: 'editor' }, headers: { origin: site.url } },
  )
  await page.goto((await invited.json()).link)
  await page.getByText('I have an account').click()
  await company.click()
  await page.getByRole('button', { name: `Join as ${member.email}` }).click()
  await page.waitForURL(`**/projects/${second.project}`)
})
