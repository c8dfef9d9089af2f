import { beforeAll, describe, expect, test } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../../../../test/harness.ts'
import { sql } from '../../../platform/database/sql.ts'

let service: TestService
let shop: Tenant
let prompt: number
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant()
  prompt = (await send('POST', '/prompts', { name: 'Describe', prompt_text: 'About {{name}}' })).body.id
})

const send = (method: string, path: string, body?: unknown) =>
  shop.call(`/v2${path}`, { method, ...(body !== undefined && { body }) })
const by = (fields?: string[]) => ({ prompt_id: prompt, version_number: '1.0.0', ...(fields && { fields }) })
type Shown = { version: number; updated_at: string; provenance: Record<string, unknown> }

/** Applies the changes one after the other, and returns the product after each of them. */
async function changed(sku: string, changes: object[]): Promise<{ id: number; steps: Shown[] }> {
  const { body: made } = await send('POST', '/products', { sku, name: 'Mug' })
  const steps = [made]
  for (const change of changes) {
    const { status, body, text } = await send('PATCH', `/products/${made.id}`, change)
    expect(status, text).toBe(200)
    steps.push(body)
  }
  return { id: made.id, steps }
}

describe('the history of a product', () => {
  test('shows what a prompt wrote, and the score before and after', async () => {
    const { id, steps } = await changed('H-1', [
      { description: 'A mug of stoneware.', price: 3, provenance: by() },
      { description: 'A cup.' },
    ])
    const { body } = await send('GET', `/products/${id}/history`)
    const scores = steps.map(
      (step) => (step as unknown as { quality_score: { score: number } }).quality_score.score,
    )
    expect(body.results).toMatchObject([
      { version: 3, provenance: {}, proposal: null, score_before: scores[1], score_after: scores[2] },
      { version: 2, proposal: null, score_before: scores[0], score_after: scores[1] },
      { version: 1, provenance: {}, proposal: null, score_before: null, score_after: scores[0] },
    ])
    expect(body.results[1].provenance).toEqual(steps[1]?.provenance)
    expect(Object.keys(body.results[1].provenance)).toEqual(['description'])
  })
})

describe('as_of', () => {
  test('shows the provenance that the product had then, after every kind of change', async () => {
    await send('POST', '/products', { sku: 'OTHER', name: 'Other' })
    const { id, steps } = await changed('H-2', [
      { description: 'D', attributes: { color: 'red', size: 'M' }, provenance: by() },
      { attributes: { size: 'L' } },
      { links: { related: [{ sku: 'OTHER' }], upsell: [{ sku: 'LATER' }] }, provenance: by(['links']) },
      { inventory: { tracked: true, backorders: true }, provenance: by(['inventory']) },
      { links: { upsell: [{ sku: 'OTHER' }] } },
      { inventory: { low_stock_threshold: 3 } },
      { attributes: { color: 'red', weight: 3 }, provenance: by() },
      { description: 'E', links: { related: null } },
      { description: 'D', attributes: { color: null } },
      { inventory: { backorders: false }, price: 3, provenance: by(['price']) },
      { price: 4, attributes: { 'a.b': 'x' }, provenance: by() },
    ])
    expect(steps.map(({ provenance }) => Object.keys(provenance).length)).toContain(6)
    for (const { version, updated_at, provenance } of steps) {
      const { body } = await send('GET', `/products/${id}?as_of=${updated_at}`)
      expect({ version: body.version, provenance: body.provenance }).toEqual({ version, provenance })
      expect(body.proposal).toBeNull()
    }
  })

  test('is fast even if a prompt wrote many attributes and many changes followed', {
    tags: 'slow',
  }, async () => {
    const names = Array.from({ length: 199 }, (_, index) => `attribute ${index}`)
    const attributes = Object.fromEntries(names.map((name) => [name, name.repeat(40)]))
    const { id, steps } = await changed('H-4', [{ attributes, provenance: by() }])
    await service.database.query(sql`
      insert into product_history (project_id, product_id, version, changed_at, actor, source, before, after)
      select project_id, product_id, number, now(), actor, source,
             jsonb_build_object('attributes', after -> 'attributes' || jsonb_build_object('number', number - 1)),
             jsonb_build_object('attributes', after -> 'attributes' || jsonb_build_object('number', number))
      from product_history, generate_series(3, 250) as number
      where project_id = ${shop.project} and product_id = ${id} and version = 2`)
    const { status, body } = await send('GET', `/products/${id}?as_of=${new Date().toISOString()}`)
    expect([status, body.version, body.provenance]).toEqual([200, 250, steps[1]?.provenance])
  })

  test('has no proposal for the current product', async () => {
    const { id } = await changed('H-3', [])
    expect('proposal' in (await send('GET', `/products/${id}`)).body).toBe(false)
  })
})
