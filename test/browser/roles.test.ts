import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { consoleUser } from '../console-user.ts'
import type { Tenant } from '../harness.ts'
import { seriousViolations } from './axe.ts'
import { servedConsole } from './console.ts'
import { follow, type Visitor } from './visitors.ts'

const site = servedConsole()
let shop: Tenant
let product: number
let proposal: number

beforeAll(async () => {
  shop = await site.service.tenant()
  const send = async (path: string, body: unknown) =>
    (await shop.call(path, { method: 'POST', body })).body.id
  product = await send('/v2/products', { sku: 'MUG-1', name: 'Stoneware mug', status: 'pending' })
  proposal = await send('/v2/proposals?title=Prices', [{ sku: 'MUG-1', price: 5 }])
  await send('/v2/attributes', { name: 'watt', type: 'number', unit: 'W' })
})

type Role = 'viewer' | 'editor'
let here: { role: Role; visitor: Visitor } | undefined

/** A page of the project as somebody of the role sees it, who stays from test to test. */
async function open(role: Role, path: string): Promise<Visitor> {
  const address = `/projects/${shop.project}${path}`
  if (here?.role === role) await follow(here.visitor.page, address)
  else {
    const memberships = [{ project_id: shop.project, role }]
    here = { role, visitor: await site.signedIn(await consoleUser(site.service, { memberships })) }
    await here.visitor.page.goto(address)
  }
  return here.visitor
}

const offered = (page: Page) => page.getByRole('main').getByRole('button').allTextContents()

test('viewers are offered what their role includes, and no more', async () => {
  const { page, complaints } = await open('viewer', `/products/${product}`)
  await page.getByRole('heading', { name: 'Stoneware mug', level: 1 }).waitFor()
  expect(await page.getByRole('textbox', { name: /^Name/ }).isDisabled()).toBe(true)
  expect(await offered(page)).not.toContain('Activate')
  expect(await page.getByRole('button', { name: 'Adjust' }).count()).toBe(0)
  expect(
    await page
      .getByLabel(/ add | an? (attribute|category)/i)
      .filter({ visible: true })
      .count(),
  ).toBe(0)
  expect(await seriousViolations(page)).toEqual([])
  await follow(page, `/projects/${shop.project}/proposals/${proposal}`)
  await page.getByText('A manager of the project looks at the lines').waitFor()
  await page.getByText('MUG-1').first().waitFor()
  expect(await offered(page)).toEqual([])
  await follow(page, `/projects/${shop.project}/products/new`)
  await page.getByRole('heading', { name: 'Nothing here' }).waitFor()
  await page.keyboard.press('ControlOrMeta+k')
  const options = page.getByRole('listbox').getByRole('option')
  await options.filter({ hasText: 'Prompts' }).waitFor()
  expect((await options.allTextContents()).filter((name) => /^New|^Import/.test(name))).toEqual([])
  expect(complaints).toEqual([])
})

test('a viewer reads how attributes are defined, and is offered no change of them', async () => {
  const { page } = await open('viewer', '/attributes')
  await page.getByRole('cell', { name: 'Number in W' }).waitFor()
  expect(await page.getByRole('button', { name: /Edit|Define|Delete/ }).count()).toBe(0)
})

test('editors are offered what their role includes, and no more', async () => {
  const { page, complaints } = await open('editor', `/proposals/${proposal}`)
  await page.getByRole('button', { name: 'Discard selected' }).waitFor()
  expect((await offered(page)).filter((name) => name.includes('Apply'))).toEqual([])
  expect(complaints).toEqual([])
})

test('who is no manager reads that webhooks are not theirs to keep', async () => {
  const { page, complaints } = await open('editor', '/settings/webhooks')
  await page.getByText('Only managers of this project keep webhooks').waitFor()
  expect(await page.getByRole('button', { name: 'New webhook' }).count()).toBe(0)
  expect(complaints).toEqual([])
})
