import type { Page } from 'playwright-core'
import { sql } from '../../src/platform/database/sql.ts'
import type { Studio } from './studio.ts'

const markets = {
  de: { label: 'German', locale: 'de', requires: ['name', 'short_description'] },
  at: { label: 'Austria', locale: 'de-AT', falls_back_to: ['de'], requires: ['name', 'price'] },
  ch: { label: 'Switzerland', locale: 'de-CH', currency: 'CHF', falls_back_to: ['de'], requires: ['price'] },
}
const translated = {
  de: { name: 'Nachttischlampen, 32 cm', attributes: { brand: 'Mill & Market' } },
  at: { price: 129.9 },
  ch: { price: 139 },
}

/** Languages and markets. Taken after the product pages and the overview, which they change. */
export async function takeMarkets(studio: Studio, page: Page): Promise<void> {
  const { demo, take, idOf, url } = studio
  const project = `/projects/${demo.project}`
  const send = (method: string, path: string, data: object) =>
    page.request.fetch(`${url}/console/api${project}${path}`, { method, data, headers: { origin: url } })
  for (const [code, market] of Object.entries(markets)) await send('PUT', `/views/${code}`, market)
  const id = await idOf(sql<{ id: number }>`
    select id from products where project_id = ${demo.project} and sku = 'LIG-SET-0003'`)
  await send('PATCH', `/products/${id}`, { views: translated })
  await send('PATCH', `/products/${id}`, { name: 'Bedside Lamp Pair, 32 cm' })
  await page.goto(`${project}/settings/markets`)
  const checking = page.getByText(/^Checking products/)
  await page.getByRole('table').waitFor()
  while ((await checking.count()) > 0) await page.waitForTimeout(500)
  await take(page, 'markets', `${project}/settings/markets`)
  await take(page, 'market-product', `${project}/products/${id}?market=de`)
  await take(page, 'market-list', `${project}/products?market=ch&page_size=20`)
  await take(page, 'market-worklist', `${project}/markets/de/worklist?sku=LIG-SET-0003`)
}
