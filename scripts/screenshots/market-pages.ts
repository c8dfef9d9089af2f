import type { Page } from 'playwright-core'
import { sql } from '../../src/platform/database/sql.ts'
import type { Studio } from './studio.ts'

/** A plate whose name changed after its translation. */
const sku = 'KIT-TAB-0003'

/** Languages and markets. */
export async function takeMarkets({ demo, take, idOf }: Studio, page: Page): Promise<void> {
  const project = `/projects/${demo.project}`
  const id = await idOf(
    sql<{ id: number }>`select id from products where project_id = ${demo.project} and sku = ${sku}`,
  )
  await take(page, 'markets', `${project}/settings/markets`)
  await take(page, 'market-product', `${project}/products/${id}?market=fr`)
  await take(page, 'market-list', `${project}/products?market=ch&search=dinner+plate&page_size=20`)
  await take(page, 'market-worklist', `${project}/markets/fr/worklist?sku=KIT-TAB-0024`)
}
