import { beforeAll, expect, test } from 'vitest'
import { linkUser } from '../../src/access/company-accounts/link-company.ts'
import type { Flags } from '../../src/config.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { startProvider, type TestProvider } from '../openid-provider.ts'
import { behindDialog, seriousViolations } from './axe.ts'
import { servedConsole } from './console.ts'

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
