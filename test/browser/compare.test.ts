import { beforeAll, expect, test } from 'vitest'
import { consoleUser } from '../console-user.ts'
import type { Tenant } from '../harness.ts'
import { frame, seriousViolations } from './axe.ts'
import { servedConsole } from './console.ts'
import { follow } from './visitors.ts'

const site = servedConsole()
let shop: Tenant
let ids: Record<string, number>

beforeAll(async () => {
  shop = await site.service.tenant()
  const lines = [
    {
      sku: 'LAMP-1',
      name: 'Brass table lamp',
      price: 49,
      status: 'active',
      description: 'A lamp for the desk.',
      categories: [{ name: 'Lamps' }],
      attributes: { color: 'brass', socket: 'E27' },
    },
    { sku: 'LAMP-2', name: 'Brass tabel lamp', price: 45, status: 'active', attributes: { color: 'gold' } },
    { sku: 'TEE', name: 'Tee', price: 20, product_type: 'configurable', variant_axes: ['size'] },
    { sku: 'TEE-S', name: 'Tee, small', parent: { sku: 'TEE' }, attributes: { size: 'S' } },
    { sku: 'MUG-1', name: 'Stoneware mug', price: 8 },
    { sku: 'MUG-2', name: 'Stoneware mug', price: 9 },
  ]
  await shop.call('/v2/products/bulk', { method: 'POST', body: lines })
  const { results } = (await shop.call('/v2/products')).body
  ids = Object.fromEntries(results.map(({ sku, id }: { sku: string; id: number }) => [sku, id]))
})

test('an editor finds duplicates, compares them, proposes the better values, and archives one', async () => {
  const { project } = shop
  const { page, complaints } = await site.signedIn(await site.account({ projects: [project] }))
  await page.goto(`/projects/${project}`)
  await page.getByRole('link', { name: 'Find duplicates' }).click()
  const groups = page.getByRole('main').getByRole('heading', { level: 2 })
  await expect.poll(() => groups.allTextContents()).toEqual(['Stoneware mug', 'Brass table lamp'])
  await page.getByLabel('Reason').selectOption('Similar name')
  await expect.poll(() => groups.allTextContents()).toEqual(['Brass table lamp'])
  expect(await seriousViolations(page, frame)).toEqual([])

  await page.getByRole('link', { name: 'Compare the products of Brass table lamp' }).click()
  await page.getByText('7 differences').waitFor()
  const cell = (field: string, place: number) =>
    page
      .getByRole('row', { name: new RegExp(`^${field}`) })
      .getByRole('cell')
      .nth(place)
  expect(await page.getByRole('rowheader', { name: 'Status' }).count()).toBe(1)
  await page.getByRole('checkbox', { name: 'Only differences' }).check()
  await expect.poll(() => page.getByRole('rowheader', { name: 'Status' }).count()).toBe(0)
  expect(await page.getByRole('button', { name: /SKU of/ }).count()).toBe(0)

  await page.getByRole('button', { name: 'Copy to the other Price of LAMP-2' }).click()
  await page.getByRole('button', { name: 'Copy to the other socket of LAMP-1' }).click()
  await page.getByRole('button', { name: 'Copy to the other Categories of LAMP-1' }).click()
  await page.getByRole('button', { name: 'Copy to the other color of LAMP-1' }).click()
  await page.getByRole('button', { name: 'Undo the change of color of LAMP-2' }).click()
  await expect.poll(() => cell('Price', 0).innerText()).toContain('Proposed')
  expect(await seriousViolations(page, frame)).toEqual([])
  await page.goBack()
  await page.getByRole('button', { name: 'Stay on this page' }).click()
  await page.keyboard.press('ControlOrMeta+S')
  await page.getByRole('heading', { name: 'Copied values: LAMP-1, LAMP-2' }).waitFor()
  const { results } = (await shop.call('/v2/proposals?ordering=-id')).body
  const lines = (await shop.call(`/v2/proposals/${results[0].id}/lines`)).body.results
  expect(
    lines.map(({ sku, changes }: { sku: string; changes: Record<string, { after: unknown }> }) => [
      sku,
      Object.entries(changes).map(([field, { after }]) => [field, after]),
    ]),
  ).toEqual([
    ['LAMP-1', [['price', 45]]],
    [
      'LAMP-2',
      [
        ['categories', [expect.objectContaining({ name: 'Lamps' })]],
        ['attributes.socket', 'E27'],
      ],
    ],
  ])

  await follow(page, `/projects/${project}/duplicates`)
  await page.getByRole('button', { name: 'Archive MUG-2' }).click()
  await page.getByText('MUG-2 is archived.').waitFor()
  await expect.poll(() => groups.allTextContents()).toEqual(['Brass table lamp'])
  expect((await shop.call(`/v2/products/${ids['MUG-2']}`)).body.status).toBe('archived')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => groups.allTextContents()).toEqual(['Stoneware mug', 'Brass table lamp'])
  expect(complaints).toEqual([])
})

test('a viewer compares selected products by keyboard, also on mobile, and sees inherited values', async () => {
  const { project } = shop
  const account = await consoleUser(site.service, { memberships: [{ project_id: project, role: 'viewer' }] })
  const { page, complaints } = await site.signedIn(account)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto(`/projects/${project}/products?ordering=sku`)
  await page.getByRole('checkbox', { name: 'Select TEE', exact: true }).check()
  expect(await page.getByRole('button', { name: 'Compare', exact: true }).count()).toBe(0)
  await page.getByRole('checkbox', { name: 'Select TEE-S' }).check()
  await page.getByRole('button', { name: 'Compare', exact: true }).waitFor()
  await page.keyboard.press('c')
  await page.getByRole('heading', { name: 'Compare products' }).waitFor()
  expect(new URL(page.url()).search).toBe(`?ids=${ids['TEE']},${ids['TEE-S']}`)
  const price = page.getByRole('row', { name: /^Price/ })
  await price.getByText('Inherited from parent').waitFor()
  expect(await page.getByRole('button', { name: /^Copy/ }).count()).toBe(0)

  await page.setViewportSize({ width: 390, height: 800 })
  const label = page.getByRole('rowheader', { name: 'Price' })
  const left = () => label.evaluate((element) => element.getBoundingClientRect().left)
  const before = await left()
  await page.locator('[data-scrolls]').focus()
  for (let press = 0; press < 5; press += 1) await page.keyboard.press('ArrowRight')
  await expect
    .poll(() => page.locator('[data-scrolls]').evaluate((frame) => frame.scrollLeft))
    .toBeGreaterThan(0)
  expect(await left()).toBe(before)
  expect(await seriousViolations(page, frame)).toEqual([])

  await follow(page, `/projects/${project}/compare?ids=${ids['TEE']},999999999`)
  await page.getByText('One of the products does not exist.').waitFor()
  await page.getByRole('link', { name: 'Open the product list' }).click()
  await page.getByRole('heading', { name: 'Products', level: 1 }).waitFor()
  expect(complaints.filter((text) => !/404/.test(text))).toEqual([])
})
