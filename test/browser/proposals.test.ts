import { expect, test } from 'vitest'
import { behindDialog, seriousViolations } from './axe.ts'
import { servedConsole } from './console.ts'

const site = servedConsole()

test('a user reviews and applies a proposal, overwrites its conflict, and reverts it', async () => {
  const { project, call } = await site.service.tenant()
  const send = async (path: string, body: unknown, method = 'POST') =>
    (await call(`/v2${path}`, { method, body })).body
  const shown = async (sku: string) => (await call(`/v2/products/by-sku/${sku}`)).body
  const made = [
    { sku: 'MUG-1', name: 'Mug', price: 10, description: 'A heavy mug of grey stoneware.' },
    { sku: 'MUG-2', name: 'Cup', price: 12 },
    { sku: 'MUG-3', name: 'Bowl', price: 14 },
  ]
  for (const product of made) await send('/products', product)
  const { id } = await send('/proposals?title=Autumn%20texts', [
    {
      sku: 'MUG-1',
      description: 'A heavy mug of sand stoneware.',
      categories: [{ name: 'Mugs' }],
      attributes: { color: 'sand' },
    },
    { sku: 'MUG-2', price: 13 },
    { sku: 'MUG-3', price: 15 },
    { sku: 'MUG-4', name: 'Plate', price: 9 },
    { sku: 'MUG-5', name: 'Jug', price: -1 },
  ])

  const { page, complaints } = await site.signedIn(await site.account({ projects: [project] }))
  await page.goto(`/projects/${project}/proposals?state=open`)
  await page.getByRole('navigation').getByRole('link', { name: 'Proposals 1 open' }).waitFor()
  const one = `**/console/api/**/proposals/${id}`
  const summary = { total: 10_000, prepared: 1_200, outcomes: {}, states: {} }
  const preparing = { ...(await call(`/v2/proposals/${id}`)).body, state: 'preparing', summary }
  await page.route(one, (route) => route.fulfill({ json: preparing }))
  await page.getByRole('link', { name: 'Autumn texts' }).click()
  await page.getByText('Preparing 1,200 of 10,000').waitFor()
  await page.unroute(one)
  const line = (sku: string) =>
    page.getByRole('listitem').filter({ has: page.getByText(sku, { exact: true }) })
  const mug = line('MUG-1')
  await mug.locator('del', { hasText: 'grey' }).waitFor()
  await mug.locator('ins', { hasText: 'sand' }).first().waitFor()
  await mug.locator('ins', { hasText: 'Mugs' }).waitFor()
  await line('MUG-5').getByText('Must be').waitFor()
  await page.getByRole('link', { name: 'New products 1' }).click()
  await expect.poll(() => line('MUG-1').count()).toBe(0)
  await page.goBack()
  await mug.waitFor()

  const { id: bowl } = await shown('MUG-3')
  await send(`/products/${bowl}`, { price: 20 }, 'PATCH')
  await page.getByRole('button', { name: 'Apply', exact: true }).click()
  await page.getByText('3 products change, and 1 product is created.').waitFor()
  expect(await seriousViolations(page, behindDialog)).toEqual([])
  await page.getByRole('button', { name: 'Apply 4 lines' }).click()
  await page.getByText('Applied 3 of 4').waitFor()
  await page.getByText('Partly applied').waitFor()
  expect((await shown('MUG-4')).name).toBe('Plate')
  expect((await shown('MUG-3')).price).toBe(20)

  await page.getByRole('link', { name: 'Show conflicts' }).click()
  await line('MUG-3').getByText('Current', { exact: true }).waitFor()
  await line('MUG-3').getByText('€20.00').waitFor()
  await line('MUG-3')
    .getByText(/^by .+, just now$/)
    .waitFor()
  // The focused line must not disappear.
  await expect.poll(() => line('MUG-1').count()).toBe(0)
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.getByText('1 selected').waitFor()
  await page.getByRole('button', { name: 'Overwrite with proposed values' }).click()
  await page.getByRole('dialog').getByText('20.00').waitFor()
  await page.getByRole('button', { name: 'Overwrite 1 product', exact: true }).click()
  await page.getByText('Applied 1 of 1').waitFor()
  expect((await shown('MUG-3')).price).toBe(15)
  expect((await call(`/v2/proposals/${id}`)).body.state).toBe('applied')

  const { id: cup } = await shown('MUG-2')
  await send(`/products/${cup}`, { price: 30 }, 'PATCH')
  await page.getByRole('button', { name: 'Undo all 4 changes' }).click()
  await page.getByText('3 of 4 changes undone. 1 change could not be undone').waitFor()
  expect(await shown('MUG-1')).toMatchObject({ description: made[0]?.description, categories: [] })
  expect([(await shown('MUG-2')).price, (await shown('MUG-3')).price]).toEqual([30, 20])
  expect((await shown('MUG-4')).status).toBe('archived')
  await expect.poll(() => page.evaluate('document.activeElement === document.body')).toBe(false)

  await page.getByText('Partly undone', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Show changes that were not undone' }).click()
  await page.getByRole('heading', { name: 'Revert: Autumn texts', level: 1 }).waitFor()
  await line('MUG-2').getByText('30.00').waitFor()
  await page.getByRole('button', { name: 'Revert…' }).click()
  await page.getByText('then apply them to undo the changes').waitFor()
  await line('MUG-4').locator('del', { hasText: 'archived' }).waitFor()
  await page.getByRole('button', { name: 'Discard', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard proposal' }).click()
  await page.getByText('This proposal was discarded and can no longer be applied.').waitFor()
  expect(complaints).toEqual([])
})

test('a reverted proposal shows its state, links to the revert and back, and offers no revert', async () => {
  const { project, call } = await site.service.tenant()
  await call('/v2/products', { method: 'POST', body: { sku: 'MUG-1', name: 'Mug', price: 10 } })
  const lines = [{ sku: 'MUG-1', price: 12 }]
  const { id } = (await call('/v2/proposals?title=Prices', { method: 'POST', body: lines })).body
  await call(`/v2/proposals/${id}/apply`, { method: 'POST' })
  const { page } = await site.signedIn(await site.account({ projects: [project] }))
  await page.goto(`/projects/${project}/proposals/${id}`)
  await page.getByRole('button', { name: 'Revert…' }).click()
  await page.getByRole('heading', { name: 'Revert: Prices', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Apply', exact: true }).click()
  await page.getByRole('button', { name: 'Apply 1 line' }).click()
  await page.getByText('Applied 1 of 1').waitFor()
  const { body } = await call(`/v2/proposals/${id}`)
  await page.getByRole('link', { name: `Proposal ${id}` }).click()
  await page.getByRole('heading', { name: 'Prices', exact: true, level: 1 }).waitFor()
  await page.getByText('All changes were undone.').waitFor()
  await page.getByText('Undone', { exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Revert…' }).count()).toBe(0)
  await page.getByRole('link', { name: `Proposal ${body.reverted_by.id}` }).click()
  await page.getByRole('heading', { name: 'Revert: Prices', level: 1 }).waitFor()
  await page.goto(`/projects/${project}/proposals`)
  await page
    .getByRole('row', { name: /^Prices/ })
    .getByText('Undone')
    .waitFor()
})
