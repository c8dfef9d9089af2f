import { setImmediate as nextTurn } from 'node:timers/promises'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { backendOf, isWaitedFor, until } from '../../../test/database/blocked.ts'
import { sharedTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { changeRuleset } from '../rulesets/ruleset.sql.ts'
import { checkRules } from './check-rules.ts'
import { spreadIds } from './preview.sql.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant()
})

type RuleResult = { code: string; passed: boolean; message: string; max_points: number; field: string }

const put = (rules: object[], tenant = shop) =>
  tenant.call('/v2/quality-rules', { method: 'PUT', body: { rules } })
const get = async (tenant = shop) => (await tenant.call('/v2/quality-rules')).body
const create = async (body: object, tenant = shop) =>
  (await tenant.call('/v2/products', { method: 'POST', body })).body
const priced = { code: 'priced', kind: 'price_present', points: 1, message: 'Say what it costs.' }

/** The result of one rule for a new product, in a project with only this rule. */
async function resultOf(rule: object, product: object): Promise<RuleResult> {
  const tenant = await service.tenant()
  expect((await put([{ code: 'tried', points: 7, ...rule }], tenant)).status).toBe(200)
  const { quality_score } = await create({ sku: 'TRIED', name: 'Tried', ...product }, tenant)
  return quality_score.rules[0]
}

describe('the rules of a project', () => {
  test('and the added rules are the rules that a product shows', async () => {
    const tenant = await service.tenant()
    expect((await get(tenant)).added_rules).toEqual([])
    const color = { name: 'color', type: 'text', mode: 'off' }
    await tenant.call('/v2/attributes', { method: 'POST', body: color })
    expect((await get(tenant)).added_rules).toEqual([])
    await tenant.call('/v2/attributes/color', { method: 'PATCH', body: { mode: 'warn' } })
    const { rules, added_rules } = await get(tenant)
    expect(added_rules).toMatchObject([{ code: 'attribute_definitions', points: 10 }])
    const { quality_score } = await create({ sku: 'A', name: 'A' }, tenant)
    const listed = (rule: RuleResult & { points: number }) => [rule.code, rule.max_points ?? rule.points]
    expect(quality_score.rules.map(listed)).toEqual([...rules, ...added_rules].map(listed))
    const own = { ...added_rules[0], points: 3 }
    expect((await put([own], tenant)).body).toMatchObject({ rules: [own], added_rules: [] })
  })

  test('are the nine default rules until it has its own, and again after it deletes them', async () => {
    const tenant = await service.tenant()
    const before = await get(tenant)
    expect(before).toMatchObject({ ruleset: 0, progress: null })
    expect(before.rules.map(({ code, points }: { code: string; points: number }) => [code, points])).toEqual([
      ['name_length', 15],
      ['name_case', 5],
      ['description_length', 25],
      ['short_description_length', 10],
      ['price_present', 15],
      ['category_present', 10],
      ['attribute_count', 10],
      ['attribute_values', 5],
      ['sku_form', 5],
    ])
    expect((await put([priced], tenant)).body).toMatchObject({ ruleset: 1, rules: [priced] })
    const { status } = await tenant.call('/v2/quality-rules', { method: 'DELETE' })
    expect([status, await get(tenant)]).toEqual([204, { ...before, ruleset: 2 }])
    await tenant.call('/v2/quality-rules', { method: 'DELETE' })
    expect((await get(tenant)).ruleset).toBe(2)
  })

  test('score writes immediately, with their codes, points and messages', async () => {
    const tenant = await service.tenant()
    await put([priced, { code: 'shown', kind: 'image_present', points: 3 }], tenant)
    const { quality_score } = await create({ sku: 'S', name: 'N', price: 1 }, tenant)
    expect(quality_score).toMatchObject({ score: 25, ruleset: 1 })
    expect(quality_score.rules).toMatchObject([
      { code: 'priced', field: 'price', passed: true, points: 1, max_points: 1 },
      {
        code: 'shown',
        field: 'media',
        passed: false,
        points: 0,
        message: 'The product should have at least 1 image.',
      },
    ])
  })

  test('that are sent again, with or without their defaults, change nothing', async () => {
    const tenant = await service.tenant()
    const rule = { code: 'sorted', kind: 'category_count', points: 2, product_types: [] }
    const { body } = await put([rule], tenant)
    expect(body.rules).toEqual([
      {
        code: 'sorted',
        kind: 'category_count',
        min: 1,
        points: 2,
        message: 'The product should be in at least 1 category.',
      },
    ])
    expect((await put([rule], tenant)).body.ruleset).toBe(1)
    expect((await put(body.rules, tenant)).body.ruleset).toBe(1)
    expect((await put([{ ...rule, points: 3 }], tenant)).body.ruleset).toBe(2)
  })

  test('that equal the default rules change nothing', async () => {
    const tenant = await service.tenant()
    const { rules } = await get(tenant)
    expect((await put(rules, tenant)).body).toMatchObject({ ruleset: 0, progress: null })
  })

  test('of one project do not apply to another', async () => {
    const other = await service.tenant()
    await put([priced], other)
    expect((await get()).ruleset).toBe(0)
  })
})

test('after a change every product is scored again, and until then shows the rules that scored it', async () => {
  const tenant = await service.tenant()
  const made = await create({ sku: 'OLD', name: 'N' }, tenant)
  expect((await put([priced], tenant)).body.progress).toEqual({ scored: 0, products: 1 })
  const read = async () => (await tenant.call(`/v2/products/${made.id}`)).body
  const scored = sql`select from products where project_id = ${tenant.project} and quality_ruleset = 1`
  await expect.poll(() => service.database.query(scored)).toHaveLength(1)
  const { version, updated_at, quality_score } = await read()
  expect([version, updated_at, quality_score.score, quality_score.ruleset]).toEqual([
    1,
    made.updated_at,
    0,
    1,
  ])
  expect(quality_score.rules).toMatchObject([{ code: 'priced', message: 'Say what it costs.' }])
  expect((await tenant.call(`/v2/products/${made.id}/history`)).body.count).toBe(1)
  expect((await get(tenant)).progress).toEqual({ scored: 1, products: 1 })
})

describe('a category that is deleted while a rule starts to use it', () => {
  let tenant: Tenant
  let id: number
  beforeEach(async () => {
    tenant = await service.tenant()
    id = (await tenant.call('/v2/categories', { method: 'POST', body: { name: 'Lamps' } })).body.id
  })
  /** Sends the request while a transaction with the work is open, until it has a response or waits for the transaction. */
  const during = async (
    work: (tx: Transaction) => Promise<unknown>,
    ask: () => ReturnType<Tenant['call']>,
  ) => {
    const { response } = await service.database.transaction(async (tx) => {
      await work(tx)
      let hasResponse = false
      const response = ask().finally(() => {
        hasResponse = true
      })
      const backend = await backendOf(tx)
      await until(async () => hasResponse || isWaitedFor(service.database, backend))
      return { response }
    })
    return response
  }

  test.each([
    ['/v2/quality-rules', () => ({ rules: [{ ...priced, categories: [id] }] })],
    [
      '/v2/attributes',
      () => ({ attributes: [{ name: 'size', type: 'text', required_for: { categories: [id] } }] }),
    ],
  ])('is reported as unknown by PUT %s', async (path, body) => {
    const { status } = await during(
      (tx) => tx.query(sql`delete from categories where id = ${id}`),
      () => tenant.call(path, { method: 'PUT', body: body() }),
    )
    expect(status).toBe(422)
  })

  test('is not deleted if the rule was first', async () => {
    const { body } = await during(
      async (tx) => {
        const rules = [{ ...priced, kind: 'price_present' as const, categories: [id] }]
        await checkRules(tx, tenant.project, rules, true)
        await changeRuleset(tx, tenant.project, { actor: 'tester', source: 'api' }, (current) => ({
          ...current,
          rules,
        }))
      },
      () => tenant.call(`/v2/categories/${id}`, { method: 'DELETE' }),
    )
    expect(body.code).toBe('category_in_use')
  })
})

describe('a rule of the kind', () => {
  const long = 'x'.repeat(30)
  const image = (alt = '') => ({ url: 'https://shop.example/lamp.jpg', kind: 'image', alt })
  test.each([
    ['text_length', { field: 'name', min: 3, max: 5 }, { name: 'Four' }, { name: 'Longer' }],
    [
      'text_length',
      { field: 'description', max: 30 },
      { description: `<p>${long}</p>` },
      { description: `${long}!` },
    ],
    ['text_length', { field: 'name', min: 6 }, { name: 'Fish &amp; chips' }, { name: '<b>Fish</b>' }],
    ['text_length', { field: 'name', max: 3 }, { name: '&constructor;' }, { name: '&lt;b&gt;&amp;' }],
    ['text_case', { field: 'name' }, { name: 'Lamp' }, { name: '<b>LAMP</b>' }],
    ['text_pattern', { field: 'name', pattern: '[A-Z].*' }, { name: '<i>Lamp</i>' }, { name: 'lamp' }],
    ['text_pattern', { field: 'sku', pattern: '[A-Z]{3}-\\d+' }, { sku: 'ABC-12' }, { sku: 'xABC-12' }],
    ['text_pattern', { field: 'name', pattern: 'a|b' }, { name: 'b' }, { name: 'ab' }],
    ['price_present', {}, { price: 0 }, { product_type: 'bundle' }],
    [
      'category_count',
      { min: 2 },
      { categories: [{ name: 'A' }, { name: 'B' }] },
      { categories: [{ name: 'A' }] },
    ],
    ['attribute_count', { min: 2 }, { attributes: { a: 1, b: 2 } }, { attributes: { a: 1 } }],
    ['attribute_values', {}, { attributes: { a: 0, b: false } }, { attributes: { a: ' ' } }],
    ['attribute_present', { attribute: 'a' }, { attributes: { a: false } }, { attributes: { a: ' ' } }],
    ['attribute_present', { attribute: 'toString' }, { attributes: { toString: 'x' } }, { attributes: {} }],
    ['image_present', { min: 2 }, { media: [image(), image()] }, { media: [image()] }],
    ['image_alt', {}, { media: [image('A lamp')] }, { media: [image('A lamp'), image(' ')] }],
    ['attribute_values', {}, { attributes: { a: ['x', 0] } }, { attributes: { a: ['x', ''] } }],
    ['price_present', { product_types: ['simple'] }, { product_type: 'virtual' }, { product_type: 'simple' }],
  ] as const)('%s %j passes and fails', async (kind, settings, right, wrong) => {
    expect(await resultOf({ kind, ...settings }, right)).toMatchObject({ passed: true })
    const failed = await resultOf({ kind, ...settings }, wrong)
    expect(failed).toMatchObject({ passed: false, max_points: 7 })
    expect(failed.message).toMatch(/^[A-Z].+\.$/)
  })

  test('with categories passes for products in none of them', async () => {
    const tenant = await service.tenant()
    const { body: lamps } = await tenant.call('/v2/categories', { method: 'POST', body: { name: 'Lamps' } })
    await put([{ ...priced, categories: [lamps.id] }], tenant)
    expect((await create({ sku: 'A', name: 'N' }, tenant)).quality_score.score).toBe(100)
    expect((await create({ sku: 'B', name: 'N', categories: [lamps.id] }, tenant)).quality_score.score).toBe(
      0,
    )
  })
})

describe('invalid rules', () => {
  const rule = { code: 'a', kind: 'text_length', field: 'name', min: 1, points: 1 }
  const many = Array.from({ length: 51 }, (_, index) => ({ ...rule, code: `r${index}` }))
  const patterns = Array.from({ length: 6 }, (_, index) => ({
    code: `p${index}`,
    kind: 'text_pattern',
    field: 'sku',
    pattern: 'a',
    points: 1,
  }))
  test.each([
    ['a code of other letters', [{ ...rule, code: 'Über' }], '/rules/0/code', 'invalid_format'],
    ['a code twice', [rule, rule], '/rules/1/code', 'duplicate'],
    ['the code of another kind', [{ ...rule, code: 'attribute_definitions' }], '/rules/0/code', 'reserved'],
    ['no such kind', [{ ...rule, kind: 'text' }], '/rules/0/kind', 'invalid_choice'],
    ['no field', [{ ...rule, field: undefined }], '/rules/0/field', 'required'],
    ['no length', [{ ...rule, min: undefined }], '/rules/0/min', 'required'],
    ['a field that means nothing', [{ ...rule, pattern: 'x' }], '/rules/0/pattern', 'not_applicable'],
    ['max below min', [{ ...rule, min: 5, max: 4 }], '/rules/0/max', 'too_small'],
    ['too many points', [{ ...rule, points: 101 }], '/rules/0/points', 'too_large'],
    ['no point in all', [{ ...rule, points: 0 }], '/rules', 'too_small'],
    ['no rule', [], '/rules', 'too_small'],
    ['too many rules', many, '/rules', 'too_many'],
    ['too many patterns', patterns, '/rules/5/kind', 'too_many'],
    [
      'a pattern that goes back',
      [{ ...patterns[0], pattern: '(a)\\1' }],
      '/rules/0/pattern',
      'invalid_pattern',
    ],
    [
      'a pattern of many steps',
      [{ ...patterns[0], pattern: '(a?){900}' }],
      '/rules/0/pattern',
      'invalid_pattern',
    ],
    [
      'an unknown category',
      [{ ...rule, categories: [987654321] }],
      '/rules/0/categories/0',
      'unknown_category',
    ],
  ])('with %s are rejected at the pointer, by PUT and preview', async (_what, rules, pointer, code) => {
    for (const [method, path] of [
      ['PUT', ''],
      ['POST', '/preview'],
    ] as const) {
      const { status, body } = await shop.call(`/v2/quality-rules${path}`, { method, body: { rules } })
      expect([status, body.errors]).toMatchObject([422, [{ pointer, code }]])
    }
    expect((await get()).ruleset).toBe(0)
  })
})

describe('quality_rule', () => {
  test('accepts any code of the project, in lists and exports, and suggests one for others', async () => {
    const tenant = await service.tenant()
    await put([priced, { code: 'null', kind: 'attribute_count', points: 1 }], tenant)
    await create({ sku: 'EXPENSIVE', name: 'N', price: 2 }, tenant)
    await create({ sku: 'FREE', name: 'N', attributes: { a: 1 } }, tenant)
    expect((await tenant.call('/v2/products?quality_rule=priced')).body.results).toMatchObject([
      { sku: 'FREE' },
    ])
    expect((await tenant.call('/v2/products?quality_rule=null')).body.results).toMatchObject([
      { sku: 'EXPENSIVE' },
    ])
    expect((await tenant.call('/v2/products/export?quality_rule=priced')).text).toContain('"sku":"FREE"')
    for (const path of ['/v2/products', '/v2/products/export']) {
      const { status, body } = await tenant.call(`${path}?quality_rule=price`)
      expect([status, body.errors]).toEqual([
        400,
        [
          {
            parameter: 'quality_rule',
            code: 'invalid_value',
            message: 'is not a rule of this project; did you mean "priced"?',
          },
        ],
      ])
    }
    expect((await shop.call('/v2/products?quality_rule=sku_from')).body.errors[0].message).toContain(
      '"sku_form"',
    )
  })
})

describe('a preview', () => {
  test('returns scores before and after, failed rules and the largest changes, and writes nothing', async () => {
    const tenant = await service.tenant()
    await create({ sku: 'EXPENSIVE', name: 'N', price: 2 }, tenant)
    await create({ sku: 'FREE', name: 'N' }, tenant)
    const rules = [priced, { code: 'shown', kind: 'image_present', points: 1 }]
    const { status, body } = await tenant.call('/v2/quality-rules/preview', {
      method: 'POST',
      body: { rules },
    })
    expect([status, body]).toMatchObject([
      200,
      {
        looked_at: 2,
        products: 2,
        average: { before: 17.5, after: 25 },
        grades: ['A', 'B', 'C', 'D', 'E'].map((grade) => ({
          grade,
          before: grade === 'E' ? 2 : 0,
          after: grade === 'D' || grade === 'E' ? 1 : 0,
        })),
        rules: [
          { code: 'priced', failed: 1 },
          { code: 'shown', failed: 2 },
        ],
        changes: [
          { sku: 'EXPENSIVE', before: 25, after: 50 },
          { sku: 'FREE', before: 10, after: 0 },
        ],
      },
    ])
    expect((await get(tenant)).ruleset).toBe(0)
    expect((await tenant.call('/v2/products?quality_score__gte=50')).body.count).toBe(0)
  })

  test('without products has no average', async () => {
    const tenant = await service.tenant()
    const { body } = await tenant.call('/v2/quality-rules/preview', {
      method: 'POST',
      body: { rules: [priced] },
    })
    expect(body).toMatchObject({
      looked_at: 0,
      products: 0,
      average: { before: null, after: null },
      changes: [],
    })
  })

  test('of many products checks 1,000, spread evenly from the first to the last', {
    tags: 'slow',
  }, async () => {
    const tenant = await service.tenant()
    // With explicit IDs without gaps, because other tests use the sequence at the same time.
    const before = 1_000_000_000
    await service.database.query(sql`
      insert into products (project_id, id, sku, name, search_text, quality_score, quality_failed, quality_rules_version)
      select ${tenant.project}, ${before}::bigint + number, 'S-' || number, 'x', 'x', 1, '{}', 3
      from generate_series(1, 1500) as number`)
    const { body } = await tenant.call('/v2/quality-rules/preview', {
      method: 'POST',
      body: { rules: [priced] },
    })
    expect(body).toMatchObject({
      looked_at: 1000,
      products: 1500,
      rules: [{ code: 'priced', failed: 1000 }],
    })
    expect(body.changes).toHaveLength(20)
    const few = await spreadIds(service.database, tenant.project, { wanted: 3, products: 1500 })
    const many = await spreadIds(service.database, tenant.project, { wanted: 3, products: 1_000_000 })
    for (const [first = 0, second = 0, third = 0] of [few, many]) {
      expect(Math.abs(second - first - (third - second))).toBeLessThan(1500 / 10)
      expect(third - first).toBeGreaterThan(750)
    }
  })
})

/**
 * How long the work blocks this thread, which the service shares. Measured in CPU time, so that other programs do not count.
 */
async function longestTurn(work: Promise<unknown>): Promise<number> {
  let isOver = false
  void work.finally(() => {
    isOver = true
  })
  const used = () => process.threadCpuUsage().user
  let longest = 0
  for (let before = used(); !isOver; ) {
    await nextTurn()
    const now = used()
    longest = Math.max(longest, now - before)
    before = now
  }
  return longest
}

test('expensive patterns do not delay other requests during scoring and pushes', {
  tags: 'slow',
}, async () => {
  const shop = await service.tenant()
  const expensive = `${'[a-z]*'.repeat(25)}!`
  const rules = Array.from({ length: 5 }, (_, index) => ({
    code: `expensive_${index}`,
    kind: 'text_pattern',
    field: 'description',
    pattern: expensive,
    points: 1,
  }))
  const put = await shop.call('/v2/quality-rules', { method: 'PUT', body: { rules } })
  expect(put.status).toBe(200)
  const lines = Array.from({ length: 30 }, (_, index) => ({
    sku: `D-${index}`,
    name: 'Expensive',
    description: `${'a'.repeat(5_000)}?`,
  }))
  const single = (sku: string) => shop.call('/v2/products', { method: 'POST', body: { ...lines[0], sku } })
  // The first one also compiles the patterns.
  await single('D-FIRST')
  const ofOne = await longestTurn(single('D-ONE'))
  const pushing = shop.call('/v2/products/bulk', { method: 'POST', body: lines })
  const ofMany = await longestTurn(pushing)
  expect((await pushing).body.summary.created).toBe(30)
  // Without yielding, all 30 would be scored in one turn.
  expect(ofMany).toBeLessThan(ofOne * 10)
})
