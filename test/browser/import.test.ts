import { text as textOf } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { frame, seriousViolations } from './axe.ts'
import { servedConsole } from './console.ts'

const site = servedConsole()

/** Drops a file onto the page. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  const data = await page.evaluateHandle(`{
    const transfer = new DataTransfer()
    transfer.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}))
    transfer
  }`)
  const place = page.getByText('Drop a file here')
  await place.waitFor()
  for (const type of ['dragenter', 'dragover', 'drop'])
    await place.dispatchEvent(type, { dataTransfer: data })
}

const file = `\ufeffItem Number;Product TITLE;Unit price;Shade;QTY;Categories;Details;Remarks
MUG-1;Mug;11,50;sand;4;Home > Mugs;;
MUG-2;"Cup ""Luna"", small";12;grey;0;Home > Cups;"Of stoneware;
with a saucer";fragile
MUG-3;Bowl;cheap;sand;7;;;
MUG-4;;9;grey;1;;;
`

test('a CSV file is dropped, mapped automatically and by hand, proposed over a broken connection, fixed, and its rejected lines downloaded', async () => {
  const { project, call } = await site.service.tenant()
  await call('/v2/products', { method: 'POST', body: { sku: 'MUG-1', name: 'Mug', price: 10 } })
  const { page, complaints } = await site.signedIn(await site.account({ projects: [project] }))
  await page.goto(`/projects/${project}/import`)
  await drop(page, 'autumn.csv', file)

  await page.getByText('CSV with semicolons').waitFor()
  const becomes = (column: string) => page.getByLabel(`Field for “${column}”`)
  expect(await becomes('Item Number').inputValue()).toBe('sku')
  expect(await becomes('Product TITLE').inputValue()).toBe('name')
  expect(await becomes('Unit price').inputValue()).toBe('price')
  expect(await becomes('QTY').inputValue()).toBe('inventory.quantity')
  expect(await becomes('Categories').inputValue()).toBe('category_paths')
  expect(await becomes('Remarks').inputValue()).toBe('')
  await becomes('Shade').selectOption('name')
  await page.getByText('“Product TITLE” is already mapped to Name.').waitFor()
  expect(await page.getByRole('button', { name: 'Create proposal' }).isDisabled()).toBe(true)
  await becomes('Shade').selectOption({ label: 'Attribute…' })
  await page.getByLabel('Attribute for “Shade”').fill('color')
  const preview = page.getByRole('region', { name: 'First products' })
  await preview.getByText('Of stoneware; with a saucer').waitFor()
  await preview.getByText('Home › Mugs').waitFor()
  await preview.getByRole('columnheader', { name: 'color' }).waitFor()
  expect(await seriousViolations(page, frame)).toEqual([])

  const proposals = async () => (await call('/v2/proposals?ordering=id')).body.results
  const posts = `**/console/api/projects/${project}/proposals?title=*`
  await page.route(posts, (route) => route.abort(), { times: 1 })
  await page.getByRole('button', { name: 'Create proposal' }).click()
  await page.getByText('There is no proposal yet for the last 4 lines that were sent').waitFor()
  expect(await proposals()).toEqual([])
  // The response is lost: the lines are found, not sent twice.
  await page.evaluate(`{
    const send = window.fetch
    window.fetch = async (path, init) => {
      const forwarded = await send(path, init)
      if (init.method !== 'POST') return forwarded
      window.fetch = send
      throw new TypeError('The connection broke.')
    }
  }`)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: '2 rejected lines' }).waitFor()
  expect(await proposals()).toMatchObject([{ title: 'Import of autumn.csv', summary: { total: 4 } }])
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).first().waitFor()
  await page.getByRole('link', { name: 'New products 1' }).waitFor()
  await page.getByRole('link', { name: 'Changes 1' }).waitFor()

  const rejected = page.getByRole('table', { name: 'Rejected lines' })
  const listStyle = `getComputedStyle(document.querySelector('ul[aria-label=Reasons]')).listStyleType`
  expect(await page.evaluate(listStyle)).toBe('none')
  // In the same words as the reason.
  await rejected.getByText('Price must be a number or empty.', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Price must be a number or empty 1' }).click()
  await expect.poll(() => rejected.getByText('MUG-4').count()).toBe(0)
  await page.getByRole('button', { name: 'All 2' }).click()
  await rejected.getByText('MUG-4').waitFor()
  expect(await seriousViolations(page, frame)).toEqual([])
  await rejected.getByLabel('Price on line 5').fill('14,00')
  await page.getByRole('button', { name: 'Propose 1 fixed line' }).click()
  await page.getByRole('heading', { name: '1 rejected line' }).waitFor()
  const fixed = (await proposals())[1]
  expect(fixed).toMatchObject({
    title: 'Import of autumn.csv, fixed',
    summary: { outcomes: { created: 1 } },
  })
  const [first] = (await call(`/v2/proposals/${fixed.id}/lines`)).body.results
  expect(first.changes).toMatchObject({ price: { after: 14 }, 'attributes.color': { after: 'sand' } })

  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download 1 line' }).click()
  const saved = await saving
  expect(saved.suggestedFilename()).toBe('autumn.rejected.csv')
  const [header = ''] = file.split('\n')
  expect(await textOf(await saved.createReadStream())).toBe(
    `${header.slice(1)};errors\nMUG-4;;9;grey;1;;;;/name is required (required)\n`,
  )
  await page.getByRole('link', { name: 'Import of autumn.csv', exact: true }).click()
  await page.getByRole('heading', { name: 'Import of autumn.csv', level: 1 }).waitFor()
  await page.getByText('Mugs').first().waitFor()

  await page.getByRole('navigation').getByRole('link', { name: 'Import' }).click()
  await drop(page, 'winter.csv', file.replace('Mug;', 'Jug;'))
  await page.getByText('Mapped the same way as your last file with these columns.').waitFor()
  expect(await page.getByLabel('Attribute for “Shade”').inputValue()).toBe('color')
  const lines = ['{"sku": "J-1", "name": "Plate, [\\"flat\\"]"}', '{"sku": "J-2", "name": "Jug"}']
  for (const [name, text] of [
    ['array.json', ` [\n${lines.join(' ,\n')}\n]\n`],
    ['lines.ndjson', `# line 7: rejected\n${lines.join('\n\n')}`],
  ] as const) {
    await page.getByRole('button', { name: 'Select another file' }).click()
    await drop(page, name, text)
    await preview.getByText('Plate, ["flat"]').waitFor()
    await preview.getByText('J-2').waitFor()
    expect(await page.getByRole('button', { name: 'Create proposal' }).isEnabled()).toBe(true)
  }
  expect(complaints.filter((one) => !/ERR_FAILED|^failed:.*proposals\?title/.test(one))).toEqual([])
})

test('similar column names are mapped, repeated SKUs are reported, and one choice fixes all lines with the same value', async () => {
  const { project, call } = await site.service.tenant()
  await call('/v2/attributes', { method: 'POST', body: { name: 'color', type: 'text' } })
  const { page, complaints } = await site.signedIn(await site.account({ projects: [project] }))
  await page.goto(`/projects/${project}/import`)
  const rows = ['A', 'B', 'C', 'A'].map((sku) => `${sku},Mug ${sku},on sale,red`)
  await drop(page, 'shop.csv', `Article no,Name,Status,Colour\n${rows.join('\n')}\n`)
  const becomes = (column: string) => page.getByLabel(`Field for “${column}”`)
  await becomes('Colour').waitFor()
  expect(await becomes('Article no').inputValue()).toBe('sku')
  await page.getByRole('columnheader', { name: 'color' }).waitFor()
  await page.getByRole('button', { name: 'Create proposal' }).click()
  await page.getByRole('heading', { name: '4 rejected lines' }).waitFor()
  await page.getByText('One SKU occurs more than once in the file').waitFor()
  await page.getByLabel('Status on line 2').selectOption('Active')
  await page.getByRole('button', { name: 'Use for all 4 lines with this value' }).click()
  expect(await seriousViolations(page, frame)).toEqual([])
  await page.getByRole('button', { name: 'Propose 4 fixed lines' }).click()
  await page.getByRole('link', { name: 'New products 3' }).waitFor()
  expect(complaints).toEqual([])
})
