import { beforeAll, describe, expect, test } from 'vitest'
import { sharedTestService, type Tenant } from '../../../test/harness.ts'

let shop: Tenant
beforeAll(async () => {
  shop = await (await sharedTestService()).tenant()
})

const colors = ['red', 'sky blue', 7, false]
const call = (method: string, path: string, body: unknown) =>
  shop.call(`/v2/products${path}`, { method, body })
const read = async (path: string) => (await shop.call(`/v2/products${path}`)).body
type Rule = { code: string; passed: boolean }
const passes = (product: { quality_score: { rules: Rule[] } }, wanted: string) =>
  product.quality_score.rules.find(({ code }) => code === wanted)?.passed

describe('an attribute with several values', () => {
  test('is written and read by create, patch, put, push, history, as_of and the list with its details', async () => {
    const created = await call('POST', '', { sku: 'MANY', name: 'Many', attributes: { colors, size: 'L' } })
    expect([created.status, created.body.attributes]).toEqual([201, { colors, size: 'L' }])
    const { id } = created.body
    const patched = await call('PATCH', `/${id}`, { attributes: { colors: ['green'] } })
    expect(patched.body.attributes).toEqual({ colors: ['green'], size: 'L' })
    const put = await call('PUT', `/${id}`, {
      sku: 'MANY',
      name: 'Many',
      attributes: { colors, sizes: [1, 2] },
    })
    expect(put.body.attributes).toEqual({ colors, sizes: [1, 2] })
    await call('POST', '/bulk', [{ sku: 'MANY', attributes: { colors: null, sizes: [2, 1] } }])
    expect((await read(`/${id}`)).attributes).toEqual({ sizes: [2, 1] })
    expect((await read(`/${id}/history`)).results[0]).toMatchObject({
      before: { attributes: { colors, sizes: [1, 2] } },
      after: { attributes: { sizes: [2, 1] } },
    })
    expect((await read('?expand=detail&sku=MANY')).results[0].attributes).toEqual({ sizes: [2, 1] })
    expect((await read(`/${id}?as_of=${put.body.updated_at}`)).attributes).toEqual({ colors, sizes: [1, 2] })
  })

  test('that do not change create no version, and another order does', async () => {
    const { body } = await call('POST', '', { sku: 'SAME', name: 'Same', attributes: { colors } })
    expect((await call('PATCH', `/${body.id}`, { attributes: { colors } })).body.version).toBe(1)
    const turned = await call('PATCH', `/${body.id}`, { attributes: { colors: colors.toReversed() } })
    expect(turned.body.version).toBe(2)
  })

  test.each([
    ['none at all', [], '/attributes/a', 'too_few'],
    ['over 100', Array(101).fill('x'), '/attributes/a', 'too_many'],
    ['an array inside', ['x', ['y']], '/attributes/a/1', 'invalid_type'],
    ['an object inside', [{}], '/attributes/a/0', 'invalid_type'],
    ['null inside', ['x', 'y', null], '/attributes/a/2', 'invalid_type'],
    ['a long text inside', ['x'.repeat(10_001)], '/attributes/a/0', 'too_long'],
  ])('%s is rejected at its pointer, in every kind of write', async (_name, a, pointer, code) => {
    const body = { sku: 'REFUSED', name: 'Refused', attributes: { a } }
    const { body: kept } = await call('PUT', '/by-sku/KEPT', { name: 'Kept', attributes: { a: 1 } })
    const error = expect.objectContaining({ pointer, code })
    for (const [method, path] of [
      ['POST', ''],
      ['PUT', '/by-sku/REFUSED'],
      ['PATCH', `/${kept.id}`],
    ] as const) {
      const { status, body: problem } = await call(method, path, body)
      expect([status, problem.errors]).toEqual([422, [error]])
    }
    const pushed = await call('POST', '/bulk', [body])
    expect(pushed.body.results[0]).toMatchObject({ outcome: 'rejected', errors: [error] })
  })

  test('counts as filled if each of its values is, and as one attribute', async () => {
    const attributes = { a: ['x', 'y', 'z'], b: [0, false] }
    const { body } = await call('POST', '', { sku: 'SCORED', name: 'Scored', attributes })
    expect([passes(body, 'attribute_values'), passes(body, 'attribute_count')]).toEqual([true, false])
    const blank = await call('PATCH', `/${body.id}`, { attributes: { a: ['x', ' '], c: 1 } })
    expect([passes(blank.body, 'attribute_values'), passes(blank.body, 'attribute_count')]).toEqual([
      false,
      true,
    ])
  })

  test('is reported by a dry run with each long text cut', async () => {
    const long = 'x'.repeat(5_000)
    await call('POST', '/bulk', [{ sku: 'DRY', name: 'Dry', attributes: { texts: ['short', long] } }])
    const lines = [{ sku: 'DRY', attributes: { texts: ['shorter', long] } }]
    const { body } = await call('POST', '/bulk?dry_run=true', lines)
    const cut = expect.stringMatching(/^x{200}… \(5000 characters\)$/)
    expect(body.results[0].changes.attributes).toEqual({
      before: { texts: ['short', cut] },
      after: { texts: ['shorter', cut] },
    })
  })

  test('fills a prompt with its values separated by commas', async () => {
    const { body } = await call('POST', '', { sku: 'PROMPT', name: 'P', attributes: { colors } })
    const prompt = { name: 'Colors', prompt_text: '{{attributes.colors}} / {{attributes}}' }
    const { body: made } = await shop.call('/v2/prompts', { method: 'POST', body: prompt })
    const rendered = await shop.call(`/v2/prompts/${made.id}/render`, {
      method: 'POST',
      body: { product_id: body.id },
    })
    expect(rendered.body.rendered_text).toBe('red, sky blue, 7, false / colors: red, sky blue, 7, false')
  })
})
