import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, vi } from 'vitest'
import { loadLibraries } from '../src/catalog/ai-providers/model-libraries.ts'
import type { Queryable } from '../src/platform/database/database.ts'
import { sql, write } from '../src/platform/database/sql.ts'
import { jobLimits } from '../src/platform/limits/jobs.ts'
import { ownDatabase } from './database/test-database.ts'
import { startTestService, type Tenant, type TestService } from './harness.ts'
import { type SampleModel, startSampleModel } from './sample-model/sample-model.ts'
import { whenFileEnds } from './setup/file-end.ts'

/** A sample model that is closed with the file. */
export async function sampleModel(): Promise<SampleModel> {
  // Otherwise the first call would wait for them, while the service serves nothing else.
  await loadLibraries()
  const model = await startSampleModel()
  whenFileEnds(async () => model.close())
  return model
}

/** Resets the model after each test, so that the held calls of a failed test do not affect the next test. */
export function resetAfterEach(model: () => SampleModel): void {
  afterEach(async () => {
    model().reset()
    await vi.waitFor(() => expect(model().inFlight).toBe(0), 10_000)
  })
}

/** A service with its own database that can call the model and looks for jobs every 20 ms. */
export async function startRunService(
  database: string,
  { origin }: SampleModel,
  limits: { milliseconds?: number } = {},
): Promise<TestService> {
  return startTestService({}, await ownDatabase(database), {
    modelLimits: { allow: [origin], ...limits },
    jobLimits: { ...jobLimits, pollMilliseconds: 20 },
  })
}

type ProviderSettings = {
  name?: string
  concurrency?: number
  requestsPerMinute?: number | null
  /** In units of the currency. */
  monthlyBudget?: number | null
  price?: number
  outputTokens?: number
}

/** Connects the sample model to a project. Every behavior is a model of its own, and `free` costs nothing. */
export async function connectModel(
  service: TestService,
  shop: Pick<Tenant, 'project'>,
  model: Pick<SampleModel, 'url'>,
  {
    name = 'sample',
    concurrency = 4,
    requestsPerMinute = null,
    monthlyBudget = null,
    price = 1,
    outputTokens = 200,
  }: ProviderSettings = {},
): Promise<void> {
  const one = (model: string, amount: number) => ({
    ...{ name: model, input_price: amount, output_price: amount, max_output_tokens: outputTokens },
  })
  const models = JSON.stringify([one('sample', price), one('free', 0)])
  await service.database.query(sql`
    insert into ai_providers (project_id, name, kind, base_url, currency, models, concurrency, requests_per_minute, monthly_budget)
    values (${shop.project}, ${name}, 'openai-compatible', ${model.url}, 'EUR', ${models}::jsonb, ${concurrency},
            ${requestsPerMinute}, ${monthlyBudget === null ? null : Math.round(monthlyBudget * 1e6)})
    on conflict (project_id, name) do update set concurrency = excluded.concurrency, monthly_budget = excluded.monthly_budget,
      requests_per_minute = excluded.requests_per_minute, models = excluded.models`)
}

/** Adds products P1, P2 and so on, and returns their IDs. */
export async function addProducts(shop: Tenant, count: number, prefix = 'P'): Promise<number[]> {
  const products = Array.from({ length: count }, (_, index) => ({
    ...{ sku: `${prefix}${index + 1}`, name: `Lamp ${prefix} ${index + 1}` },
  }))
  const { status } = await shop.call('/v2/products/bulk', { method: 'POST', body: products })
  expect(status).toBe(200)
  const ids = new Map<string, number>()
  for (let page: string | null = `/v2/products?search=Lamp ${prefix}&page_size=100`; page !== null; ) {
    const { body } = await shop.call(page)
    for (const { id, sku } of body.results) ids.set(sku, id)
    page = body.next === null ? null : body.next.slice(body.next.indexOf('/v2/'))
  }
  return products.map(({ sku }) => ids.get(sku) as number)
}

type Connected = { service: TestService; model: SampleModel }

/** Creates a project that is connected to the model. */
export async function createConnectedShop(
  { service, model }: Connected,
  settings?: ProviderSettings,
): Promise<Tenant> {
  const shop = await service.tenant()
  await connectModel(service, shop, model, settings)
  return shop
}

/** Creates a connected project with products and a prompt. */
export async function createFilledShop(
  connected: Connected,
  count: number,
  settings?: ProviderSettings,
): Promise<{ shop: Tenant; ids: number[]; prompt: number }> {
  const shop = await createConnectedShop(connected, settings)
  const ids = await addProducts(shop, count)
  return { shop, ids, prompt: await addPrompt(shop, 'Describe the product. name: {{name}}') }
}

export async function addPrompt(shop: Tenant, text: string, name = 'Descriptions'): Promise<number> {
  const { body, status } = await shop.call('/v2/prompts', {
    method: 'POST',
    body: { name, prompt_text: text },
  })
  expect(status).toBe(201)
  return body.id
}

/** Starts a run, with sensible defaults. */
export async function startRun(
  shop: Tenant,
  prompt: number,
  request: object,
): Promise<{ id: number } & Record<string, unknown>> {
  const { body, status } = await shop.call(`/v2/prompts/${prompt}/runs`, {
    method: 'POST',
    body: {
      ...{ write: ['description'], provider: 'sample', model: 'sample', filter: '' },
      ...{ budget: { amount: 100, currency: 'EUR' }, sample: 0, ...request },
    },
  })
  expect(status, JSON.stringify(body)).toBe(202)
  return body
}

/** Waits until a run is in one of the states. */
export async function untilRun(
  shop: Tenant,
  id: number,
  states: readonly string[],
  timeout = 60_000,
  // biome-ignore lint/suspicious/noExplicitAny: the body of a response
): Promise<any> {
  // Not expect.poll, which works in only one test at a time.
  for (const endsAt = performance.now() + timeout; ; await sleep(50)) {
    const { body } = await shop.call(`/v2/runs/${id}`)
    if (states.includes(body.state)) return body
    if (performance.now() > endsAt)
      throw new Error(`not ${states.join(' or ')} in time: ${JSON.stringify(body)}`)
  }
}

/** A cancelled run with one call, for tests that only need rows. */
export async function insertSampleRun(
  database: Queryable,
  projectId: number,
  promptId: number | string,
): Promise<number> {
  const [run] = await database.query(
    write(sql<{ id: number }>`
      insert into runs (project_id, prompt_id, version_number, provider, model, state, actor, source, fields, variables, sample,
                        reuse, currency, products, finished_at)
      values (${projectId}, ${promptId}, '1.0.0', 'sample', 'sample', 'cancelled', 'API client', 'api', '{description}', '{}', 0,
              true, 'EUR', 1, now())
      returning id`),
  )
  const { id } = run as { id: number }
  await database.query(
    write(sql`
      insert into run_calls (project_id, run_id, place, product_id, state, input_hash, base, response, finished_at)
      values (${projectId}, ${id}, 1, 1, 'done', 'h', '{"sku": "S"}', '{"description": "Text"}', now())`),
  )
  await database.query(
    write(sql`
      insert into ai_spending (project_id, currency, month) values (${projectId}, 'EUR', '2026-01-01') on conflict do nothing`),
  )
  return id
}
