import { beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/platform/database/sql.ts'
import { consoleUser } from '../console-user.ts'
import { scaled } from '../faults/scale.ts'
import type { Tenant } from '../harness.ts'
import { addProducts, addPrompt, connectModel, insertSampleRun } from '../run-shop.ts'
import { type SampleModel, startSampleModel } from '../sample-model/sample-model.ts'
import { whenFileEnds } from '../setup/file-end.ts'
import { behindDialog, seriousViolations } from './axe.ts'
import { servedConsole } from './console.ts'
import { chooseItem, follow, overflow } from './visitors.ts'

// Before the service starts, which allows the origin of the model.
const model: SampleModel = await startSampleModel()
whenFileEnds(async () => model.close())
const site = servedConsole({ isAlone: true, flags: { aiAllow: [model.origin] } })
const key = 'sk-browser-test-key'
let shop: Tenant

beforeAll(async () => {
  shop = await site.service.tenant()
  await addProducts(shop, 5)
  await addPrompt(shop, 'Describe {{name}} in the style of {{style}}.')
})

test('a manager connects a provider and tests it; a run of a selection writes a sample, waits, continues after the review, and is done', async () => {
  const { page, complaints } = await site.signedIn(await site.account({ projects: [shop.project] }))
  const dialog = page.getByRole('dialog')
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()

  await page.goto(`/projects/${shop.project}/runs`)
  await page.getByText('No AI provider is connected').waitFor()
  await page.getByRole('main').getByRole('link', { name: 'AI providers' }).click()
  await page.getByText('No providers yet').waitFor()
  await press('Connect provider')
  await dialog.getByLabel('Name', { exact: true }).fill('house')
  await dialog.getByLabel('Base URL').fill('http://10.0.0.1/v1')
  await dialog.getByLabel('Key', { exact: true }).fill(key)
  await dialog.getByLabel('Currency').fill('eur')
  await dialog.getByLabel('Model name').fill('sample')
  await dialog.getByLabel('Input price').fill('1')
  await dialog.getByLabel('Output price').fill('2,5')
  expect(await seriousViolations(page, behindDialog)).toEqual([])
  await dialog.getByRole('button', { name: 'Connect provider' }).click()
  await expect.poll(() => dialog.getByLabel('Base URL').getAttribute('aria-invalid')).toBe('true')
  await dialog.getByLabel('Base URL').fill(model.url)
  await dialog.getByRole('button', { name: 'Connect provider' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Test… house' }).click()
  await press('Start test')
  await dialog.getByText('The provider works').waitFor()
  await dialog.getByText('Responses follow a JSON schema').waitFor()
  expect(await seriousViolations(page, behindDialog)).toEqual([])
  await page.getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('button', { name: 'More actions for house' }).click()
  await chooseItem(page, 'Replace key…')
  await dialog.getByLabel('New key', { exact: true }).fill(`${key}-2`)
  await press('Replace key')
  await dialog.waitFor({ state: 'detached' })
  expect(await page.content()).not.toContain(key)

  await follow(page, `/projects/${shop.project}/products`)
  await page.getByLabel('Select all rows on this page').check()
  await press('Write with a prompt…')
  await dialog.getByRole('combobox', { name: 'Prompt' }).click()
  await page.getByRole('option', { name: 'Descriptions' }).click()
  await dialog.getByLabel('Description', { exact: true }).check()
  await dialog.getByLabel('Sample size').fill('2')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByText('Enter a number that is larger than 0.').waitFor()
  await dialog.getByText('Enter a value.').waitFor()
  await dialog.getByLabel('Value of style').fill('a catalog')
  await dialog.getByLabel('Budget (EUR)').fill('0,5')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByText('Expected cost').waitFor()
  await dialog
    .getByText(/in the style of a catalog/)
    .first()
    .waitFor()
  expect(await dialog.locator('details').count()).toBe(3)
  expect(await seriousViolations(page, behindDialog)).toEqual([])
  await press('Start run')

  await page.getByRole('heading', { name: /^Run \d+$/, level: 1 }).waitFor()
  await page.getByText('The sample is ready.').waitFor()
  await page.getByText('Products processed: 2 of 5').waitFor()
  expect(await seriousViolations(page)).toEqual([])
  // every-page.test.ts opens a run at every width.
  for (const width of scaled([390], [1440, 1024, 390])) {
    await page.setViewportSize({ width, height: 800 })
    expect(await page.evaluate(overflow)).toBe(0)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('combobox', { name: 'Filter calls' }).selectOption('waiting')
  await expect.poll(() => page.getByRole('table', { name: 'Calls' }).getByRole('row').count()).toBe(4)
  await page
    .getByRole('link', { name: /^Proposal \d+$/ })
    .first()
    .click()
  await page.getByRole('heading', { level: 1, name: /Descriptions/ }).waitFor()
  await page.goBack()

  await press('Continue')
  await page.getByText('The run has processed all products.').waitFor()
  await page.getByText('Products processed: 5 of 5').waitFor()
  // The run ended, so the page no longer asks.
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.waitForTimeout(4_500)
  expect(asked.filter((url) => url.includes('/runs/'))).toEqual([])
  await page.getByRole('link', { name: 'Back to runs' }).click()
  await page.getByRole('table', { name: 'Runs' }).getByText('5 of 5').waitFor()
  expect(complaints.filter((one) => !one.includes('422'))).toEqual([])
})

test('a run from a product page writes only this product; a run that stops at its budget continues with a larger one, and can be canceled', async () => {
  const own = await site.service.tenant()
  await connectModel(site.service, own, model, { price: 1_000 })
  const [id = 0] = await addProducts(own, 1)
  await addPrompt(own, 'Describe {{name}}.')
  const { page } = await site.signedIn(await site.account({ projects: [own.project] }))
  const dialog = page.getByRole('dialog')
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  await page.goto(`/projects/${own.project}/products/${id}`)
  await press('Write with a prompt… for Description length')
  await dialog.getByText('Write content for 1 product with a prompt').waitFor()
  expect(await dialog.getByLabel('Description', { exact: true }).isChecked()).toBe(true)
  await dialog.getByRole('combobox', { name: 'Prompt' }).click()
  await page.getByRole('option', { name: 'Descriptions' }).click()
  await dialog.getByLabel('Budget (EUR)').fill('0.0001')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByText('The expected cost is larger than the budget.').waitFor()
  await dialog.getByRole('button', { name: 'Back' }).click()
  await dialog.getByLabel('Budget (EUR)').waitFor()
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await press('Start run')
  await page.getByText('Stopped at budget').waitFor()
  await page.getByText('what is left of the budget').waitFor()
  await press('Raise budget…')
  await dialog.getByRole('button', { name: 'Raise budget' }).click()
  await dialog.getByText('larger than the current budget').waitFor()
  await dialog.getByLabel('New budget in total (EUR)').fill('0.0002')
  await dialog.getByRole('button', { name: 'Raise budget' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Stopped at budget').waitFor()
  await press('Cancel run…')
  await press('Cancel run')
  await page.getByText('The run was canceled.').waitFor()
  expect(await page.getByRole('button', { name: 'Continue' }).count()).toBe(0)
})

test('the work on a failing rule offers a run of all its products; viewers can start and see no runs', async () => {
  const own = await site.service.tenant()
  await connectModel(site.service, own, model)
  const [product] = await addProducts(own, 2)
  const prompt = await addPrompt(own, 'Describe {{name}}.')
  const { page } = await site.signedIn(await site.account({ projects: [own.project] }))
  await page.goto(`/projects/${own.project}/worklist?quality_rule=description_length`)
  await page.getByRole('button', { name: 'Write with a prompt…', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Write content for 2 products with a prompt').waitFor()
  expect(await dialog.getByLabel('Description', { exact: true }).isChecked()).toBe(true)
  const { database } = site.service
  const run = await insertSampleRun(database, own.project, prompt)
  await database.query(sql`
    update run_calls set product_id = ${product}, state = 'skipped', response = null, error = 'missing_variable: attributes.wood'
    where run_id = ${run}`)
  await page.goto(`/projects/${own.project}/runs/${run}`)
  await page.getByText('Values that the product does not have: attributes.wood').waitFor()
  const memberships = [{ project_id: own.project, role: 'viewer' as const }]
  const viewer = await site.signedIn(await consoleUser(site.service, { memberships }))
  await viewer.page.goto(`/projects/${own.project}/runs`)
  await viewer.page.getByText('You don’t have permission').waitFor()
  expect(await viewer.page.getByRole('button', { name: 'Write with a prompt…' }).count()).toBe(0)
})
