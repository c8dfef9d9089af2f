import { expect, test } from 'vitest'
import { behindDialog, seriousViolations } from './axe.ts'
import { servedConsole } from './console.ts'

const site = servedConsole()
const first = 'Write about {{name}}.\nKeep it short.\nNo exclamation marks.'
const second = 'Write a title for {{name}}.\nKeep it short.\nName the color {{attributes.color}}.'

test('a prompt is found, its versions are compared, a new one is added after that of another user, labeled, tried with a product and judged by its outcomes', async () => {
  const { project, call } = await site.service.tenant({ name: 'Writer' })
  const send = async (path: string, body: unknown, method = 'POST') =>
    (await call(`/v2${path}`, { method, body })).body
  await send('/prompts', { name: 'Alt texts', prompt_text: 'Describe the picture of {{name}}' })
  const { id } = await send('/prompts', { name: 'Titles', description: 'For shop pages', prompt_text: first })
  await send(`/prompts/${id}/versions`, { prompt_text: second, message: 'Ask for the color' })
  await send(`/prompts/${id}/labels/production`, { version_number: '1.0.0' }, 'PUT')
  const mug = await send('/products', { sku: 'MUG-1', name: 'Mug', attributes: { color: 'sand' } })
  await send('/products', { sku: 'CUP-1', name: 'Cup' })
  const provenance = { prompt_id: id, version_number: '1.0.0' }
  await send(`/products/${mug.id}`, { name: 'Stoneware mug', provenance }, 'PATCH')

  const { page, complaints } = await site.signedIn(await site.account({ projects: [project] }))
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  await page.goto(`/projects/${project}/prompts`)
  await page.getByRole('row', { name: /Titles.*1\.1\.0.*production 1\.0\.0.*Writer/ }).waitFor()
  await page.getByRole('searchbox', { name: 'Search by name or description' }).fill('shop')
  await expect.poll(() => page.getByRole('link', { name: 'Alt texts' }).count()).toBe(0)
  expect(page.url()).toContain('search=shop')
  await page.getByRole('link', { name: 'Titles' }).click()
  await page.getByRole('heading', { name: 'Version 1.1.0' }).waitFor()
  await page.getByText('Ask for the color').first().waitFor()

  await page.getByRole('link', { name: 'Compare 1.0.0 with 1.1.0' }).click()
  const sides = page.getByRole('table', { name: /word by word/ })
  await sides.locator('del', { hasText: 'about' }).waitFor()
  await sides.locator('ins', { hasText: 'a title for' }).waitFor()
  await page.getByText('New variables:').waitFor()
  expect(page.url()).toContain('compare=1.0.0..1.1.0')
  await press('Swap versions')
  await sides.locator('del', { hasText: 'a title for' }).waitFor()
  await page.goBack()
  await sides.locator('ins', { hasText: 'a title for' }).waitFor()

  await press('New version')
  await page.locator('textarea:focus').waitFor()
  await page.getByRole('textbox', { name: 'Text' }).fill(`${second}\nBrand: {{brand}}`)
  await page.getByText('Products don’t have {{brand}}').waitFor()
  await page.getByRole('textbox', { name: 'Message' }).fill('Ask for the brand')
  await page.getByText('Major 2.0.0').click()
  await page.getByRole('link', { name: 'Back to prompts' }).click()
  await press('Stay on this page')
  await page.getByRole('tab', { name: 'Outcomes' }).click()
  await page.getByRole('cell', { name: '100% of the fields' }).waitFor()
  await send(`/prompts/${id}/versions`, { prompt_text: `${second}!`, message: 'Theirs' })
  await page.keyboard.press('Control+s')
  await page.getByRole('dialog').getByText('Another user added version 1.2.0').waitFor()
  await page.getByRole('dialog').locator('ins', { hasText: 'Brand' }).waitFor()
  expect(await seriousViolations(page, behindDialog)).toEqual([])
  await press('Add mine as 2.0.0')
  await page.getByText('Version 2.0.0 added.').waitFor()
  await page.getByRole('heading', { name: 'Version 2.0.0' }).waitFor()
  const { body: made } = await call(`/v2/prompts/${id}/versions/2.0.0`)
  expect(made).toMatchObject({
    message: 'Ask for the brand',
    variables: ['name', 'attributes.color', 'brand'],
  })

  await press('Set label…')
  await page.getByRole('combobox', { name: 'Label' }).fill('production')
  await page.getByText('moves from version 1.0.0 to version 2.0.0').waitFor()
  await press('Move production to 2.0.0')
  await page.getByText('production points to 2.0.0.').waitFor()
  await page.getByRole('tab', { name: 'Labels' }).click()
  await page.getByRole('row', { name: /production Moved from 1\.0\.0 to 2\.0\.0/ }).waitFor()
  await press('Remove… production')
  await press('Remove production')
  await page.getByRole('row', { name: /production Removed from 2\.0\.0/ }).waitFor()
  expect((await call(`/v2/prompts/${id}`)).body.labels).toEqual({})

  await page.getByRole('tab', { name: 'Test' }).click()
  await page.getByText('3 variables have no value').waitFor()
  await page.getByRole('combobox', { name: 'Product' }).fill('MUG')
  await page.locator('datalist option[value="MUG-1 · Stoneware mug"]').waitFor({ state: 'attached' })
  await page.getByRole('combobox', { name: 'Product' }).fill('MUG-1')
  await page.getByText('1 variable has no value').waitFor()
  expect(page.url()).toContain(`product=${mug.id}`)
  await page.getByRole('textbox', { name: 'brand' }).fill('Kiln & Co')
  await page.getByText(/Name the color sand\.\s+Brand: Kiln & Co/).waitFor()
  await press('Clear product')
  await page.getByText('2 variables have no value').waitFor()

  await page.getByRole('tab', { name: 'Outcomes' }).click()
  await page.getByRole('row', { name: /1\.0\.0 1 product/ }).waitFor()
  await page.getByRole('link', { name: 'Show products written by version 1.0.0' }).click()
  await page.getByRole('row', { name: /MUG-1/ }).waitFor()
  expect(page.url()).toContain(`written_by_prompt=${id}`)
  // The browser logs each error response: the version of the other user, and the missing value.
  expect(complaints.filter((one) => !/status of (409|422)/.test(one))).toEqual([])
})
