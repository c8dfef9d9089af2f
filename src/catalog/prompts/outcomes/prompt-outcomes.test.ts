import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../../../../test/harness.ts'
import { sql } from '../../../platform/database/sql.ts'

let service: TestService
let shop: Tenant
let prompt: number
const send = (method: string, path: string, body?: unknown) =>
  shop.call(`/v2${path}`, { method, ...(body !== undefined && { body }) })
const by = (version_number: string) => ({ provenance: { prompt_id: prompt, version_number } })

beforeAll(async () => {
  service = await sharedTestService()
})
beforeEach(async () => {
  shop = await service.tenant()
  prompt = (await send('POST', '/prompts', { name: 'Describe', prompt_text: 'About {{name}}' })).body.id
  for (const version_number of ['1.9.0', '1.10.0', '2.0.0'])
    await send('POST', `/prompts/${prompt}/versions`, { prompt_text: version_number, version_number })
})

describe('the outcomes of a prompt', () => {
  test('are empty before it writes', async () => {
    expect((await send('GET', `/prompts/${prompt}/outcomes`)).body).toEqual({ count: 0, results: [] })
  })

  test('show the writes, the score change and the kept values of each version', async () => {
    const text = 'A mug of stoneware that holds 0.3 litres and keeps coffee warm. '.repeat(3)
    const { body: first } = await send('POST', '/products', { sku: 'A', name: 'Mug', ...by('1.9.0') })
    const { body: second } = await send('POST', '/products', { sku: 'B', name: 'Mug' })
    const patch = async (id: number, body: object) => (await send('PATCH', `/products/${id}`, body)).body
    const score = ({ quality_score }: { quality_score: { score: number } }) => quality_score.score
    const one = await patch(first.id, { description: text, attributes: { color: 'red' }, ...by('1.10.0') })
    const two = await patch(second.id, { description: text, ...by('1.10.0') })
    const three = await patch(second.id, {
      description: `${text}!`,
      attributes: { size: 'M' },
      ...by('1.10.0'),
    })
    await patch(first.id, { attributes: { color: 'blue' } })
    const changes = [score(one) - score(first), score(two) - score(second), score(three) - score(two)]
    const { body } = await send('GET', `/prompts/${prompt}/outcomes`)
    expect(body.count).toBe(2)
    const [early, late] = body.results
    expect(early).toEqual({
      version_number: '1.9.0',
      products: 1,
      writes: 1,
      score_change: { mean: null, median: null },
      kept_rate: 1,
      first_at: first.created_at,
      last_at: first.created_at,
      models: [],
    })
    expect(late).toMatchObject({ version_number: '1.10.0', products: 2, writes: 3 })
    // Of five fields, the color and the first description of the second product were overwritten.
    expect(late.kept_rate).toBe(0.6)
    expect(late.score_change.mean).toBeCloseTo(changes.reduce((sum, one) => sum + one) / 3, 1)
    expect(late.score_change.median).toBe(changes.toSorted((a, b) => a - b)[1])
    expect([late.first_at, late.last_at]).toEqual([one.updated_at, three.updated_at])
  })

  test('compare scores by the same rules, also while new rules are applied', async () => {
    const { id } = (await send('POST', '/prompts', { name: 'Price', prompt_text: 'Of {{name}}' })).body
    const provenance = { prompt_id: id, version_number: '1.0.0' }
    const { body: product } = await send('POST', '/products', { sku: 'C', name: 'A mug of stoneware' })
    await send('POST', '/products', { sku: 'D', name: 'A cup of stoneware' })
    await send('PUT', '/quality-rules', { rules: [{ code: 'priced', kind: 'price_present', points: 1 }] })
    // As they are until the background job scores them.
    await service.database.query(sql`
      update products set quality_score = 40, quality_ruleset = 0 where project_id = ${shop.project}`)
    await send('PATCH', `/products/${product.id}`, { description: 'A mug.', provenance })
    await send('POST', '/products/bulk', [{ sku: 'D', description: 'A cup.', price: 1, provenance }])
    const { body } = await send('GET', `/prompts/${id}/outcomes`)
    expect(body.results[0]).toMatchObject({ writes: 2, score_change: { mean: 50, median: 50 } })
  })

  test('of an unknown prompt, or of another project, return 404', async () => {
    expect((await send('GET', '/prompts/999999999/outcomes')).status).toBe(404)
    const other = await service.tenant()
    expect((await other.call(`/v2/prompts/${prompt}/outcomes`)).status).toBe(404)
  })
})
