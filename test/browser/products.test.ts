import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Tenant } from '../harness.ts'
import { behindDialog, frame, seriousViolations } from './axe.ts'
import { servedConsole } from './console.ts'
import { focused, follow, type Visitor } from './visitors.ts'

const site = servedConsole()

/** A page of a project with 60 lamps, most expensive first. Every second one is red, and the last ten are archived. */
async function open(path: string): Promise<Visitor & { shop: Tenant }> {
  const shop = await site.service.tenant()
  const lamps = Array.from({ length: 60 }, (_, index) => ({
    sku: `LAMP-${String(index).padStart(2, '0')}`,
    name: `Lamp ${index}`,
    price: 100 - index,
    status: index < 50 ? 'active' : 'archived',
    attributes: { 'Shade Color': index % 2 === 0 ? 'red' : 'blue' },
    categories: [{ path: ['Living', index < 30 ? 'Desk lamps' : 'Floor lamps'] }],
  }))
  const chair = { sku: 'CHAIR', name: 'Chair', status: 'active', price: 50, attributes: { sale_price: 40 } }
  await shop.call('/v2/products/bulk', { method: 'POST', body: [...lamps, chair] })
  const member = await site.account({ projects: [shop.project] })
  return { shop, ...(await site.open(member, `/projects/${shop.project}${path}`)) }
}

const skus = (page: Page) => page.locator('tbody th').allTextContents()
const query = (page: Page) => decodeURIComponent(new URL(page.url()).search)
const status = (page: Page) => page.getByRole('main').getByRole('status').allTextContents()

async function addFilter(page: Page, kind: string, fill: () => Promise<unknown>): Promise<void> {
  await page.getByRole('button', { name: 'Add filter' }).click()
  await page.getByLabel('Filter by').selectOption(kind)
  await fill()
  await page.getByRole('button', { name: 'Apply filter' }).click()
}

test('the URL holds search, filters and order; Back from a product restores rows, scroll position and selection', async () => {
  const { page, complaints, shop } = await open('')
  const living = (await shop.call('/v2/categories?search=living')).body.results[0].id
  await page.getByRole('link', { name: '61 All products' }).click()
  await page.getByText('1–50 of 61').waitFor()
  await follow(page, `/projects/${shop.project}/products?page_size=20`)
  await page.getByText('1–20 of 61').waitFor()
  // The newest product is first, and it is on sale.
  await page
    .locator('tbody tr')
    .first()
    .getByText(/€50\.00 sale price €40\.00/)
    .waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('lamp')
  await page.getByText('60 products').waitFor()
  await addFilter(page, 'Status', () => page.getByLabel('Active', { exact: true }).check())
  await page.getByText('50 products').waitFor()
  await addFilter(page, 'Category', async () => {
    await page.getByRole('combobox', { name: 'Category' }).fill('living')
    await page.getByRole('option', { name: 'Living', exact: true }).click()
  })
  await addFilter(page, 'Attribute', async () => {
    await page.getByRole('combobox', { name: 'Attribute' }).fill('Shade Color')
    await page.getByLabel('Value').fill('red')
    expect(await seriousViolations(page, behindDialog)).toEqual([])
  })
  await page.getByText('25 products').waitFor()
  await page.getByRole('button', { name: 'Price' }).click()
  await expect.poll(async () => (await skus(page))[0]).toBe('LAMP-48')
  expect(query(page)).toBe(
    `?page_size=20&search=lamp&status=active&category__under=${living}&attributes[Shade+Color]=red&ordering=price`,
  )
  const chips = page.getByRole('list', { name: 'Filters' }).getByRole('listitem')
  expect(await chips.allTextContents()).toEqual(['Status: Active', 'Category: Living', 'Shade Color is red'])

  await page.getByRole('heading', { name: 'Products', level: 1 }).click()
  for (const key of ['j', 'j', 'x']) await page.keyboard.press(key)
  await page.getByText('1 selected').waitFor()
  for (let row = 0; row < 14; row += 1) await page.keyboard.press('j')
  const readPosition = async () => ({
    skus: await skus(page),
    scroll: await page.evaluate('scrollY'),
    query: query(page),
  })
  const before = await readPosition()
  expect(before.scroll).toBeGreaterThan(100)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/products\/\d+/)
  await page.goBack()
  await page.getByText('1 selected').waitFor()
  // The scroll position is restored shortly after the rows.
  await expect.poll(readPosition).toEqual(before)
  const row = before.skus[15] ?? ''
  await expect.poll(() => focused(page)).toBe(`A ${row}`)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Back to products' }).click()
  await expect.poll(() => focused(page)).toBe(`A ${row}`)
  const isInSight = 'document.activeElement.getBoundingClientRect().bottom < innerHeight'
  await expect.poll(() => page.evaluate(isInSight)).toBe(true)

  await page.getByRole('button', { name: 'Remove filter Shade Color is red' }).click()
  await page.getByText('50 products').waitFor()
  await page.getByRole('button', { name: 'Clear all' }).click()
  await page.getByText('61 products').waitFor()
  expect(query(page)).toBe('?page_size=20&ordering=price')
  await expect.poll(() => page.evaluate('document.activeElement.tagName')).not.toBe('BODY')
  expect(complaints).toEqual([])
})

test('an invalid URL shows its errors and how to fix them', async () => {
  const { page, shop } = await open(
    '/products?stauts=active&price__gte=cheap&__proto__=1&page_size=20&columns=sku,colour,attributes.constructor',
  )
  const list = `/projects/${shop.project}/products`
  const alert = page.getByRole('alert').filter({ hasText: 'Some filters in this link do not exist' })
  await alert.waitFor()
  expect(await alert.getByRole('listitem').allTextContents()).toEqual([
    expect.stringMatching(/^stauts .*status/),
    expect.stringMatching(/^price__gte must be a number/),
    expect.stringMatching(/^__proto__ is not a parameter/),
  ])
  await page.getByText('Some columns in this link do not exist').waitFor()
  expect(await seriousViolations(page, frame)).toEqual([])
  await page.getByRole('button', { name: 'Remove stauts from the link' }).click()
  await page.getByRole('button', { name: 'Remove price__gte from the link' }).click()
  await page.getByRole('button', { name: 'Remove __proto__ from the link' }).click()
  await page.getByText('61 products').waitFor()
  expect(await page.getByRole('table').textContent()).not.toContain('native code')
  await follow(page, `${list}?page=9&page_size=20`)
  await page.getByRole('button', { name: 'Go to the first page' }).click()
  await page.getByText('1–20 of 61').waitFor()
  await page.getByLabel('Page number, 1 to 4').fill('4')
  await page.keyboard.press('Enter')
  await page.getByText('61–61 of 61').waitFor()

  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByLabel('Add an attribute').fill('Shade Color')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Move Shade Color up' }).press('Enter')
  expect(await seriousViolations(page, behindDialog)).toEqual([])
  await page.getByRole('button', { name: 'Done' }).click()
  expect(query(page)).toContain('quality_score,attributes.Shade+Color,updated_at')
  await follow(page, `${list}?page_size=20`)
  await page.getByRole('columnheader', { name: 'Shade Color' }).waitFor()
})

test('all matching products are edited, not only the page; errors appear at their fields, and a proposal is created', async () => {
  const { page, context, shop } = await open('/products?status=active&search=lamp&page_size=20')
  await page.getByLabel('Select all rows on this page').check()
  await expect.poll(() => status(page)).toContain('20 selected')
  await page.getByRole('button', { name: 'Select all 50 matching products' }).click()
  await expect.poll(() => status(page)).toContain('All 50 matching products selected')
  await page.getByRole('button', { name: 'Export selection' }).click()
  const file = (await page.getByRole('menuitem', { name: 'NDJSON' }).getAttribute('href')) ?? ''
  expect((await (await context.request.get(file)).text()).trim().split('\n')).toHaveLength(50)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Edit…' }).click()
  await page.getByLabel('Field').selectOption('Price')
  await page.getByLabel('Operation').selectOption('Decrease by percent')
  await page.getByLabel('Percent').fill('150')
  await page.getByRole('button', { name: 'Propose changes to 50 products' }).click()
  await page.locator('input[aria-invalid=true]:focus').waitFor()
  expect(await seriousViolations(page, behindDialog)).toEqual([])
  await page.getByLabel('Operation').selectOption('Increase by percent')
  await page.getByLabel('Percent').fill('10')
  await page.getByLabel('Round to').selectOption('Ending in 0.95')
  await page.getByLabel('Direction').selectOption('Down')
  await page.getByText('For example, €19.90 becomes €20.95.').waitFor()
  await page.getByRole('button', { name: 'Add another change' }).click()
  const sale = page.getByRole('group', { name: 'Change 2' })
  await sale.getByLabel('Field').selectOption('Attribute')
  await sale.getByLabel('Attribute').fill('sale_price')
  await sale.getByLabel('Operation').selectOption('Set to a percentage of the price')
  await sale.getByLabel('Percent').fill('80')
  expect(await seriousViolations(page, behindDialog)).toEqual([])
  await page.getByRole('button', { name: 'Propose changes to 50 products' }).click()
  await page.waitForURL(/\/proposals\/\d+$/)
  const id = page.url().split('/').at(-1)
  const proposal = async () => (await shop.call(`/v2/proposals/${id}`)).body
  await expect.poll(async () => (await proposal()).state).toBe('open')
  expect(await proposal()).toMatchObject({
    title: 'Price: increase by percent 10; sale_price: set to a percentage of the price 80',
    summary: { total: 50, outcomes: { updated: 50 } },
  })
  const { results } = (await shop.call(`/v2/proposals/${id}/lines?page_size=1`)).body
  expect(results[0].changes).toEqual({
    price: { before: 100, after: 109.95 },
    'attributes.sale_price': { before: null, after: 87.96 },
  })
})

test('a search is sorted by relevance, offers similar spellings if it finds little, and says why rows match', async () => {
  const { page, complaints, shop } = await open('')
  const body = [
    { sku: 'A-1', name: 'Stoneware plates, set' },
    { sku: 'A-2', name: 'Plate' },
  ]
  await shop.call('/v2/products/bulk', { method: 'POST', body })
  const list = `/projects/${shop.project}/products`
  await follow(page, `${list}?page_size=20&search=plate`)
  await expect.poll(() => skus(page)).toEqual(['A-2', 'A-1'])
  await page.getByRole('button', { name: 'SKU' }).click()
  await expect.poll(() => skus(page)).toEqual(['A-1', 'A-2'])

  await page.getByRole('searchbox').fill('stonewrae plate')
  await page.getByText('No matching products').waitFor()
  expect(await seriousViolations(page, frame)).toEqual([])
  await page.getByRole('button', { name: 'Include similar spellings' }).click()
  await page.getByText('Similar: Stoneware').waitFor()
  expect(await skus(page)).toEqual(['A-1'])
  expect(query(page)).toBe('?page_size=20&search=stonewrae+plate&ordering=sku&match=close')
  await expect.poll(() => page.evaluate('document.activeElement.tagName')).not.toBe('BODY')
  expect(await seriousViolations(page, frame)).toEqual([])
  await page.getByRole('link', { name: 'A-1' }).click()
  await page.getByText('1 of 1').waitFor()
  await page.goBack()

  await page.getByRole('button', { name: 'Remove filter Similar spellings included' }).click()
  await page.getByText('No matching products').waitFor()
  await page.getByRole('button', { name: 'Include similar spellings' }).click()
  await page.getByText('Similar: Stoneware').waitFor()
  await page.getByRole('button', { name: 'Clear search' }).click()
  await page.getByText('63 products').waitFor()
  expect(query(page)).toBe('?page_size=20&ordering=sku')

  await page.setViewportSize({ width: 390, height: 800 })
  const name = await page.getByRole('cell', { name: 'Stoneware plates, set' }).boundingBox()
  expect(name?.x).toBeGreaterThan(0)
  expect((name?.x ?? 0) + (name?.width ?? 0)).toBeLessThan(390)
  await page.getByLabel('Sort by').selectOption('SKU, descending')
  await page.waitForURL(/ordering=-sku/)
  await page.getByLabel('Sort by').selectOption('SKU, ascending')
  await page.setViewportSize({ width: 1280, height: 720 })
  expect(complaints).toEqual([])
})
