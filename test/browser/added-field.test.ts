import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { expect, inject, onTestFinished, test } from 'vitest'
import { createUser } from '../../src/access/users/manage-user.ts'
import { serveAddedField } from '../added-field/serve-added-field.ts'
import { knownPassword, openSession } from '../console-user.ts'
import { temporaryFolder } from '../setup/temporary-folder.ts'
import { noChromium } from './chromium.ts'
import { openContext, sessionCookie } from './console.ts'
import { follow } from './visitors.ts'

const buildProgram = join(import.meta.dirname, '../added-field/build-console.ts')

/** In a separate process, because the workers of the tests run without the compiler that optimizes. */
async function buildWithField(): Promise<string> {
  const folder = temporaryFolder()
  const { NODE_ENV: _, ...env } = process.env
  await promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', buildProgram, folder],
    {
      env,
    },
  )
  return folder
}

/** A signed-in page of the console in the folder, with a service that has the field. */
async function openConsole(folder: string): Promise<{ page: Page; at: string; call: Call }> {
  const { url, database, openShop } = await serveAddedField()
  const { project, call } = await openShop()
  const context = await openContext(url)
  onTestFinished(() => context.close())
  const memberships = [{ project_id: project, role: 'manager' as const }]
  const user = { email: 'member@example.com', name: 'A member', operator: false, memberships }
  const { id } = await createUser(database, { name: 'tester' }, user, await knownPassword())
  await context.addCookies([sessionCookie(await openSession(database, id), url)])
  await context.route('**/*', async (route) => {
    const { pathname } = new URL(route.request().url())
    if (pathname.startsWith('/console/')) return route.continue()
    const isFile = extname(pathname) !== '' && existsSync(join(folder, pathname))
    await route.fulfill({ path: join(folder, isFile ? pathname : 'index.html') })
  })
  return { page: await context.newPage(), at: `/projects/${project}`, call }
}
type Call = Awaited<ReturnType<Awaited<ReturnType<typeof serveAddedField>>['openShop']>>['call']

/** Drops a file onto the page. */
async function dropFile(page: Page, text: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(`{
    const transfer = new DataTransfer()
    transfer.items.add(new File([${JSON.stringify(text)}], 'makers.csv'))
    transfer
  }`)
  const place = page.getByText('Drop a file here')
  await place.waitFor()
  for (const type of ['dragenter', 'dragover', 'drop']) await place.dispatchEvent(type, { dataTransfer })
}

test('a field that is added to the field table appears in forms, history, columns, edits, rules and import targets', async ({
  skip,
}) => {
  skip(inject('chromium') === undefined, noChromium)
  const { page, at, call } = await openConsole(await buildWithField())
  const { id } = await call('POST', '/products', { sku: 'A-1', name: 'A', maker: 'Acme' })

  await page.goto(`${at}/products/${id}`)
  const maker = page.getByLabel('Maker')
  expect(await maker.inputValue()).toBe('Acme')
  await maker.fill('Bolt')
  await page.getByText('Unsaved: Maker').waitFor()
  await page.keyboard.press('ControlOrMeta+s')
  await expect.poll(async () => (await call('GET', `/products/${id}`)).maker).toBe('Bolt')
  await page.getByRole('tab', { name: 'History' }).click()
  await page.getByRole('heading', { name: 'Maker' }).waitFor()

  await follow(page, `${at}/products?columns=sku,maker`)
  await page.getByRole('columnheader', { name: 'Maker' }).waitFor()
  await page.getByRole('cell', { name: 'Bolt' }).waitFor()
  await page.getByLabel('Select all rows on this page').check()
  await page.getByRole('button', { name: 'Edit…' }).click()
  await page.getByLabel('Field').selectOption('Maker')
  await page.getByLabel('Operation').selectOption('Add at the end')

  await follow(page, `${at}/attributes?tab=rules`)
  await page.getByRole('button', { name: 'New rule' }).click()
  await page.getByLabel('Field', { exact: true }).selectOption('Maker')

  await follow(page, `${at}/import`)
  await dropFile(page, 'sku,Maker\nA-1,Cog\n')
  const becomes = page.getByLabel('Field for “Maker”')
  await becomes.waitFor()
  expect(await becomes.inputValue()).toBe('maker')
})
