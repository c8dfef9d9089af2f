import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { sql } from '../../src/platform/database/sql.ts'
import type { SampleModel } from '../../test/sample-model/sample-model.ts'
import type { Studio } from './studio.ts'

const provider = 'ollama'

/** AI providers, the dialog that starts a run, and a run that waits for a review. */
export async function takeRuns(studio: Studio, page: Page, model: SampleModel): Promise<void> {
  const { demo, take } = studio
  await take(page, 'runs-empty', `/projects/${demo.locked_project}/runs`, () =>
    page.getByText('No AI provider is connected').waitFor(),
  )
  await connect(studio, page, model)
  await takeProviders(studio, page)
  const products = `/projects/${demo.project}/products?search=lamp`
  await take(page, 'run-new', products, () => openDialog(page))
  await take(page, 'run-preview', products, async () => {
    await openDialog(page)
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText('Expected cost').waitFor()
  })
  const run = await startRun(studio, page)
  await take(page, 'run', `/projects/${demo.project}/runs/${run}`)
  await take(page, 'runs', `/projects/${demo.project}/runs`)
}

async function takeProviders({ demo, take }: Studio, page: Page): Promise<void> {
  const path = `/projects/${demo.project}/settings/ai-providers`
  await take(page, 'ai-providers', path)
  await take(page, 'ai-providers-empty', `/projects/${demo.locked_project}/settings/ai-providers`)
  await take(page, 'ai-provider-new', path, async () => {
    await page.getByRole('button', { name: 'Connect provider' }).click()
    await page.getByRole('dialog').waitFor()
  })
  await take(page, 'ai-provider-test', path, async () => {
    await page.getByRole('button', { name: `Test… ${provider}` }).click()
    await page.getByRole('button', { name: 'Start test' }).click()
    await page.getByText('The provider works').waitFor()
  })
}

async function openDialog(page: Page): Promise<void> {
  await page.getByLabel('Select all rows on this page').check()
  await page.getByRole('button', { name: 'Write with a prompt…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Prompt' }).click()
  await page.getByRole('listbox').getByRole('option').first().click()
  await dialog.getByLabel('Label or version').waitFor()
  await dialog.getByLabel('Description', { exact: true }).check()
  await dialog.getByRole('combobox', { name: 'Provider and model' }).selectOption(`${provider} sample`)
  await dialog.getByLabel('Budget').fill('2')
}

async function connect({ demo, url }: Studio, page: Page, model: SampleModel): Promise<void> {
  const models = [
    { name: 'sample', input_price: 0.15, output_price: 0.6, max_output_tokens: 1_000 },
    { name: 'sample-small', input_price: 0, output_price: 0, max_output_tokens: 1_000 },
  ]
  const data = { kind: 'openai-compatible', base_url: model.url, currency: 'EUR', models, monthly_budget: 50 }
  const path = `/console/api/projects/${demo.project}/ai-providers/${provider}`
  await page.request.put(path, { data, headers: { origin: url } })
}

/** A run whose sample is ready. */
async function startRun({ demo, url, idOf }: Studio, page: Page): Promise<number> {
  const { project } = demo
  const prompt = await idOf(
    sql<{ id: number }>`select id from prompts where project_id = ${project} order by id limit 1`,
  )
  const started = await page.request.post(`/console/api/projects/${project}/prompts/${prompt}/runs`, {
    data: {
      ...{ filter: 'search=lamp', write: ['description'], sample: 3, provider, model: 'sample' },
      budget: { amount: 2, currency: 'EUR' },
    },
    headers: { origin: url },
  })
  const { id } = await started.json()
  const address = `/console/api/projects/${project}/runs/${id}`
  while ((await (await page.request.get(address)).json()).state === 'sampling') await sleep(200)
  return id
}
