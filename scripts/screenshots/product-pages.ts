import type { Page } from 'playwright-core'
import { sql } from '../../src/platform/database/sql.ts'
import type { Studio } from './studio.ts'

/** The overview, the product list, products, and the worklists. */
export async function takeProducts(studio: Studio, member: Page): Promise<void> {
  const { demo, take } = studio
  await take(member, 'overview', `/projects/${demo.project}`)
  await takeList(studio, member, `/projects/${demo.project}/products`)
  await takePalette(studio, member, `/projects/${demo.project}/products`)
  await takeProduct(studio, member, `/projects/${demo.project}/products`)
  const work = `/projects/${demo.project}/worklist`
  await take(member, 'worklist', `${work}?quality_rule=description_length`)
  await take(member, 'worklist-attributes', `${work}?quality_rule=attribute_count`)
  await take(member, 'worklist-rules', work)
  await take(member, 'worklist-done', `${work}?quality_rule=name_case&sku=none`)
  await take(member, 'duplicates', `/projects/${demo.project}/duplicates`)
  const compared = await idsOf(studio, 'LIG-BUL-0029', 'LIG-BUL-0004')
  await take(member, 'compare', `/projects/${demo.project}/compare?ids=${compared}`)
}

async function takeList({ take }: Studio, page: Page, products: string): Promise<void> {
  await take(page, 'products', `${products}?status=active&attributes__color__isnull=false&page_size=20`)
  await take(page, 'products-sheet', `${products}?status=active&edit=1&page_size=20`, async () => {
    await page.getByRole('gridcell').first().waitFor()
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', '9', ',', '9', 'Enter', '?', 'Enter'])
      await page.keyboard.press(key)
    await page.getByText('2 unsaved changes').waitFor()
  })
  await take(page, 'products-views', `${products}?status=active&in_stock=false`, async () => {
    await page.getByRole('button', { name: 'View: Sold out' }).click()
    await page.getByRole('dialog').waitFor()
    await page.waitForLoadState('networkidle')
  })
  await take(page, 'products-edit', `${products}?search=lamp`, async () => {
    await page.getByLabel('Select all rows on this page').check()
    await page.getByRole('button', { name: 'Edit…' }).click()
    await page.getByRole('dialog').waitFor()
  })
}

async function takePalette({ take }: Studio, page: Page, products: string): Promise<void> {
  await take(page, 'palette', products, async () => {
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('combobox', { name: 'Jump to' }).fill('lamp')
    await page.getByText('7 results').waitFor()
  })
  await take(page, 'palette-open', products, async () => {
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('listbox').waitFor()
  })
  await take(page, 'keys', products, async () => {
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
  })
}

async function takeProduct({ demo, take, idOf }: Studio, page: Page, products: string): Promise<void> {
  const product = await idOf(sql<{ id: number }>`
    select id from products where project_id = ${demo.project} and product_type = 'configurable' order by id limit 1`)
  const changed = await idOf(sql<{ id: number }>`
    select id from products where project_id = ${demo.project} order by version desc, id limit 1`)
  await take(page, 'product', `${products}/${product}?from=product_type%3Dconfigurable`)
  await take(page, 'product-matrix', `${products}/${product}`, async () => {
    await page.getByRole('button', { name: 'Edit variants' }).click()
    const cell = page.getByRole('gridcell').first()
    await cell.waitFor()
    await cell.scrollIntoViewIfNeeded()
  })
  await take(page, 'product-history', `${products}/${changed}?view=history`)
  await take(page, 'product-new', `${products}/new?duplicate=${product}`)
}

async function idsOf({ database, demo }: Studio, ...skus: string[]): Promise<string> {
  const rows = await database.query(
    sql<{ id: number }>`
      select id from products where project_id = ${demo.project} and sku = any(${skus}::text[]) order by id`,
  )
  return rows.map(({ id }) => id).join(',')
}
