import { expect, test } from 'vitest'
import { behindDialog, seriousViolations } from './axe.ts'
import { servedConsole } from './console.ts'

const site = servedConsole()

test('the keyboard works in the category tree; categories are created, moved, renamed, merged, and deleted when empty', async () => {
  const { project, call } = await site.service.tenant()
  const path = (...names: string[]) => [{ path: names }]
  const products = [
    { sku: 'L-1', name: 'Lamp', categories: path('Home', 'Lamps') },
    { sku: 'L-2', name: 'Torch', categories: path('Torches') },
    { sku: 'L-3', name: 'Lantern', categories: path('Torches') },
  ]
  await call('/v2/products/bulk', { method: 'POST', body: products })
  // More categories than fit on the screen.
  const many = Array.from({ length: 130 }, (_, index) => ({
    sku: `M-${index}`,
    name: `Product ${index}`,
    categories: path('Many', `Part ${String(index).padStart(3, '0')}`),
  }))
  await call('/v2/products/bulk', { method: 'POST', body: many })
  const paths = async () => {
    const { body } = await call('/v2/categories?page_size=500')
    return (body.results as { path: string[] }[]).map((one) => one.path.join('/'))
  }
  const { page, complaints } = await site.signedIn(await site.account({ projects: [project] }))
  await page.goto(`/projects/${project}/categories`)
  const tree = page.getByRole('tree', { name: 'Categories' })
  const item = (name: string) => tree.getByRole('treeitem', { name: new RegExp(`^${name} \\d`) })
  const active = () =>
    page.evaluate(`(() => {
    const id = document.activeElement.getAttribute('aria-activedescendant')
    return document.getElementById(id)?.textContent
  })()`)
  await item('Torches').waitFor()

  await page.getByRole('button', { name: 'New category' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Torches')
  await page.getByRole('button', { name: 'Create category' }).click()
  await page.getByText('has the name "Torches"').waitFor()
  await page.getByRole('textbox', { name: 'Name' }).fill('Lighting')
  await page.getByRole('button', { name: 'Create category' }).click()
  await page.getByRole('heading', { name: 'Lighting', level: 2 }).waitFor()
  await page.getByRole('button', { name: 'Move to…' }).click()
  await page.getByRole('combobox', { name: 'Parent category' }).click()
  // The dialog does not cut off the options.
  const isLastOptionVisible = `(() => {
    const list = document.querySelector('[role=listbox]')
    const { left, bottom } = list.getBoundingClientRect()
    return list.contains(document.elementFromPoint(left + 9, bottom - 4))
  })()`
  await page.getByRole('option', { name: 'Many', exact: true }).waitFor()
  await expect.poll(() => page.evaluate(isLastOptionVisible)).toBe(true)
  await page.getByRole('combobox', { name: 'Parent category' }).fill('home')
  await page.getByRole('option', { name: 'Home', exact: true }).click()
  expect(await seriousViolations(page, behindDialog)).toEqual([])
  await page.getByRole('dialog').getByRole('button', { name: 'Move category', exact: true }).click()
  await page.getByText('Lighting is now a subcategory of Home.').waitFor()
  await item('Lighting').waitFor()
  expect(await paths()).toContain('Home/Lighting')

  // The move refetches the level.
  await item('Lamps').waitFor()
  await tree.focus()
  await page.keyboard.press('Home')
  await expect.poll(active).toBe('Home 0 products')
  await page.keyboard.press('ArrowRight')
  await expect.poll(active).toBe('Lamps 1 product')
  await page.keyboard.press('F2')
  await page.getByRole('textbox', { name: 'Name' }).fill('Table lamps')
  await page.keyboard.press('Enter')
  await item('Table lamps').waitFor()
  await page.keyboard.press('m')
  await expect.poll(active).toBe('Many 130 products')
  await page.keyboard.press('ArrowRight')
  await item('Part 000').waitFor()
  await page.keyboard.type('part 09')
  await expect.poll(active).toBe('Part 090 1 product')
  await tree.evaluate((frame) => frame.scrollTo(0, 3_700))
  await item('Part 101').waitFor()
  await tree.focus()
  await page.keyboard.press('End')
  await expect.poll(active).toBe('Torches 2 products')
  expect(await tree.getByRole('treeitem').count()).toBeLessThan(60)

  await page.keyboard.press('Enter')
  await page.getByText('This one has 2 products.').waitFor()
  await page.getByRole('button', { name: 'Merge into…' }).click()
  await page.getByRole('combobox', { name: 'Merge into' }).fill('table')
  await page.getByRole('option', { name: 'Home › Table lamps' }).click()
  await page.getByText('2 products move to Table lamps. Each gets a new version.').waitFor()
  await page.getByRole('button', { name: 'Merge categories', exact: true }).click()
  await page.getByText('Torches merged. 2 products moved.').waitFor()
  await page.getByRole('heading', { name: 'Table lamps', level: 2 }).waitFor()
  expect(
    await page.getByRole('definition').first().getByRole('link', { name: '3' }).getAttribute('href'),
  ).toContain('/products?category=')
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Torches restored with 2 products.').waitFor()
  const torches = (await call('/v2/categories?search=torches&expand=counts')).body.results[0]
  expect([torches.path, torches.products]).toEqual([['Torches'], 2])
  const moved = (await call('/v2/categories?search=table%20lamps')).body.results[0].id
  await call(`/v2/categories/${torches.id}/merge`, { method: 'POST', body: { into: moved } })

  await page.getByRole('searchbox', { name: 'Search categories' }).fill('light')
  await page.getByRole('button', { name: 'Home › Lighting' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('button', { name: 'Delete category' }).click()
  await page.getByText('Lighting deleted.').waitFor()
  expect((await paths()).filter((one) => !one.startsWith('Many'))).toEqual(['Home', 'Home/Table lamps'])

  await page.getByRole('button', { name: 'Clear search' }).click()
  // Wait until the rows no longer move, or the drop misses its target.
  await item('Home').waitFor()
  await expect.poll(() => item('Lighting').count()).toBe(0)
  await item('Many').dragTo(item('Home'))
  await page.getByText('Many is now a subcategory of Home.').waitFor()
  expect(await paths()).toContain('Home/Many')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(paths).toContain('Many')
  expect(complaints.filter((one) => !one.includes('409'))).toEqual([])
})
