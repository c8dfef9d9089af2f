import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { consoleUser } from '../console-user.ts'
import { seriousViolations } from './axe.ts'
import { servedConsole } from './console.ts'
import { follow } from './visitors.ts'

const site = servedConsole()

type Role = 'viewer' | 'editor'

/** A project with a product, a proposal, an attribute, and a member with the role. */
async function enter(role: Role) {
  const { project, call } = await site.service.tenant()
  const send = async (path: string, body: unknown) => (await call(path, { method: 'POST', body })).body.id
  await send('/v2/attributes', {
    name: 'watt',
    type: 'number',
    unit: 'W',
    label: 'Power',
    group: 'Technical',
  })
  await send('/v2/products', { sku: 'SAUCER-1', name: 'Saucer' })
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, place) => [`note_${place}`, 'Of clay']))
  const product = await send('/v2/products', {
    ...{ sku: 'MUG-1', name: 'Stoneware mug', status: 'pending', price: 12.5, description: 'Holds tea.' },
    ...{ attributes: { watt: 7.5, ...many }, categories: [{ path: ['Home', 'Mugs'] }] },
    ...{ links: { related: [{ sku: 'SAUCER-1' }] }, inventory: { quantity: 1_200 } },
  })
  const proposal = await send('/v2/proposals?title=Prices', [{ sku: 'MUG-1', price: 5 }])
  const user = await consoleUser(site.service, { memberships: [{ project_id: project, role }] })
  return { project, product, proposal, ...(await site.signedIn(user)) }
}

const offered = (page: Page) => page.getByRole('main').getByRole('button').allTextContents()

test('viewers see only the actions of their role', async () => {
  const { page, complaints, project, product, proposal } = await enter('viewer')
  await page.goto(`/projects/${project}/products/${product}`)
  await page.getByRole('heading', { name: 'Stoneware mug', level: 1 }).waitFor()
  const main = page.getByRole('main')
  await main.getByRole('link', { name: 'SAUCER-1' }).waitFor()
  await main.getByRole('list', { name: 'Technical' }).getByText('7.5 W').waitFor()
  for (const text of ['Holds tea.', 'Mugs', '1,200', 'Saucer', 'Power'])
    await main.getByText(text, { exact: true }).first().waitFor()
  expect(await main.getByText(/12\.50/).count()).toBe(1)
  // The only control of the page finds one of many attributes.
  expect(await main.locator('input, textarea, select, button:not([role=tab])').count()).toBe(1)
  await page.getByRole('textbox', { name: 'Find one of 31 attributes' }).fill('watt')
  expect(await main.getByText('Of clay').count()).toBe(0)
  await page.getByRole('textbox', { name: 'Find one of 31 attributes' }).fill('')
  expect(await seriousViolations(page)).toEqual([])
  await follow(page, `/projects/${project}/proposals/${proposal}`)
  await page.getByText('A manager of this project reviews and applies the lines').waitFor()
  await page.getByText('MUG-1').first().waitFor()
  expect(await offered(page)).toEqual([])
  await follow(page, `/projects/${project}/products/new`)
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await page.keyboard.press('ControlOrMeta+k')
  const options = page.getByRole('listbox').getByRole('option')
  await options.filter({ hasText: 'Prompts' }).waitFor()
  expect((await options.allTextContents()).filter((name) => /^New|^Import/.test(name))).toEqual([])
  expect(complaints).toEqual([])
})

test('viewers can read attribute definitions but not change them', async () => {
  const { page, project } = await enter('viewer')
  await page.goto(`/projects/${project}/attributes`)
  await page.getByRole('cell', { name: 'Number in W' }).waitFor()
  expect(await page.getByRole('button', { name: /Edit|Define|Delete/ }).count()).toBe(0)
})

test('editors see only the actions of their role', async () => {
  const { page, complaints, project, proposal } = await enter('editor')
  await page.goto(`/projects/${project}/proposals/${proposal}`)
  await page.getByRole('button', { name: 'Discard selected' }).waitFor()
  expect((await offered(page)).filter((name) => name.includes('Apply'))).toEqual([])
  expect(complaints).toEqual([])
})

test('members who are not managers see that they cannot manage webhooks', async () => {
  const { page, complaints, project } = await enter('editor')
  await page.goto(`/projects/${project}/settings/webhooks`)
  await page.getByText('Only managers of this project can manage webhooks').waitFor()
  expect(await page.getByRole('button', { name: 'New webhook' }).count()).toBe(0)
  expect(complaints).toEqual([])
})
