import { expect, test } from 'vitest'
import { openDatabase, type Queryable } from '../../src/platform/database/database.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { connectionUrl, ownDatabase } from '../database/test-database.ts'
import { commandRunner } from '../processes/command-runner.ts'
import { bearer, newToken } from '../processes/served-shop.ts'
import { sampleModel } from '../run-shop.ts'
import type { SampleModel } from '../sample-model/sample-model.ts'
import { seededRandom } from '../seeded-random.ts'
import { recordFigures } from './figures.ts'
import { isLong, rounds, scaled } from './scale.ts'
import { type Services, startServices } from './several-services.ts'

const chance = seededRandom(43)
const products = scaled(30, 2_000)
const concurrency = 8

/** The short form does not wait for the leases of the killed service to expire. */
async function endLeases(database: Queryable): Promise<void> {
  if (!isLong)
    await database.query(sql`update jobs set lease_until = clock_timestamp() where owner is not null`)
}

async function send(services: Services, token: string, path: string, method = 'GET', body?: object) {
  const response = await fetch(`${await services.urlOf(0)}/v2${path}`, {
    ...{ method, headers: { ...bearer(token), 'content-type': 'application/json' } },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  expect(response.status, text.slice(0, 500)).toBeLessThan(300)
  return JSON.parse(text)
}

async function startRun(services: Services, token: string, database: Queryable, model: SampleModel) {
  const names = Array.from({ length: products }, (_, index) => ({ sku: `P${index}`, name: `Lamp ${index}` }))
  await send(services, token, '/products/bulk', 'POST', names)
  const models = [{ name: 'sample', input_price: 1, output_price: 1, max_output_tokens: 200 }]
  await database.query(sql`
    insert into ai_providers (project_id, name, kind, base_url, currency, models, concurrency)
    select id, 'sample', 'openai-compatible', ${model.url}, 'EUR', ${JSON.stringify(models)}::jsonb, ${concurrency} from projects`)
  const prompt = await send(services, token, '/prompts', 'POST', { name: 'D', prompt_text: 'name: {{name}}' })
  const budget = { amount: products * 0.002, currency: 'EUR' }
  return send(services, token, `/prompts/${prompt.id}/runs`, 'POST', {
    ...{ filter: '', write: ['description'], provider: 'sample', model: 'sample', sample: 0, budget },
  })
}

/** Kills the service after each of some calls, so that each kill interrupts other calls. */
async function killWhileCalling(
  services: Services,
  database: Queryable,
  model: SampleModel,
): Promise<number> {
  let kills = 0
  for (const _ of rounds(1, 30, 900)) {
    const more = scaled(12, chance.between(30, 60))
    const before = model.calls.length
    await expect
      .poll(() => model.calls.length, { interval: 1, timeout: scaled(60_000, 300_000) })
      .toBeGreaterThan(before + more)
    await services.kill(0, () => endLeases(database))
    kills += 1
  }
  return kills
}

test('fault 43: after kills, every product has one line, the run stays within its budget, and only calls in flight are repeated', async (context) => {
  const connection = await ownDatabase('killed_runs')
  const database = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 60 })
  const model = await sampleModel()
  model.milliseconds = scaled(60, 150)
  const [services, { token }] = await Promise.all([
    startServices(connection, 1, ['--ai-allow', model.origin]),
    newToken(commandRunner({ DATABASE_URL: connectionUrl(connection) })),
  ])
  await database.query(sql`update tokens set scopes = scopes || '{ai:run}'::text[]`)
  const { id, cost } = await startRun(services, token, database, model)
  const kills = await killWhileCalling(services, database, model)
  let run = await send(services, token, `/runs/${id}`)
  await expect
    .poll(
      async () => {
        run = await send(services, token, `/runs/${id}`)
        return run.state
      },
      { interval: 200, timeout: scaled(120_000, 600_000) },
    )
    .toBe('done')
  const lines = await database.query(sql<{ product_id: number; count: number }>`
    select product_id, count(*) as count from proposal_lines group by product_id`)
  await database.close()
  await services.end()
  expect(run).toMatchObject({ done: products, failed: 0, skipped: 0, cost: { reserved: 0 } })
  expect([lines.length, lines.filter(({ count }) => count !== 1)]).toEqual([products, []])
  expect(run.cost.spent).toBeLessThanOrEqual(cost.budget)
  const repeated = model.calls.length - new Set(model.calls.map(({ prompt }) => prompt)).size
  expect(repeated).toBeLessThanOrEqual(kills * concurrency)
  recordFigures(context, {
    tried: kills,
    of: `kills during a run of ${products.toLocaleString('en-US')} products`,
    survived: kills,
    lost: 0,
    notes: [`${repeated} calls were repeated`],
  })
})
