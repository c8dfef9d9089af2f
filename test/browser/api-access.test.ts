import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { createProject } from '../../src/access/projects/manage-project.ts'
import { behindDialog, seriousViolations } from './axe.ts'
import { servedConsole } from './console.ts'
import { focused } from './visitors.ts'

const run = promisify(execFile)
const site = servedConsole({ isAlone: true })

async function addProject(name: string, plan: string): Promise<number> {
  return (await createProject(site.service.database, { name: 'tester' }, { name, plan })).id
}

/** The API access page of a project, opened by a manager. */
async function openAccess(project: number) {
  const member = await site.account({ projects: [project] })
  return { member, ...(await site.open(member, `/projects/${project}/settings/api-access`)) }
}

const status = (token: string) =>
  fetch(`${site.url}/v2/products`, { headers: { authorization: `Bearer ${token}` } }).then(
    (response) => response.status,
  )

async function readSecret(page: Page): Promise<string> {
  const secret = await page.getByRole('dialog').getByLabel('Token', { exact: true }).textContent()
  await page.getByRole('button', { name: 'I have stored it' }).click()
  return secret ?? ''
}

test('a member requests access, the operator approves it, and the token is shown once, works, is rotated and is revoked', {
  timeout: 120_000,
}, async () => {
  const name = 'Corner Shop'
  const { page, complaints, member } = await openAccess(await addProject(name, 'free'))
  const admin = await site.signedIn(await site.account({ operator: true }))
  await page.getByText('API access is off').waitFor()
  expect(await page.getByText('GET', { exact: true }).count()).toBeGreaterThan(5)
  await page.getByRole('button', { name: 'Send request' }).click()
  await page.getByText('Describe what you want to use the API for.').waitFor()
  expect(await page.getByLabel('Email').inputValue()).toBe(member.email)
  await page.getByLabel('What do you want to use the API for?').fill('Our web shop')
  await page.getByRole('button', { name: 'Send request' }).click()
  await page.getByRole('heading', { name: 'The operator is reviewing your request' }).waitFor()
  await expect.poll(() => focused(page)).toMatch(/^MAIN#content/)

  await admin.page.goto('/operator/access-requests')
  await admin.page.getByRole('button', { name: `Decline ${name}` }).click()
  expect(await seriousViolations(admin.page, behindDialog)).toEqual([])
  await admin.page.getByLabel('Reason').fill('Say which shop.')
  await admin.page.getByRole('button', { name: 'Decline request' }).click()
  await admin.page.getByText('No open requests').waitFor()

  await page.reload()
  await page.getByText('Say which shop.').waitFor()
  await page.getByRole('button', { name: 'Send a new request' }).click()
  await page.getByLabel('What do you want to use the API for?').fill('The shop at the corner')
  await page.getByRole('button', { name: 'Send request' }).click()
  await page.getByRole('heading', { name: 'The operator is reviewing your request' }).waitFor()

  await admin.page.reload()
  await admin.page.getByRole('button', { name: `Approve ${name}` }).click()
  await admin.page.getByRole('dialog').getByRole('button', { name: 'Approve request' }).click()
  await admin.page.getByText(`${name} now has API access.`).waitFor()
  await admin.page.getByText('No open requests').waitFor()
  await expect.poll(() => focused(admin.page)).toMatch(/^SECTION .*No open requests/)

  await page.reload()
  await page.getByRole('button', { name: /^Show token/ }).click()
  await page.getByRole('button', { name: 'I have stored it' }).waitFor()
  // All tokens are shown in the same dialog.
  expect(await seriousViolations(page, behindDialog)).toEqual([])
  const token = await readSecret(page)
  expect(token).toMatch(/^cat_/)
  expect(await page.content()).not.toContain(token)
  expect(await page.getByRole('button', { name: /^Show token/ }).count()).toBe(0)
  expect(await status(token)).toBe(200)
  await runSnippets(page, token)

  await admin.page.getByRole('link', { name: 'Projects' }).click()
  await admin.page.getByRole('main').getByRole('link', { name }).click()
  await admin.page.getByRole('button', { name: /^Rotate/ }).click()
  await admin.page.getByLabel('Keep the old token valid for').selectOption('1 hour')
  await admin.page.getByRole('button', { name: 'Rotate token' }).click()
  const rotated = await readSecret(admin.page)
  expect([await status(token), await status(rotated)]).toEqual([200, 200])
  await admin.page.getByText('Replaced', { exact: true }).waitFor()
  expect(await admin.page.getByRole('button', { name: /^Rotate/ }).count()).toBe(1)

  await admin.page
    .getByRole('button', { name: /^Revoke/ })
    .first()
    .click()
  await admin.page.getByRole('button', { name: 'Revoke token' }).click()
  await admin.page.getByText('Revoked', { exact: true }).waitFor()
  await admin.page.getByRole('button', { name: /^Revoke/ }).click()
  await admin.page.getByRole('button', { name: 'Revoke token' }).click()
  await expect.poll(() => admin.page.getByRole('button', { name: /^Revoke/ }).count()).toBe(0)
  expect(await admin.page.getByText('in 59 minutes').count()).toBe(0)
  expect([await status(token), await status(rotated)]).toEqual([401, 401])

  await admin.page.getByRole('link', { name: 'Audit trail' }).click()
  await admin.page
    .getByText(/^Revoked token/)
    .first()
    .waitFor()
  expect([...complaints, ...admin.complaints]).toEqual([])
})

/** The quick start examples run unchanged. */
async function runSnippets(page: Page, token: string): Promise<void> {
  const seen: Record<string, string> = {}
  for (const language of ['curl', 'TypeScript', 'Python']) {
    await page.getByRole('tab', { name: language }).click()
    seen[language] = (await page.getByRole('region', { name: `${language} example` }).textContent()) ?? ''
  }
  // test/client/samples.test.ts runs the samples of the other languages.
  const env = { ...process.env, CATALOG_TOKEN: token }
  const { stdout } = await run('sh', ['-c', `${seen['curl']} --silent`], { env })
  expect(JSON.parse(stdout)).toMatchObject({ count: 0 })
  expect(seen['TypeScript']).toContain(`new Catalog({ url: '${site.url}', token`)
  expect(seen['TypeScript']).toContain(`npm install ${site.url}/client/catalog-client-`)
  expect(seen['Python']).toContain(`"${site.url}/v2/products?`)
}

test('a manager creates a token if the operator allows it, calls the API with it, and revokes it', async () => {
  const { page, complaints } = await openAccess(await addProject('Own keys', 'enterprise'))
  await page.getByRole('button', { name: 'New token' }).click()
  await page.getByLabel('Name').fill('Web shop')
  await page.getByRole('button', { name: 'Create token' }).click()
  const token = await readSecret(page)
  expect(await status(token)).toBe(200)
  await page.getByRole('button', { name: 'Revoke Web shop' }).click()
  await page.getByRole('button', { name: 'Revoke token' }).click()
  await page.getByText('“Web shop” revoked.').waitFor()
  await page.getByText('Revoked', { exact: true }).waitFor()
  await expect.poll(() => focused(page)).toMatch(/^TR Web shop/)
  expect(await status(token)).toBe(401)
  expect(complaints).toEqual([])
})
