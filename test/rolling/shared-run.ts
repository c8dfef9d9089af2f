import type pg from 'pg'
import { expect } from 'vitest'
import { openDatabase } from '../../src/platform/database/database.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { bearer } from '../processes/served-shop.ts'
import type { SampleModel } from '../sample-model/sample-model.ts'
import type { Changed } from './every-change.ts'

/** The newer release runs a prompt while the older one changes the product, and the older one applies the proposal. Returns the events. */
export async function applyRun(
  connection: pg.ClientConfig,
  older: string,
  newer: string,
  token: string,
  model: SampleModel,
): Promise<Changed[]> {
  // biome-ignore lint/suspicious/noExplicitAny: responses of several routes
  const send = async (url: string, method: string, path: string, body?: unknown): Promise<any> => {
    const headers = { ...bearer(token), ...(body !== undefined && { 'content-type': 'application/json' }) }
    const json = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(`${url}/v2${path}`, { method, headers, ...json })
    const text = await response.text()
    expect(response.status, `${path}: ${text}`).toBeLessThan(300)
    return JSON.parse(text)
  }
  await connectModel(connection, model)
  const prompt = await send(newer, 'POST', '/prompts', { name: 'Run', prompt_text: 'name: {{name}}' })
  model.hold()
  const run = await send(newer, 'POST', `/prompts/${prompt.id}/runs`, {
    ...{ filter: 'sku=PICTURED', write: ['description'], provider: 'sample', model: 'sample', sample: 0 },
  })
  await expect.poll(() => model.inFlight, { timeout: 30_000 }).toBe(1)
  const product = await send(older, 'GET', '/products/by-sku/PICTURED')
  await send(older, 'PATCH', `/products/${product.id}`, { price: 8 })
  model.release()
  const state = async () => (await send(newer, 'GET', `/runs/${run.id}`)).state
  await expect.poll(state, { timeout: 30_000 }).toBe('done')
  const [proposal] = (await send(newer, 'GET', `/runs/${run.id}`)).proposals
  expect(await send(older, 'POST', `/proposals/${proposal}/apply`, {})).toMatchObject({ state: 'applied' })
  expect(await send(newer, 'GET', '/products/by-sku/PICTURED')).toMatchObject({
    ...{ price: 8, description: expect.stringContaining('Pictured') },
    provenance: { description: { prompt_id: prompt.id, model: 'sample' } },
  })
  const events: [Changed['type'], number][] = [
    ['prompt.created', prompt.id],
    ['run.started', run.id],
    ['run.finished', run.id],
    ['proposal.opened', proposal],
    ['proposal.applied', proposal],
  ]
  return events.map(([type, id]) => ({ type, object: String(id) }))
}

/** The model is free, so that the run needs no budget. */
async function connectModel(connection: pg.ClientConfig, { url }: SampleModel): Promise<void> {
  const models = [{ name: 'sample', input_price: 0, output_price: 0, max_output_tokens: 200 }]
  const database = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 5 })
  await database.query(sql`
    insert into ai_providers (project_id, name, kind, base_url, currency, models, concurrency)
    select id, 'sample', 'openai-compatible', ${url}, 'EUR', ${JSON.stringify(models)}::jsonb, 1 from projects`)
  await database.query(sql`update tokens set scopes = scopes || '{ai:run}'::text[]`)
  await database.close()
}
