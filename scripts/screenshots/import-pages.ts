import type { Page } from 'playwright-core'
import type { Studio } from './studio.ts'

const rows = [
  'Item number;Title;Unit price;Colour;Stock;Category;Supplier',
  'LAMP-901;Table lamp Aurora;59,90;sand;12;Home > Lighting;Northlight',
  'LAMP-902;Floor lamp Aurora;149;black;4;Home > Lighting;Northlight',
  'LAMP-903;Pendant lamp Aurora;on request;white;7;Home > Lighting;Northlight',
  'LAMP-904;;39,50;white;20;Home > Lighting;Northlight',
]
const file = { name: 'autumn-lamps.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) }

/** The steps of an import: no file yet, its columns, the rejected lines. */
export async function takeImport({ demo, take, save }: Studio, page: Page): Promise<void> {
  const path = `/projects/${demo.project}/import`
  await take(page, 'import', path)
  await page.goto(path)
  await page.getByLabel('File to import').setInputFiles(file)
  await page.getByLabel('Field for “Colour”').selectOption({ label: 'Attribute…' })
  await page.getByLabel('Attribute for “Colour”').fill('color')
  await save(page, 'import-columns', true)
  await page.getByRole('button', { name: 'Create proposal' }).click()
  await page.getByRole('heading', { name: 'rejected lines' }).waitFor()
  await save(page, 'import-rejected', true)
}
