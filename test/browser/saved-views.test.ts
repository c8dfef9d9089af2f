import { expect, test } from 'vitest'
import { behindDialog, seriousViolations } from './axe.ts'
import { servedConsole } from './console.ts'

const site = servedConsole()

test('a view is saved with filters, order and columns, shows its count, and is updated, renamed and deleted', async () => {
  const { project, call } = await site.service.tenant()
  const lamp = (place: number) => ({
    sku: `LAMP-${place}`,
    name: `Lamp ${place}`,
    status: place < 3 ? 'active' : 'archived',
  })
  await call('/v2/products/bulk', { method: 'POST', body: [1, 2, 3, 4, 5].map(lamp) })
  const { page, context, complaints } = await site.signedIn(await site.account({ projects: [project] }))
  const menu = page.getByRole('dialog', { name: 'Saved views' })
  const query = () => decodeURIComponent(new URL(page.url()).search)
  const openMenu = async (button: string) => {
    await page.getByRole('button', { name: button, exact: true }).click()
    await menu.waitFor()
  }

  await page.goto(`/projects/${project}/products?status=active&ordering=-sku`)
  await openMenu('Views')
  await menu.getByRole('button', { name: 'Save view…' }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('On sale')
  expect(await seriousViolations(page, behindDialog)).toEqual([])
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('button', { name: 'View: On sale', exact: true }).waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toContain('On sale')
  expect(query()).toMatch(/^\?status=active&ordering=-sku&columns=sku,name,[a-z_,]+&view=\d+$/)
  const address = page.url()

  await call('/v2/products/bulk', { method: 'POST', body: [lamp(6), { ...lamp(7), status: 'active' }] })
  await openMenu('View: On sale')
  await menu.getByRole('link', { name: 'All products 7 products' }).waitFor()
  await menu.getByRole('link', { name: 'On sale 3 products', exact: true }).waitFor()
  expect(await seriousViolations(page, behindDialog)).toEqual([])
  await menu.getByRole('link', { name: 'All products 7 products' }).click()
  await page.getByText('7 products').waitFor()
  await openMenu('Views')
  await menu.getByRole('link', { name: /^On sale/ }).click()
  await page.waitForURL(address)

  await page.getByRole('button', { name: 'Remove filter Status: Active' }).click()
  await page.getByRole('button', { name: 'View: On sale (changed)' }).waitFor()
  await page.getByRole('button', { name: 'Update view' }).click()
  await page.getByRole('button', { name: 'View: On sale', exact: true }).waitFor()
  await page.reload()
  await openMenu('View: On sale')
  await menu.getByRole('link', { name: 'On sale 7 products', exact: true }).waitFor()

  await menu.getByRole('button', { name: 'Edit On sale' }).click()
  const elsewhere = await context.request.post(`/console/api/projects/${project}/saved-views`, {
    data: { name: 'Drafts '.repeat(14).trim(), query: 'status=pending' },
    headers: { origin: site.url },
  })
  const { id: other, name: taken } = await elsewhere.json()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(taken)
  await page.getByRole('button', { name: 'Save changes', exact: true }).click()
  await page.locator('input[aria-invalid=true]:focus').waitFor()
  await page.getByText('You already have a view with this name.').waitFor()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Everything')
  await page.getByRole('button', { name: 'Save changes', exact: true }).click()
  await openMenu('View: Everything')
  // A long name leaves room for the actions.
  const beyond = `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('ul[aria-label=Views]'))`
  expect(await page.evaluate(beyond)).toBe(0)
  // Another tab deletes a view that this tab still shows.
  await context.request.delete(`/console/api/projects/${project}/saved-views/${other}`, {
    headers: { origin: site.url },
  })
  await menu.getByRole('button', { name: `Delete ${taken}` }).click()
  await page.getByRole('button', { name: 'Delete view' }).click()
  await page.getByText('You have no view').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await openMenu('View: Everything')
  expect(await menu.getByRole('listitem').count()).toBe(2)
  await menu.getByRole('button', { name: 'Delete Everything' }).click()
  await page.getByRole('button', { name: 'Delete view' }).click()
  await openMenu('Views')
  await menu.getByText('for yourself or for the project').waitFor()
  expect(complaints.filter((text) => !/40[49]/.test(text))).toEqual([])
})
