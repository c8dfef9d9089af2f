import { beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/platform/database/sql.ts'
import type { Tenant } from '../harness.ts'
import { frame, seriousViolations } from './axe.ts'
import { servedConsole } from './console.ts'

const site = servedConsole()
let shop: Tenant

/** Seven lamps: two created today, one changed today, four older. Six have low stock, and one of those is out of stock. */
beforeAll(async () => {
  shop = await site.service.tenant()
  const lamps = Array.from({ length: 7 }, (_, place) => ({
    sku: `LAMP-${place}`,
    name: `Lamp for the desk ${place}`,
    inventory: { quantity: place, low_stock_threshold: 5 },
  }))
  await shop.call('/v2/products/bulk', { method: 'POST', body: lamps })
  await site.service.database.query(sql`
    update products set created_at = now() - interval '40 days',
      updated_at = case sku when 'LAMP-2' then now() else now() - interval '40 days' end
    where project_id = ${shop.project} and sku > 'LAMP-1'`)
})

test('activity and low stock appear as bars, as a table and by name, and every number links to its list', async () => {
  const { page, complaints } = await site.signedIn(await site.account({ projects: [shop.project] }))
  const lists = async (count: string) => {
    await page.getByRole('heading', { name: 'Products', level: 1 }).waitFor()
    await page.getByText(count, { exact: true }).waitFor()
    await page.goBack()
  }
  await page.goto(`/projects/${shop.project}`)
  await page.getByText('2 created, 1 updated in the last 30 days').waitFor()
  await page.getByText('Show as table').click()
  const table = page.getByRole('table', { name: 'Products created and updated per day' })
  const today = table.getByRole('row').nth(1)
  expect(await today.getByRole('cell').allTextContents()).toEqual(['2', '1'])
  expect(await table.getByRole('row').count()).toBe(31)
  expect(await seriousViolations(page, frame)).toEqual([])

  await today.getByRole('link', { name: '2' }).click()
  await lists('2 products')
  await page.getByText('Show as table').click()
  await today.getByRole('link', { name: '1' }).click()
  await page.getByText('LAMP-2').waitFor()
  await lists('1 product')

  const low = page.getByRole('list', { name: 'Products with low stock' })
  expect(await low.getByRole('listitem').count()).toBe(5)
  await page.getByRole('link', { name: /^Out of stock/ }).click()
  await lists('1 product')
  await page.getByRole('link', { name: 'View all products with low stock' }).click()
  await page.getByText('Low stock').waitFor()
  await lists('6 products')
  await low.getByRole('link', { name: 'Lamp for the desk 0' }).click()
  await page.getByRole('heading', { name: 'Lamp for the desk 0', level: 1 }).waitFor()
  expect(complaints).toEqual([])
})

test('a day with far more changes does not flatten other days, and its bar shows the number', async () => {
  const busy = await site.service.tenant()
  const lines = Array.from({ length: 60 }, (_, place) => ({ sku: `BULK-${place}`, name: `Mug ${place}` }))
  await busy.call('/v2/products/bulk', { method: 'POST', body: lines })
  // Two products on each of ten days, forty today.
  await site.service.database.query(sql`
    update products set created_at = past.at, updated_at = past.at
    from (select id, now() - interval '1 day' * (1 + substr(sku, 6)::int % 10) as at from products
          where project_id = ${busy.project} and substr(sku, 6)::int < 20) as past
    where project_id = ${busy.project} and products.id = past.id`)
  const { page } = await site.signedIn(await site.account({ projects: [busy.project] }))
  await page.goto(`/projects/${busy.project}`)
  await page.getByText('60 created, 0 updated in the last 30 days').waitFor()
  const figure = page.getByRole('figure').filter({ hasText: '60 created' })
  expect(await figure.locator('[data-cut]').allTextContents()).toEqual(['40'])
  const [heights, label, bar] = (await page.evaluate(`(() => {
    const line = document.querySelector('[data-at=top]')
    const bars = [...line.parentElement.querySelectorAll('[data-series="0"]')]
    const text = document.createRange()
    text.selectNodeContents(line)
    return [
      bars.map(({ style }) => parseFloat(style.height)).filter(Boolean),
      text.getBoundingClientRect().right,
      bars[0].getBoundingClientRect().left,
    ]
  })()`)) as [number[], number, number]
  expect(heights).toEqual([...Array.from({ length: 10 }, () => 50), 100])
  // The numbers of the scale are next to the bars.
  expect(label).toBeLessThanOrEqual(bar)
})

test('first steps lead to a proposal, a worklist and a price increase, until the user hides them', async () => {
  const { project, call } = await site.service.tenant()
  const mug = { sku: 'MUG', name: 'Stoneware mug', price: 20, status: 'active' }
  await call('/v2/products/bulk', { method: 'POST', body: [mug] })
  const lines = [{ sku: 'MUG', name: 'Blue mug' }]
  const { body } = await call('/v2/proposals?title=Better%20names', { method: 'POST', body: lines })
  const { page, complaints } = await site.open(
    await site.account({ projects: [project] }),
    `/projects/${project}`,
  )
  const review = page.getByRole('link', { name: 'Review the proposal' })
  await page.getByText('“Better names” waits for a decision.').waitFor()
  expect(await review.getAttribute('href')).toBe(`/projects/${project}/proposals/${body.id}`)
  await page.getByRole('listitem').getByRole('link', { name: 'Fix one by one' }).first().click()
  await page.getByRole('heading', { name: /Stoneware mug/ }).waitFor()
  await page.goBack()
  await page.getByRole('button', { name: 'Raise prices…' }).click()
  const { promise: isClosed, resolve: load } = Promise.withResolvers<void>()
  await page.route(
    (url) => url.pathname.includes('/proposals/') || url.pathname.endsWith('.js'),
    (route) =>
      route.request().method() === 'POST' ? route.continue() : isClosed.then(() => route.continue()),
  )
  await page.getByRole('button', { name: 'Propose changes to 1 product' }).click()
  await page.waitForURL(/\/proposals\/\d+$/)
  // The dialog closes before the proposal is loaded.
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  load()
  await page.getByText('20.95').waitFor()
  await page.goBack()
  await page.getByRole('button', { name: 'Hide these suggestions' }).click()
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content')
  await page.reload()
  await page.getByText('Latest changes').waitFor()
  expect(await review.count()).toBe(0)
  expect(complaints).toEqual([])
})
