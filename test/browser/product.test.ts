import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { behindDialog, seriousViolations } from './axe.ts'
import { servedConsole } from './console.ts'
import { follow } from './visitors.ts'

const site = servedConsole()
const save = (page: Page) => page.keyboard.press('ControlOrMeta+s')

/** The page of an editor in a new project, and a function that calls its API. */
async function enter() {
  const { project, call } = await site.service.tenant()
  const send = async (method: string, path: string, body: unknown) => {
    const response = await call(`/v2${path}`, { method, body })
    expect(response.status, response.text).toBeLessThan(300)
    return response.body
  }
  const create = (sku: string, body: object = {}) =>
    send('POST', '/products', { sku, name: `Mug ${sku}`, status: 'active', ...body })
  const read = async (id: number) => (await call(`/v2/products/${id}`)).body
  const { page, complaints } = await site.signedIn(await site.account({ projects: [project] }))
  /** Loads the page, or navigates to it from another one. */
  const open = (path: string) => {
    const address = `/projects/${project}/products/${path}`
    return page.url().startsWith(site.url) ? follow(page, address) : page.goto(address)
  }
  return { project, send, create, read, page, complaints, open }
}

test('a product is saved with ⌘S, shows errors at their fields, is merged with the change of another user, and is restored', async () => {
  const { page, open, create, read, send, complaints } = await enter()
  const { id: prompt } = await send('POST', '/prompts', { name: 'Describe', prompt_text: 'About {{name}}' })
  const provenance = { prompt_id: prompt, version_number: '1.0.0' }
  const mug = await create('MUG-1', {
    price: 12.5,
    description: 'A mug for tea.',
    attributes: { color: 'blue', height_mm: 95 },
    categories: [{ name: 'Kitchen' }],
    provenance,
  })
  await open(`${mug.id}`)
  await page.getByRole('heading', { name: 'Mug MUG-1', level: 1 }).waitFor()
  await page.getByText('Written by Describe 1.0.0').first().waitFor()

  await page.getByLabel('Name').fill('Stoneware mug')
  await page.getByLabel('color', { exact: true }).fill('green')
  await page.getByRole('combobox', { name: 'Add an attribute' }).fill('glazed')
  await page.getByLabel('Attribute type').selectOption('Yes or no')
  await page.getByRole('button', { name: 'Add attribute' }).click()
  await page.getByLabel('glazed', { exact: true }).selectOption('Yes')
  await page.getByRole('combobox', { name: 'Add category' }).fill('Tableware > Mugs')
  await page.getByRole('option', { name: 'New category: Tableware › Mugs' }).click()
  await save(page)
  await page.getByRole('heading', { name: 'Stoneware mug', level: 1 }).waitFor()
  const saved = await read(mug.id)
  expect(saved).toMatchObject({ version: 2, price: 12.5, name: 'Stoneware mug' })
  expect(saved.attributes).toEqual({ color: 'green', height_mm: 95, glazed: true })
  expect(saved.categories.map(({ name }: { name: string }) => name)).toEqual(['Kitchen', 'Mugs'])
  expect(complaints).toEqual([])

  await page.getByLabel('height_mm', { exact: true }).fill('tall')
  await save(page)
  await page.getByText('Enter a number or remove the attribute.').waitFor()
  await page.getByLabel('height_mm', { exact: true }).fill('95')
  await page.getByLabel('Price').fill('-1')
  await page.getByRole('button', { name: 'Add URL' }).click()
  await page.getByLabel('URL of media item 1').fill('http://images.example/mug.jpg')
  await save(page)
  await page.getByText('This must be at least 0.').waitFor()
  await page.getByText(/https/).last().waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('field:price')
  await page.getByRole('button', { name: 'Remove media item 1' }).click()
  await page.getByLabel('Price').fill('14')
  await page.getByLabel('Name').fill('My mug')

  await page.getByRole('link', { name: 'Overview' }).click()
  await page.getByRole('dialog', { name: 'Discard your changes?' }).waitFor()
  await page.getByRole('button', { name: 'Stay on this page' }).click()
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Overview')
  expect(await page.getByLabel('Name').inputValue()).toBe('My mug')

  await send('PATCH', `/products/${mug.id}`, { name: 'Their mug', attributes: { color: 'red' } })
  await save(page)
  const conflict = page.getByRole('dialog', { name: 'Another user changed this product' })
  await conflict.getByText('Their mug').waitFor()
  expect(await conflict.getByText('red', { exact: true }).count()).toBe(0)
  expect(await seriousViolations(page, behindDialog)).toEqual([])
  await conflict.getByLabel('Use theirs').check()
  await conflict.getByRole('button', { name: 'Save as version 4' }).click()
  await page.getByText('Version 4, updated').waitFor()
  expect(await read(mug.id)).toMatchObject({ name: 'Their mug', price: 14, attributes: { color: 'red' } })

  await page.getByRole('tab', { name: 'History' }).click()
  const second = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Version 2' }) })
  await second.getByText('in the console').waitFor()
  await second.getByRole('button', { name: 'Restore this value color from version 1' }).click()
  await page.getByRole('button', { name: 'Restore color' }).click()
  await page.getByText('Version 5, updated').waitFor()
  expect(await read(mug.id)).toMatchObject({ name: 'Their mug', attributes: { color: 'blue' } })
  await page.getByRole('button', { name: 'Restore version 1', exact: true }).click()
  await page.getByRole('dialog').getByText('Mug MUG-1').waitFor()
  expect(await seriousViolations(page, behindDialog)).toEqual([])
  await page.getByRole('dialog').getByRole('button', { name: 'Restore version 1' }).click()
  await page.getByRole('heading', { name: 'Mug MUG-1', level: 1 }).waitFor()
  expect(await read(mug.id)).toMatchObject({ version: 6, price: 12.5, attributes: { color: 'blue' } })
})

test('a user moves through the list that they came from, adjusts stock, archives, and duplicates a product', async () => {
  const { page, project, open, create, read } = await enter()
  const mugs = [await create('M-1'), await create('M-2'), await create('M-3'), await create('M-4')]
  await create('OFF', { status: 'inactive' })
  const from = encodeURIComponent('status=active&ordering=-id&page_size=2&columns=sku')
  await open(`${mugs[3].id}?from=${from}`)
  await page.getByText('1 of 4').waitFor()
  expect(await page.getByRole('button', { name: 'Previous product' }).isDisabled()).toBe(true)
  for (const sku of ['M-3', 'M-2']) {
    await page.getByRole('button', { name: 'Next product' }).click()
    await page.getByRole('heading', { name: `Mug ${sku}`, level: 1 }).waitFor()
  }
  await page.getByText('3 of 4').waitFor()
  expect(await page.getByRole('link', { name: 'Back to products' }).getAttribute('href')).toBe(
    `/projects/${project}/products?status=active&ordering=-id&page_size=2&columns=sku&page=2`,
  )

  await page.getByRole('combobox', { name: 'SKU to add to Related products' }).fill('M-3')
  await page.getByRole('option', { name: 'M-3 Mug M-3' }).click()
  await page.getByRole('link', { name: 'M-3', exact: true }).waitFor()
  await page.getByRole('listitem').filter({ hasText: 'M-3' }).getByText('Mug M-3', { exact: true }).waitFor()
  await save(page)
  await page.getByText('Version 2, updated').waitFor()
  expect((await read(mugs[1].id)).links.related).toMatchObject([{ id: mugs[2].id, sku: 'M-3' }])

  await page.getByRole('button', { name: 'Adjust stock' }).click()
  await page.getByLabel('Change').fill('−3')
  await page.getByLabel('Reason').fill('Breakage')
  await page.getByRole('dialog').getByRole('button', { name: 'Adjust stock' }).click()
  await page.getByRole('alert').waitFor()
  expect(await seriousViolations(page, behindDialog)).toEqual([])
  await page.getByLabel('Change').fill('12')
  await page.getByRole('dialog').getByRole('button', { name: 'Adjust stock' }).click()
  await page.getByText('The quantity is now 12.').waitFor()
  await page.getByRole('button', { name: 'Archive' }).click()
  await page.getByText('Status changed to archived.').waitFor()
  expect(await read(mugs[1].id)).toMatchObject({ status: 'archived', inventory: { quantity: 12 } })

  await page.getByRole('link', { name: 'Duplicate' }).click()
  await page.getByRole('heading', { name: 'New product', level: 1 }).waitFor()
  expect(await page.getByLabel('Name').inputValue()).toBe('Mug M-2')
  await page.getByRole('textbox', { name: 'SKU', exact: true }).fill('M-1')
  await save(page)
  await page.getByText('The SKU "M-1" belongs to product').waitFor()
  await page.getByRole('textbox', { name: 'SKU', exact: true }).fill('M-5')
  await save(page)
  await page.getByRole('heading', { name: 'Mug M-2', level: 1 }).waitFor()
  await page.getByText('M-5 created.').waitFor()

  await open('999999999')
  await page.getByRole('heading', { name: 'Product not found', level: 1 }).waitFor()
  await page.getByRole('navigation', { name: 'Test' }).waitFor()
})

test('a name with a bidirectional control character is rejected at its field', async () => {
  const { page, open, create, read } = await enter()
  const { id } = await create('TURNED')
  await open(String(id))
  const name = page.getByRole('textbox', { name: 'Name' })
  await expect.poll(() => name.inputValue()).toBe('Mug TURNED')
  await name.fill('Mug \u202egnp.exe')
  await save(page)
  await page.locator('[id="field:name"][aria-invalid=true]').waitFor()
  expect(await page.getByText('Your changes were not saved').count()).toBe(0)
  expect((await read(id)).name).toBe('Mug TURNED')
})

test('a price is accepted in any notation, never guessed if ambiguous, and never truncated in the list', async () => {
  const { page, open, create, read, project } = await enter()
  const { id } = await create('PRICED', { price: 1.234, attributes: { weight: 1.5 } })
  await open(String(id))
  const price = page.getByLabel('Price')
  expect(await price.inputValue()).toBe('1.2340')
  await price.fill('1.234,50')
  await page.getByText('Reads as €1,234.50').waitFor()
  await page.getByLabel('weight', { exact: true }).fill('12,5')
  await page.getByText('Reads as 12.5').waitFor()
  await save(page)
  await expect.poll(() => read(id)).toMatchObject({ version: 2, price: 1234.5, attributes: { weight: 12.5 } })
  const account = await page.getByRole('button', { name: /Your account/ }).boundingBox()
  const toast = await page.getByText('Product saved.').last().boundingBox()
  expect((toast?.y ?? 0) + (toast?.height ?? 0)).toBeLessThan(account?.y ?? 0)
  await expect.poll(() => price.inputValue()).toBe('1234.5')
  await price.fill('1.234')
  await page.getByLabel('weight', { exact: true }).fill('2,750')
  await save(page)
  await page.getByText('1.234 can mean 1234 or 1.234. Enter 1234 or 1.2340.').waitFor()
  await page.getByText('2,750 can mean 2750 or 2.750.').waitFor()
  expect((await read(id)).version).toBe(2)
  await price.fill('99999999.9999')
  await page.getByLabel('weight', { exact: true }).fill('2750')
  await save(page)
  await expect.poll(async () => (await read(id)).price).toBe(99_999_999.9999)

  await follow(page, `/projects/${project}/products?search=PRICED`)
  await page.getByRole('cell', { name: '€99,999,999.9999' }).waitFor()
  expect(
    await page.evaluate(`[...document.querySelectorAll('td')].filter(({ textContent, scrollWidth, clientWidth, offsetHeight }) =>
    textContent.includes('9,999') && (scrollWidth > clientWidth || offsetHeight > 50)).length`),
  ).toBe(0)
  await page.getByRole('button', { name: 'Add filter' }).click()
  await page.getByLabel('Filter by').selectOption('Price')
  await page.getByLabel('At least').fill('1,000')
  await page.getByText('1,000 can mean 1000 or 1.000.').waitFor()
  expect(await page.getByRole('button', { name: 'Apply filter' }).isDisabled()).toBe(true)
  await page.getByLabel('At least').fill('1.000,00')
  await page.getByText('Reads as 1,000').waitFor()
  await page.getByRole('button', { name: 'Apply filter' }).click()
  await page.waitForURL(/price__gte=1000(&|$)/)
})
