import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../../../test/harness.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
})
beforeEach(async () => {
  shop = await service.tenant()
})

const send = (method: string, path: string, body?: unknown) =>
  shop.call(`/v2${path}`, { method, ...(body !== undefined && { body }) })
const define = async (...attributes: object[]) => {
  const { status, text } = await send('PUT', '/attributes', { attributes })
  expect(status, text).toBe(200)
}
const create = (attributes: object, rest = {}) =>
  send('POST', '/products', { sku: crypto.randomUUID(), name: 'A product', attributes, ...rest })
const push = async (products: object[], query = '') =>
  (await send('POST', `/products/bulk${query}`, products)).body.results
type InputError = { pointer: string; code: string; message: string }
const places = ({ body }: { body: { errors?: InputError[] } }) =>
  body.errors?.map(({ pointer, code }) => [pointer, code])

const color = { name: 'color', type: 'choice', allowed: ['Red', 'Green'], mode: 'enforce' }

describe('an enforced definition', () => {
  test('accepts valid values, and explains what is valid for all others', async () => {
    const cases: [object, unknown[], [unknown, string][]][] = [
      [
        { type: 'text', max_length: 3 },
        ['', 'abc', '👍👍👍'],
        [
          ['abcd', 'too_long'],
          [5, 'wrong_type'],
        ],
      ],
      [
        { type: 'text', pattern: '[A-Z]{2}-\\d+' },
        ['AB-1'],
        [
          ['AB-1 ', 'pattern_mismatch'],
          ['A'.repeat(2000), 'too_long'],
        ],
      ],
      [
        { type: 'number', min: 0.5, max: 2 },
        [0.5, 2],
        [
          [0.4, 'too_small'],
          [2.1, 'too_large'],
          ['1', 'wrong_type'],
        ],
      ],
      [{ type: 'boolean' }, [true, false], [['true', 'wrong_type']]],
      [
        { type: 'choice', allowed: ['a'] },
        ['a'],
        [
          ['A', 'not_allowed'],
          [1, 'wrong_type'],
        ],
      ],
      [
        { type: 'url' },
        ['https://example.com/a?b'],
        [
          ['ftp://example.com', 'wrong_type'],
          ['https://', 'wrong_type'],
          ['example.com', 'wrong_type'],
        ],
      ],
      [
        { type: 'date', min: '2024-02-01', max: '2024-02-29' },
        ['2024-02-29', '2024-02-29T23:59:59.5Z'],
        [
          ['2024-02-30', 'wrong_type'],
          ['2023-02-29T00:00:00Z', 'wrong_type'],
          ['2024-02-10T24:00:00Z', 'wrong_type'],
          ['2024-02-10T10:00:00+01:00', 'wrong_type'],
          ['10.02.2024', 'wrong_type'],
          ['2024-01-31', 'too_small'],
          ['2024-03-01T00:00:00Z', 'too_large'],
        ],
      ],
    ]
    await define(...cases.map(([fields], index) => ({ name: `n${index}`, mode: 'enforce', ...fields })))
    for (const [index, [, right, wrong]] of cases.entries()) {
      for (const value of right) expect((await create({ [`n${index}`]: value })).status, `${value}`).toBe(201)
      for (const [value, code] of wrong)
        expect(places(await create({ [`n${index}`]: value })), `${value}`).toEqual([
          [`/attributes/n${index}`, code],
        ])
    }
  })

  test('checks each value of a list, and accepts a list only with `multiple`', async () => {
    const size = { type: 'number', min: 1, mode: 'enforce' }
    await define({ name: 'sizes', multiple: true, ...size }, { name: 'size', ...size })
    const codeOf = async (attributes: object) => places(await create(attributes))?.[0]?.[1]
    for (const sizes of [5, [5], [1, 2, 3]]) expect((await create({ sizes })).status).toBe(201)
    expect(await codeOf({ sizes: [2, 'x'] })).toBe('wrong_type')
    expect(await codeOf({ sizes: [2, 0] })).toBe('too_small')
    expect([await codeOf({ size: [5, 6] }), await codeOf({ size: [5] })]).toEqual(['too_many', 'too_many'])
  })

  test('is reported at an escaped pointer, together with all other errors', async () => {
    await define(
      color,
      { name: 'a/b~c', type: 'number', mode: 'enforce' },
      { name: '__proto__', type: 'number', mode: 'enforce' },
    )
    const attributes = JSON.parse('{"a/b~c": "x", "color": "Blue", "__proto__": "y", "free": "as ever"}')
    const response = await create(attributes)
    expect(response.status).toBe(422)
    expect(new Map(places(response) as [string, string][])).toEqual(
      new Map([
        ['/attributes/a~1b~0c', 'wrong_type'],
        ['/attributes/color', 'not_allowed'],
        ['/attributes/__proto__', 'wrong_type'],
      ]),
    )
    expect(response.body.errors.find(({ code }: InputError) => code === 'not_allowed').message).toBe(
      'must be one of Red, Green',
    )
  })

  test('applies to every write, for the attributes that the write names', async () => {
    const { body: old } = await create({ color: 'Blue', size: 1 })
    await define(color)
    const path = `/products/${old.id}`
    const { sku } = old
    expect((await send('PATCH', path, { name: 'Other', attributes: { size: 2 } })).status).toBe(200)
    expect(await push([{ sku, price: 5 }])).toMatchObject([{ outcome: 'updated' }])
    const error = [['/attributes/color', 'not_allowed']]
    expect(places(await send('PATCH', path, { attributes: { color: 'Black' } }))).toEqual(error)
    const whole = { sku, name: 'Whole', attributes: { color: 'Blue' } }
    expect(places(await send('PUT', path, whole))).toEqual(error)
    expect(places(await send('PUT', `/products/by-sku/${sku}`, whole))).toEqual(error)
    expect(
      places(await send('PUT', '/products/by-sku/NEW', { name: 'New', attributes: { color: 'Blue' } })),
    ).toEqual(error)
    for (const query of ['', '?dry_run=true', '?on_error=abort'])
      expect(
        await push(
          [
            { sku, attributes: { color: 'Blue' } },
            { sku: 'NEW', name: 'New', attributes: { color: 1 } },
          ],
          query,
        ),
      ).toMatchObject([
        { outcome: 'rejected', errors: [{ pointer: '/attributes/color', code: 'not_allowed' }] },
        { outcome: 'rejected', errors: [{ pointer: '/attributes/color', code: 'wrong_type' }] },
      ])
    expect((await send('PATCH', path, { attributes: { color: null } })).body.attributes).toEqual({ size: 2 })
  })

  test('does not affect concurrent creates', async () => {
    await define(color)
    const responses = await Promise.all(
      ['Red', 'Blue', 'Green', 'Pink'].map((value) => create({ color: value })),
    )
    expect(responses.map(({ status }) => status)).toEqual([201, 422, 201, 422])
  })
})

describe('a required attribute', () => {
  test('is required to activate a product, and cannot be removed from an active one', async () => {
    await define({ ...color, required_for: {} })
    const missing = [['/attributes/color', 'required']]
    expect(places(await create({}, { status: 'active' }))).toEqual(missing)
    expect(places(await create({ color: ' ' }, { status: 'active' }))).toContainEqual([
      '/attributes/color',
      'not_allowed',
    ])
    const { body: product } = await create({})
    const path = `/products/${product.id}`
    expect(places(await send('PATCH', path, { status: 'active' }))).toEqual(missing)
    expect((await push([{ sku: product.sku, status: 'active' }]))[0].errors[0].code).toBe('required')
    expect((await send('PATCH', path, { status: 'active', attributes: { color: 'Red' } })).status).toBe(200)
    expect(places(await send('PATCH', path, { attributes: { color: null } }))).toEqual(missing)
    const bare = { sku: product.sku, name: 'Bare' }
    expect(places(await send('PUT', path, { ...bare, status: 'active' }))).toEqual(missing)
    expect((await send('PUT', path, bare)).status).toBe(200)
  })

  test('is required only for its types and categories, also if a change adds the product to them', async () => {
    const shirts = (await send('POST', '/categories', { name: 'Shirts' })).body.id
    await define({ ...color, required_for: { product_types: ['simple'], categories: [shirts] } })
    const active = { status: 'active' }
    const missing = [['/attributes/color', 'required']]
    expect(places(await create({}, { ...active, categories: [{ id: shirts }] }))).toEqual(missing)
    const { body: virtual } = await create(
      {},
      { ...active, product_type: 'virtual', categories: [{ id: shirts }] },
    )
    const { body: elsewhere } = await create({}, { ...active, categories: [{ name: 'Shoes' }] })
    expect(places(await send('PATCH', `/products/${virtual.id}`, { product_type: 'simple' }))).toEqual(
      missing,
    )
    expect(
      places(await send('PATCH', `/products/${elsewhere.id}`, { categories: [{ name: 'Shirts' }] })),
    ).toEqual(missing)
    expect((await send('PATCH', `/products/${elsewhere.id}`, { name: 'Still active' })).status).toBe(200)
  })

  test('that an active product already lacks does not block other changes', async () => {
    const { body: product } = await create({}, { status: 'active' })
    await define({ ...color, required_for: {} })
    const path = `/products/${product.id}`
    expect((await send('PATCH', path, { name: 'Other' })).status).toBe(200)
    expect((await send('PATCH', path, { status: 'inactive' })).status).toBe(200)
    expect((await send('PATCH', path, { status: 'active' })).status).toBe(422)
  })
})

describe('a definition that only warns', () => {
  test('rejects nothing, and a push reports what enforcing would reject', async () => {
    await define({ ...color, mode: 'warn', required_for: {} }, { name: 'off', type: 'number', mode: 'off' })
    const [first, second, third] = await push([
      { sku: 'W-1', name: 'One', attributes: { color: 'Blue', off: 'x' } },
      { sku: 'W-2', name: 'Two', status: 'active' },
      { sku: 'W-3', name: 'Three', attributes: { color: 'Red' } },
    ])
    const message = 'must be one of Red, Green'
    expect(first).toMatchObject({
      outcome: 'created',
      warnings: [{ pointer: '/attributes/color', code: 'not_allowed', message }],
    })
    expect(second.warnings).toMatchObject([{ code: 'required' }])
    expect(third).not.toHaveProperty('warnings')
    const dry = await push([{ sku: 'W-3', attributes: { color: 'Pink' } }], '?dry_run=true')
    expect(dry).toMatchObject([{ outcome: 'updated', warnings: [{ code: 'not_allowed' }] }])
    expect((await create({ color: 'Blue' }, { status: 'active' })).status).toBe(201)
  })

  test('is one rule of the score, whose message lists the errors of the product', async () => {
    const rule = ({ body }: { body: { quality_score: { rules: { code: string }[] } } }) =>
      body.quality_score.rules.find(({ code }) => code === 'attribute_definitions')
    expect(rule(await create({ color: 'Blue' }))).toBeUndefined()
    await define(
      { ...color, mode: 'warn' },
      { name: 'size', type: 'number', required_for: { product_types: ['simple'] } },
    )
    expect(rule(await create({ color: 'Red' }))).toMatchObject({ passed: true })
    const wrong = await create({ color: 'Blue' }, { status: 'active' })
    expect(rule(wrong)).toEqual({
      code: 'attribute_definitions',
      field: 'attributes',
      passed: false,
      points: 0,
      max_points: 10,
      message:
        'An attribute does not match its definition. color must be one of Red, Green; size is required for active products of this type.',
    })
    const other = await create({ color: 'Red', size: 'L' })
    expect(rule(other)).toMatchObject({
      passed: false,
      message: expect.stringContaining('size must be a number'),
    })
    expect(rule(await send('GET', `/products/${wrong.body.id}`))).toEqual(rule(wrong))
    const right = await send('PATCH', `/products/${wrong.body.id}`, { attributes: { color: 'Red', size: 4 } })
    expect(rule(right)).toMatchObject({ passed: true, points: 10, message: 'Passed.' })
    expect(right.body.quality_score.score).toBeGreaterThan(wrong.body.quality_score.score)
    const own = [{ code: 'attribute_definitions', kind: 'attribute_definitions', points: 50 }]
    await send('PUT', '/quality-rules', { rules: own })
    expect(rule(await create({ color: 'Blue' }))).toMatchObject({ passed: false, points: 0, max_points: 50 })
    await send('DELETE', '/quality-rules')
    await define({ ...color, mode: 'off' })
    expect(rule(await create({ color: 'Blue' }))).toBeUndefined()
  })
})
