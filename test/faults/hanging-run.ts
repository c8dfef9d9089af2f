import { expect } from 'vitest'
import { runLimits } from '../../src/model/limits/runs.ts'
import type { Database } from '../../src/platform/database/database.ts'
import { sql } from '../../src/platform/database/sql.ts'
import type { SampleModel } from '../sample-model/sample-model.ts'
import type { Shop } from './noise.ts'

/** Starts a run with as many calls as a process makes for a project. The model responds to none of them. */
export async function startHangingRun(database: Database, shop: Shop, model: SampleModel): Promise<void> {
  const calls = runLimits.callsPerProject
  const lines = Array.from({ length: 2 * calls }, (_, index) => ({
    sku: `H-${index}`,
    name: `Lamp ${index}`,
  }))
  await shop.send('POST', '/products/bulk', lines)
  const models = [{ name: 'sample-hang', input_price: 0, output_price: 0, max_output_tokens: 200 }]
  await database.query(sql`
    insert into ai_providers (project_id, name, kind, base_url, currency, models, concurrency)
    values (${shop.project}, 'hanging', 'openai-compatible', ${model.url}, 'EUR', ${JSON.stringify(models)}::jsonb, ${calls})`)
  await database.query(sql`
    update tokens set scopes = scopes || '{ai:run}'::text[] where project_id = ${shop.project}`)
  const prompt = await shop.send('POST', '/prompts', { name: 'Hang', prompt_text: 'name: {{name}}' })
  const { status, body } = await shop.send('POST', `/prompts/${prompt.body['id']}/runs`, {
    ...{ filter: '', write: ['description'], provider: 'hanging', model: 'sample-hang', sample: 0 },
  })
  expect(status, JSON.stringify(body)).toBe(202)
  await expect.poll(() => model.inFlight, { timeout: 30_000 }).toBe(calls)
}
