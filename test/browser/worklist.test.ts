import { expect, test } from 'vitest'
import { frame, seriousViolations } from './axe.ts'
import { servedConsole } from './console.ts'
import { follow } from './visitors.ts'

const site = servedConsole()
const long =
  'Turned by hand from grey clay, glazed twice, and safe in every dishwasher that we know of. It holds tea for two.'

test('the products that fail a rule are fixed, skipped and merged by keyboard until none is left', async () => {
  const { project, call } = await site.service.tenant()
  const texts = { short_description: 'A mug that is good for tea.', attributes: { a: 1, b: 2, c: 3 } }
  const lines = [1, 2, 3].map((place) => ({ sku: `MUG-${place}`, name: `Mug for tea ${place}`, ...texts }))
  await call('/v2/products/bulk', {
    method: 'POST',
    body: [...lines, { ...lines[0], sku: 'FINE', description: long }],
  })
  const ids = Object.fromEntries(
    (await call('/v2/products')).body.results.map(({ sku, id }: { sku: string; id: number }) => [sku, id]),
  )
  const { page, complaints } = await site.signedIn(await site.account({ projects: [project] }))
  const description = page.getByRole('textbox', { name: 'Description', exact: true })
  const shows = (sku: string) => page.getByRole('main').getByText(sku, { exact: true }).waitFor()

  await page.goto(`/projects/${project}`)
  await page.getByRole('link', { name: 'Fix one by one Description length' }).click()
  await page.getByRole('heading', { name: 'Description length', level: 1 }).waitFor()
  await page.getByText('The description should have at least 100 characters').waitFor()
  await page.getByText('3 left').waitFor()
  await shows('MUG-1')
  expect(await page.getByRole('textbox').count()).toBe(1)
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('field:description')
  expect(await seriousViolations(page, frame)).toEqual([])

  await page.keyboard.type('Too short.')
  await page.keyboard.press('ControlOrMeta+Enter')
  await page.getByText('Saved, but the product still fails the rule').waitFor()
  await description.fill(long)
  await page.keyboard.press('ControlOrMeta+Enter')
  await page.getByText('2 left').waitFor()
  await shows('MUG-2')
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('field:description')
  expect((await call(`/v2/products/${ids['MUG-1']}`)).body).toMatchObject({ version: 3, description: long })

  await page.keyboard.type('Not yet')
  await page.keyboard.press('ControlOrMeta+Shift+Enter')
  await page.getByRole('button', { name: 'Stay on this page' }).click()
  await description.fill('')
  await page.keyboard.press('ControlOrMeta+Shift+Enter')
  await page.getByText('1 left, 1 skipped').waitFor()
  await shows('MUG-3')
  expect(new URL(page.url()).search).toBe('?quality_rule=description_length&skipped=1')

  await description.fill(long)
  await call(`/v2/products/${ids['MUG-3']}`, { method: 'PATCH', body: { description: `${long} Theirs.` } })
  await page.keyboard.press('ControlOrMeta+Enter')
  await page.getByRole('dialog').getByText('Another user changed').waitFor()
  await page.getByRole('button', { name: 'Save as version 3' }).click()
  await page.getByText('You skipped 1 product').waitFor()
  expect((await call(`/v2/products/${ids['MUG-3']}`)).body).toMatchObject({ version: 3, description: long })

  await page.getByRole('link', { name: 'View the list' }).click()
  await page.getByText('1 product', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Fix one by one' }).click()
  await shows('MUG-2')
  await description.fill(long)
  await page.keyboard.press('ControlOrMeta+Enter')
  await page.getByText('All done').waitFor()
  await follow(page, `/projects/${project}/worklist?quality_rule=descripton_length`)
  await page.getByText('is not a rule of this project').waitFor()
  expect(complaints.filter((text) => !/40[04]|412/.test(text))).toEqual([])
})
