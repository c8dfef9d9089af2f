import { beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/database/sql.ts'
import type { Tenant } from '../harness.ts'
import { frame, seriousViolations } from './axe.ts'
import { servedConsole } from './console.ts'

const site = servedConsole()
let shop: Tenant

/** Seven lamps: two of today, one that was changed today, four that are older; six of them are low, one of those is sold out. */
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

test('what was done lately and what is low is told as bars, as a table and by name, and every number leads to its list', async () => {
  const { page, complaints } = await site.signedIn(await site.account({ projects: [shop.project] }))
  const lists = async (count: string) => {
    await page.getByRole('heading', { name: 'Products', level: 1 }).waitFor()
    await page.getByText(count, { exact: true }).waitFor()
    await page.goBack()
  }
  await page.goto(`/projects/${shop.project}`)
  await page.getByText('2 created, 1 changed in the last 30 days').waitFor()
  await page.getByText('Show as a table').click()
  const table = page.getByRole('table', { name: 'Products created and changed per day' })
  const today = table.getByRole('row').nth(1)
  expect(await today.getByRole('cell').allTextContents()).toEqual(['2', '1'])
  expect(await table.getByRole('row').count()).toBe(31)
  expect(await seriousViolations(page, frame)).toEqual([])

  await today.getByRole('link', { name: '2' }).click()
  await lists('2 products')
  await page.getByText('Show as a table').click()
  await today.getByRole('link', { name: '1' }).click()
  await page.getByText('LAMP-2').waitFor()
  await lists('1 product')

  const low = page.getByRole('list', { name: 'Products that are low in stock' })
  expect(await low.getByRole('listitem').count()).toBe(5)
  await page.getByRole('link', { name: /^Out of stock/ }).click()
  await lists('1 product')
  await page.getByRole('link', { name: 'See all that are low' }).click()
  await page.getByText('Low in stock').waitFor()
  await lists('6 products')
  await low.getByRole('link', { name: 'Lamp for the desk 0' }).click()
  await page.getByRole('heading', { name: 'Lamp for the desk 0', level: 1 }).waitFor()
  expect(complaints).toEqual([])
})
