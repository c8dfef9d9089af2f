import { expect, test } from 'vitest'
import { sql } from '../../src/platform/database/sql.ts'
import { frame, seriousViolations } from './axe.ts'
import { servedConsole } from './console.ts'
import { chooseItem, follow } from './visitors.ts'

const site = servedConsole()

test('a manager defines a language, translates products, confirms an outdated text, and erases the language', async () => {
  const { project, call } = await site.service.tenant()
  const send = async (method: string, path: string, body?: unknown) =>
    (await call(`/v2${path}`, { method, ...(body !== undefined && { body }) })).body
  const mug = await send('POST', '/products', { sku: 'MUG', name: 'Mug', price: 10, status: 'active' })
  const inGerman = (id: number) => send('GET', `/products/${id}?view=de`)
  const { page, complaints } = await site.signedIn(await site.account({ projects: [project] }))
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  const market = page.getByRole('combobox', { name: 'Language or market' })

  await page.goto(`/projects/${project}/products`)
  await page.getByRole('link', { name: 'MUG' }).waitFor()
  expect(await market.count()).toBe(0)
  expect(requests.filter((url) => url.includes(`/projects/${project}/views`))).toEqual([])

  await follow(page, `/projects/${project}/settings/markets`)
  await page.getByRole('button', { name: 'Add language or market' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('German')
  await dialog.getByLabel('Code').fill('De')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await dialog.getByText('Start with a lowercase letter').waitFor()
  await dialog.getByLabel('Code').fill('de')
  await dialog.getByLabel('Language tag').fill('de')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('German added.').waitFor()
  await send('PUT', '/views/ch', { label: 'Swiss', currency: 'CHF', falls_back_to: ['de'] })
  // The service checks older products only after other processes know the views.
  await site.service.database.query(
    sql`update scoring_jobs set is_marking = false where project_id = ${project}`,
  )
  const cup = await send('POST', '/products', { sku: 'CUP', name: 'Cup', attributes: { color: 'white' } })

  await follow(page, `/projects/${project}/products/${mug.id}`)
  await market.selectOption('German')
  await page.getByRole('button', { name: 'Translate Name' }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Becher')
  await page.keyboard.press('ControlOrMeta+S')
  await page.getByRole('heading', { name: 'Becher', level: 1 }).waitFor()
  expect(await inGerman(mug.id)).toMatchObject({ name: 'Becher', view: { from: { name: 'de' } } })
  expect(new URL(page.url()).search).toBe('?market=de')
  expect(await seriousViolations(page, frame)).toEqual([])

  await send('PATCH', `/products/${mug.id}`, { name: 'Stoneware mug' })
  await page.goto(`/projects/${project}/products?market=de&stale_in=de`)
  await page.getByText('1 outdated value').waitFor()
  await page.getByRole('link', { name: 'MUG' }).click()
  await page.getByRole('button', { name: 'Still right Name' }).click()
  await page.getByText('Name confirmed.').waitFor()
  expect((await inGerman(mug.id)).view.stale).toEqual([])

  await market.selectOption('Swiss')
  await page.getByText('No price in CHF').waitFor()
  await page.getByRole('button', { name: 'Edit here Price' }).click()
  await page.getByLabel('Price').fill('12')
  await send('PATCH', `/products/${mug.id}?view=ch`, { price: 15 })
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Another user changed this value to “15”').waitFor()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Product saved.').waitFor()
  expect(await send('GET', `/products/${mug.id}?view=ch`)).toMatchObject({
    price: 12,
    currency: 'CHF',
    name: 'Becher',
  })

  await page.getByRole('tab', { name: 'History' }).click()
  const change = page.getByRole('listitem').filter({ hasText: 'Current' })
  await change.getByText('12', { exact: true }).waitFor()
  await change.getByRole('button', { name: /^Restore this value Price \(Swiss\)/ }).waitFor()
  expect(await change.getByRole('button').count()).toBe(1)

  await follow(page, `/projects/${project}`)
  await page.getByText('1 of 2 complete').waitFor()
  await page.getByRole('link', { name: 'Fix one by one German' }).click()
  await page.getByText('1 left').waitFor()
  await page.getByText('Cup', { exact: true }).first().waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('field:name')
  await page.keyboard.type('Tasse')
  await page.keyboard.press('ControlOrMeta+Enter')
  await page.getByText('No product lacks a required value in German.').waitFor()
  expect((await inGerman(cup.id)).name).toBe('Tasse')

  await follow(page, `/projects/${project}/settings/markets`)
  for (const name of ['Swiss', 'German']) {
    await page.getByRole('button', { name: `More actions for ${name}` }).click()
    await chooseItem(page, 'Delete')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByLabel(/^Enter the code/).fill(name === 'German' ? 'de' : 'ch')
    await dialog.getByRole('button', { name: 'Erase values and delete' }).click()
    await page.getByText(`${name} deleted.`).waitFor()
  }
  await page.getByText('No languages or markets yet').waitFor()
  expect(
    await site.service.database.query(sql`
    select from products where project_id = ${project} and (views is not null or view_offers is not null)`),
  ).toEqual([])
  // The conflict.
  expect(complaints.filter((text) => !text.includes('412'))).toEqual(
    complaints.filter((text) => text.includes('409')),
  )
})

test('media shows the language that it comes from, and a text of an attribute with a comma can be confirmed', async () => {
  const { project, call } = await site.service.tenant()
  const send = async (method: string, path: string, body?: unknown) =>
    (await call(`/v2${path}`, { method, ...(body !== undefined && { body }) })).body
  await send('PUT', '/views/de', { label: 'German', locale: 'de' })
  await send('PUT', '/views/at', { label: 'Austria', locale: 'de-AT', falls_back_to: ['de'] })
  const views = {
    de: {
      media: [{ url: 'https://cdn.example/mug.jpg', alt: 'Becher' }],
      attributes: { 'size, cm': 'acht' },
    },
  }
  const attributes = { 'size, cm': 'eight' }
  const { id } = await send('POST', '/products', { sku: 'MUG', name: 'Mug', attributes, views })
  await send('PATCH', `/products/${id}`, { attributes: { 'size, cm': 'nine' } })
  const { page } = await site.signedIn(await site.account({ projects: [project] }))
  const media = page.locator('[id="field:media"] + *')
  await page.goto(`/projects/${project}/products/${id}?market=at`)
  await media.getByText('From German').waitFor()
  await page.getByRole('combobox', { name: 'Language or market' }).selectOption('German')
  await page.getByRole('button', { name: 'Still right size, cm' }).click()
  await page.getByText('size, cm confirmed.').waitFor()
  expect((await send('GET', `/products/${id}?view=de`)).view.stale).toEqual([])
})
