import type { Page } from 'playwright-core'
import { sql } from '../../src/platform/database/sql.ts'
import type { Studio } from './studio.ts'

export async function takePrompts({ demo, take, idOf }: Studio, page: Page): Promise<void> {
  const prompts = `/projects/${demo.project}/prompts`
  const writer = await idOf(sql<{ id: number }>`
    select id from prompts where project_id = ${demo.project} order by id limit 1`)
  const product = await idOf(sql<{ id: number }>`
    select id from products where project_id = ${demo.project} and product_type = 'configurable' order by id limit 1`)
  const prompt = `${prompts}/${writer}`
  await take(page, 'prompts', prompts)
  await take(page, 'prompt', prompt)
  await take(page, 'prompt-compare', `${prompt}?compare=1.8.0..1.9.0`)
  await take(page, 'prompt-try', `${prompt}?view=try&product=${product}`)
  await take(page, 'prompt-outcomes', `${prompt}?view=outcomes`)
  await take(page, 'prompt-labels', `${prompt}?view=labels`)
  await take(page, 'prompt-new', `${prompts}/new`)
  await take(page, 'prompts-empty', `/projects/${demo.locked_project}/prompts`)
  await take(page, 'prompt-edit', `${prompt}?view=edit`, async () => {
    const text = page.getByRole('textbox', { name: 'Text' })
    await text.fill((await text.inputValue()).replace('60', '70'))
    await page.getByText('Changes since').waitFor()
  })
  await take(page, 'prompt-label', prompt, async () => {
    await page.getByRole('button', { name: 'Set label…' }).click()
    await page.getByRole('combobox', { name: 'Label' }).fill('production')
    await page.getByText('moves from version').waitFor()
  })
}
