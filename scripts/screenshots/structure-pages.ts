import type { Page } from 'playwright-core'
import { sql } from '../../src/platform/database/sql.ts'
import type { Studio } from './studio.ts'

/** Categories, media, attributes and quality rules. */
export async function takeStructure(studio: Studio, page: Page): Promise<void> {
  const { demo, take, idOf } = studio
  const root = await idOf(sql<{ id: number }>`
    select id from categories where project_id = ${demo.project} and parent_id is null order by id limit 1`)
  await take(page, 'categories', `/projects/${demo.project}/categories?category=${root}`, async () => {
    await page.getByRole('tree').focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowRight')
    await page.getByRole('treeitem', { level: 2 }).first().waitFor()
  })
  await takeMedia(studio, page, `/projects/${demo.project}/media`)
  await takeAttributes(studio, page, `/projects/${demo.project}/attributes`)
}

async function takeMedia({ take }: Studio, page: Page, path: string): Promise<void> {
  await take(page, 'media', path)
  await take(page, 'media-file', path, async () => {
    await page
      .getByRole('button', { name: /^Image,/ })
      .first()
      .click()
    await page.getByRole('dialog').waitFor()
    await page.waitForLoadState('networkidle')
  })
}

async function takeAttributes({ take }: Studio, page: Page, path: string): Promise<void> {
  await take(page, 'attributes', path)
  await take(page, 'attributes-enforce', path, async () => {
    await page.getByRole('button', { name: 'Edit brand' }).click()
    await page.getByLabel('Mode').selectOption('enforce')
    await page.getByRole('button', { name: 'Check products' }).click()
    await page.getByRole('dialog').getByRole('status').scrollIntoViewIfNeeded()
  })
  await take(page, 'quality-rules', `${path}?tab=rules`, async () => {
    await page.getByRole('button', { name: 'Edit description_length' }).click()
    await page.getByLabel('At least').fill('300')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('table', { name: 'Grades before and after' }).scrollIntoViewIfNeeded()
  })
}
