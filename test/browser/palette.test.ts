import { expect, test } from 'vitest'
import { createProject } from '../../src/access/projects/manage-project.ts'
import { behindDialog, seriousViolations } from './axe.ts'
import { servedConsole } from './console.ts'

const site = servedConsole()

test('the palette opens products by SKU, views, pages and actions, and ? shows the keyboard shortcuts', async () => {
  const { project, call } = await site.service.tenant()
  const { id: other } = await createProject(
    site.service.database,
    { name: 'tester' },
    { name: 'Furniture', plan: 'free', currency: 'EUR' },
  )
  const lamps = Array.from({ length: 12 }, (_, place) => ({ sku: `LAMP-${12 - place}`, name: 'Desk lamp' }))
  await call('/v2/products/bulk', { method: 'POST', body: lamps })
  const account = await site.account({ projects: [project, other] })
  const { page, context, complaints } = await site.signedIn(account)
  const field = page.getByRole('combobox', { name: 'Jump to' })
  const selected = page.getByRole('dialog').getByRole('option', { selected: true })
  const heading = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()
  // Does not wait for the input: users type on.
  const jump = async (text: string) => {
    await page.keyboard.press('ControlOrMeta+k')
    await page.keyboard.type(text)
    await expect.poll(() => field.inputValue()).toBe(text)
  }

  await page.request.post(`/console/api/projects/${project}/saved-views`, {
    data: { name: 'On sale', query: 'status=active' },
    headers: { origin: site.url },
  })
  await page.goto(`/projects/${project}`)
  await heading('Test')
  await jump('lamp-1')
  // Before the response. Several SKUs start like this.
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/products\/\d+$/)
  await page.getByText('LAMP-1', { exact: true }).first().waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content')

  await jump('')
  await page
    .getByRole('group', { name: 'Recent' })
    .getByRole('option', { name: 'LAMP-1 Desk lamp' })
    .waitFor()
  expect(await seriousViolations(page, behindDialog)).toEqual([])
  const { x = 0, width = 0 } = (await page.getByRole('dialog').boundingBox()) ?? {}
  expect([Math.round(x + width / 2), Math.round(width)]).toEqual([640, 620])
  await page.keyboard.type('lamp')
  await page.getByText('7 results').waitFor()
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => field.getAttribute('aria-activedescendant')).toBe(await selected.getAttribute('id'))
  await field.fill('categ')
  await page.keyboard.press('Enter')
  await heading('Categories')

  await page.keyboard.press('/')
  await expect.poll(() => page.evaluate('document.activeElement.type')).toBe('search')
  await page.keyboard.type('?')
  await page.getByRole('heading', { name: 'Categories', level: 1 }).focus()
  await page.evaluate('document.activeElement.blur()')
  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await keys.getByText('Rename the category').waitFor()
  expect(await seriousViolations(page, behindDialog)).toEqual([])
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.press('Escape')
  await keys.waitFor({ state: 'detached' })
  await expect.poll(() => field.count()).toBe(0)

  await jump('sale')
  await page.getByRole('option', { name: 'On sale' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'View: On sale' }).waitFor()
  await jump('new tok')
  await page.getByRole('option', { name: 'New token' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'New token' }).waitFor()
  await page.waitForURL(/\/api-access$/)
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 390, height: 800 })
  await page.getByRole('button', { name: 'Jump to…' }).click()
  await field.fill('new pro')
  await page.getByRole('option', { name: 'New product' }).click()
  await heading('New product')
  await jump('furn')
  await page.keyboard.press('Enter')
  await heading('Furniture')

  expect(complaints).toEqual([])
  await context.setOffline(true)
  await jump('table')
  await page.getByText('You are offline.').waitFor()
})
