import type { BrowserContext, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { sql } from '../../src/platform/database/sql.ts'
import { consoleUser } from '../console-user.ts'
import { scaled } from '../faults/scale.ts'
import type { Tenant } from '../harness.ts'
import { seriousViolations } from './axe.ts'
import { servedConsole } from './console.ts'
import { follow } from './visitors.ts'

const site = servedConsole()
const columns = ['sku', 'name', 'price', 'status', 'inventory', 'short_description', 'attributes.color']
const chosen = `ordering=sku&columns=${columns.join()}`

/** The list of a project with 60 mugs, in edit mode. */
async function openSheet(more = '') {
  const shop = await site.service.tenant({ plan: 'enterprise' })
  const define = (body: unknown) => shop.call('/v2/attributes', { method: 'POST', body })
  await define({ name: 'color', type: 'choice', allowed: ['oat', 'sand'], mode: 'enforce' })
  await define({ name: 'code', type: 'text', pattern: '[A-Z]+', mode: 'enforce' })
  await define({ name: 'tags', type: 'text', multiple: true })
  await define({ name: 'since', type: 'date' })
  const mugs = Array.from({ length: 60 }, (_, index) => ({
    sku: `MUG-${String(index).padStart(2, '0')}`,
    name: `Mug ${index}`,
    price: index + 1,
    status: 'pending',
    inventory: { tracked: true, quantity: 10 },
  }))
  await shop.call('/v2/products/bulk', { method: 'POST', body: mugs })
  const account = await site.account({ projects: [shop.project] })
  const address = `/projects/${shop.project}/products?${chosen}&edit=1${more}`
  const visitor = await site.open(account, address)
  await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await cell(visitor.page, 'MUG-00').waitFor()
  await expect.poll(() => active(visitor.page)).toBe('MUG-00')
  return { shop, account, address, ...visitor }
}

const cell = (page: Page, text: string) => page.getByRole('gridcell', { name: text, exact: true })
const active = (page: Page): Promise<string> => page.evaluate('document.activeElement.textContent')
const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}
const said = (page: Page, text: string | RegExp) => page.getByRole('status').getByText(text).waitFor()
const productBySku = async (shop: Tenant, sku: string) =>
  (await shop.call(`/v2/products?sku=${sku}&expand=detail`)).body.results[0]

async function paste(page: Page, context: BrowserContext, text: string) {
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
  await press(page, 'ControlOrMeta+v')
  return context
}

test('a pasted block of 50 × 6 cells becomes one proposal whose lines equal the block, with errors in their cells', async () => {
  const { shop, page, context, complaints } = await openSheet()
  const rows = Array.from({ length: 50 }, (_, index) => [
    `Cup "${index}"`,
    `${index + 100},50 €`,
    'Active',
    String(index + 20),
    `Line 1\nLine ${index}`,
    index % 2 === 0 ? 'oat' : 'sand',
  ])
  const block = rows.map((row) => [...row])
  ;(block[3] as string[])[1] = 'expensive'
  ;(block[4] as string[])[5] = 'pink'
  const quoted = (text: string) => (/["\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const tsv = block.map((row) => row.map(quoted).join('\t')).join('\r\n')
  await press(page, 'ArrowRight')
  await paste(page, context, `${tsv}\r\n`)
  await said(page, 'Pasted 300 cells. 2 cells with errors.')
  await page.getByText('300 unsaved changes').waitFor()

  // Only visible rows are rendered, and the grid is one tab stop.
  const grid = page.getByRole('grid')
  expect(await grid.getAttribute('aria-rowcount')).toBe('51')
  expect(await grid.getByRole('row').count()).toBeLessThan(40)
  expect(await grid.locator('[tabindex="0"]').count()).toBe(1)

  // Undo and redo cover the whole block.
  await press(page, 'ControlOrMeta+z')
  await expect.poll(() => page.getByText('unsaved changes').count()).toBe(0)
  await press(page, 'ControlOrMeta+Shift+z')
  await page.getByText('300 unsaved changes').waitFor()

  // The copied block is what a spreadsheet would paste.
  await press(page, 'ControlOrMeta+c')
  const copied: string = await page.evaluate('navigator.clipboard.readText()')
  expect(copied.split('\t').slice(0, 5)).toEqual([
    '"Cup ""0"""',
    '100,50 €',
    'Active',
    '20',
    '"Line 1\nLine 0"',
  ])

  const invalid = page.getByRole('gridcell').and(page.locator('[aria-invalid=true]'))
  expect(await invalid.evaluateAll((cells) => cells.map((one) => one.textContent))).toEqual([
    'expensiveEnter a number.',
    'pinkChoose one of oat, sand.',
  ])
  for (const colorScheme of scaled(['dark'] as const, ['light', 'dark'] as const)) {
    await page.emulateMedia({ colorScheme })
    expect(await seriousViolations(page)).toEqual([])
  }
  await page.getByRole('button', { name: 'Propose 298 changes' }).click()
  await page.getByText('2 cells with errors stayed here').waitFor()
  expect(await invalid.count()).toBe(2)
  await page.getByRole('button', { name: 'Open the proposal' }).click()
  await page.waitForURL(/\/proposals\/\d+/)
  const id = page.url().match(/\d+$/)?.[0]
  const { body } = await shop.call(`/v2/proposals/${id}/lines?page_size=100`)
  const after = body.results.map(({ changes }: { changes: Record<string, { after: unknown }> }) =>
    Object.fromEntries(Object.entries(changes).map(([field, change]) => [field, change.after])),
  )
  const wanted = rows.map(([name, , , stock, text, color], index) => ({
    name,
    ...(index !== 3 && { price: index + 100.5 }),
    status: 'active',
    'inventory.quantity': Number(stock),
    short_description: text,
    ...(index !== 4 && { 'attributes.color': color }),
  }))
  expect(after).toEqual(wanted)
  expect((await productBySku(shop, 'MUG-00')).name).toBe('Mug 0')
  expect((await shop.call('/v2/proposals')).body.count).toBe(1)
  expect(complaints).toEqual([])
})

test('edits of a few cells are saved; rejected cells and conflicts stay, and nothing typed is lost', async () => {
  const { shop, account, page, complaints } = await openSheet('&page_size=20')
  page.on('dialog', (dialog) => void dialog.accept())
  // Typing starts an edit; Tab and Enter commit it and move on.
  await press(page, 'ArrowRight')
  await page.keyboard.type('Fir')
  await press(page, 'Enter', 'ArrowUp', 'F2')
  await page.keyboard.type('st')
  await press(page, 'Tab')
  expect(await active(page)).toMatch(/1\.00/)
  await page.keyboard.type('12,5')
  await press(page, 'Enter')
  expect(await active(page)).toMatch(/2\.00/)
  // A choice by typing, a cancelled edit, and a stock level.
  await press(page, 'ArrowRight')
  await page.keyboard.type('act')
  await press(page, 'Enter', 'F2', 'ArrowDown', 'Escape', 'ArrowRight', 'ArrowUp', 'ArrowUp')
  await page.keyboard.type('25')
  await press(page, 'Enter')
  await page.getByText('4 unsaved changes').waitFor()
  // Fill down repeats the first row of the selection.
  await press(
    page,
    'Home',
    'ArrowUp',
    'ArrowRight',
    'ArrowRight',
    'Shift+ArrowDown',
    'Shift+ArrowDown',
    'ControlOrMeta+d',
  )
  await said(page, 'Filled 2 cells.')

  // A reload keeps the edits and the text of an open editor, and so does another page of the list.
  await cell(page, 'MUG-05').click()
  await press(page, 'ArrowRight')
  await page.keyboard.type('Sixth')
  await page.reload()
  await page.getByText('Restored 7 unsaved changes').waitFor()
  await page.getByRole('button', { name: 'Next' }).click()
  await cell(page, 'MUG-20').waitFor()
  await page.getByText('4 products on other pages').waitFor()
  await page.getByRole('button', { name: 'Previous' }).click()
  await cell(page, 'MUG-00').waitFor()
  await page.getByRole('link', { name: 'Categories' }).click()
  await page
    .getByRole('dialog', { name: 'Discard your changes?' })
    .getByRole('button', { name: 'Stay on this page' })
    .click()

  // Someone else changes one of the values, and another field.
  const mug = await productBySku(shop, 'MUG-01')
  const change = (body: unknown) => shop.call(`/v2/products/${mug.id}`, { method: 'PATCH', body })
  await change({ price: 77, short_description: 'Theirs' })
  await press(page, 'ControlOrMeta+s')
  await said(page, 'Saved 6 changes. 1 cell changed by someone else.')
  const saved = await productBySku(shop, 'MUG-00')
  expect([saved.name, saved.price, saved.inventory.quantity]).toEqual(['First', 12.5, 25])
  expect((await productBySku(shop, 'MUG-01')).status).toBe('active')
  const conflict = page.locator('[data-conflict]')
  expect(await conflict.textContent()).toBe('Mine: €12.50Theirs: €77.00')
  await conflict.click()
  await page.getByText('Someone else changed this to €77.00.').waitFor()
  await page.getByRole('button', { name: 'Keep mine' }).click()
  // Offline, the edit stays until the connection is back.
  const complained = complaints.length
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Save 1 change' }).click()
  await page.getByRole('alert').first().waitFor()
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Save 1 change' }).click()
  await expect.poll(async () => (await productBySku(shop, 'MUG-01')).price).toBe(12.5)
  complaints.splice(complained)

  // The service rejects one of two cells of a row. The other one is saved, also after the session has ended.
  await follow(
    page,
    `/projects/${shop.project}/products?${chosen},attributes.tags,attributes.since,attributes.code&edit=1`,
  )
  await cell(page, 'MUG-02').click()
  await press(page, 'ArrowRight')
  await page.keyboard.type('Third')
  await press(page, 'Enter', 'ArrowUp', 'End')
  await page.keyboard.type('lower')
  // Several values as tags, and a date by its parts.
  await press(page, 'Enter', 'ArrowUp', 'ArrowLeft', 'ArrowLeft')
  await page.keyboard.type('one')
  await press(page, 'Enter')
  await page.keyboard.type('two')
  await press(page, 'Tab')
  expect(await active(page)).toBe('')
  await page.keyboard.type('01312026')
  await site.service.database.query(sql`delete from sessions where user_id = ${account.id ?? 0}`)
  await press(page, 'Enter', 'ControlOrMeta+s')
  await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByRole('dialog').getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('gridcell', { name: /lower.*pattern/ }).waitFor()
  const third = await productBySku(shop, 'MUG-02')
  expect([third.name, third.attributes]).toEqual(['Third', { tags: ['one', 'two'], since: '2026-01-31' }])
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click()
  await page.getByRole('table').waitFor()
  await page.keyboard.press('i')
  await cell(page, 'MUG-02').waitFor()
  expect(await page.getByText('unsaved change').count()).toBe(0)
  expect(complaints.filter((text) => !/40[19]|412|422/.test(text))).toEqual([])
})

test('viewers have no edit mode, and no column of the list is cut off in a narrow window', async () => {
  const { project, call } = await site.service.tenant()
  const parent = { sku: 'CUP', name: 'Cup', product_type: 'configurable', variant_axes: ['size'] }
  const variant = (size: string, price: number) => ({
    sku: `CUP-${size}`,
    name: `Cup ${size}`,
    price,
    parent: { sku: 'CUP' },
    attributes: { size },
  })
  await call('/v2/products/bulk', { method: 'POST', body: [parent, variant('S', 39), variant('L', 59)] })
  const user = await consoleUser(site.service, { memberships: [{ project_id: project, role: 'viewer' }] })
  const { page } = await site.signedIn(user)
  await page.setViewportSize({ width: 1024, height: 800 })
  await page.goto(`/projects/${project}/products?edit=1`)
  await page.getByRole('cell', { name: 'from €39.00' }).waitFor()
  expect(await page.getByRole('grid').count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Edit in list' }).count()).toBe(0)
  await page.keyboard.press('i')
  const overflow = `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('main [data-scrolls]'))`
  expect(await page.evaluate(overflow)).toBe(0)
  await page.getByRole('link', { name: 'CUP', exact: true }).click()
  await page.getByRole('main').getByText('from €39.00', { exact: true }).waitFor()
})

test('the variant matrix adds missing variants and edits price, stock and status in its cells', async () => {
  const shop = await site.service.tenant({ plan: 'enterprise' })
  const { call, project } = shop
  const parent = { sku: 'LAMP', name: 'Lamp', product_type: 'configurable', variant_axes: ['size', 'color'] }
  const variant = (sku: string, size: string, color: string) => ({
    sku,
    name: sku,
    price: 30,
    inventory: { tracked: true, quantity: 5 },
    parent: { sku: 'LAMP' },
    attributes: { size, color },
  })
  const variants = [
    variant('A', '20 cm', 'oat'),
    variant('B', '20 cm', 'sand'),
    variant('C', '30 cm', 'sand'),
  ]
  await call('/v2/products/bulk', { method: 'POST', body: [parent, ...variants] })
  const { id } = await productBySku(shop, 'LAMP')
  const account = await site.account({ projects: [project] })
  const { page, complaints } = await site.open(account, `/projects/${project}/products/${id}`)

  await page.getByRole('button', { name: 'Add 30 cm / oat' }).click()
  expect(await page.getByLabel('SKU').last().inputValue()).toBe('LAMP-30-CM-OAT')
  await page.getByRole('button', { name: 'Add variant' }).click()
  await page.getByRole('link', { name: 'LAMP-30-CM-OAT' }).waitFor()
  const added = await productBySku(shop, 'LAMP-30-CM-OAT')
  expect([added.name, added.attributes, added.parent.sku]).toEqual([
    'Lamp, 30 cm, oat',
    { size: '30 cm', color: 'oat' },
    'LAMP',
  ])

  await page.getByRole('button', { name: 'Edit variants' }).click()
  await expect.poll(() => active(page)).toBe('€30.00')
  await page.keyboard.type('35,5')
  await press(page, 'Tab', 'Shift+ArrowDown', 'ControlOrMeta+d')
  await page.getByRole('radiogroup', { name: 'Values to edit' }).getByText('Quantity').click()
  await cell(page, '5').first().click()
  await page.keyboard.type('12')
  await press(page, 'Enter')
  await page.getByRole('radiogroup', { name: 'Values to edit' }).getByText('Status').click()
  await cell(page, 'Pending').first().click()
  await page.keyboard.type('act')
  expect(await seriousViolations(page)).toEqual([])
  // Saves the text of the open editor too.
  await press(page, 'ControlOrMeta+s')
  await said(page, 'Saved 3 changes.')
  const saved = await productBySku(shop, 'A')
  expect([saved.price, saved.inventory.quantity, saved.status]).toEqual([35.5, 12, 'active'])
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('table', { name: 'Variants by size and color' }).waitFor()
  expect(complaints).toEqual([])
})
