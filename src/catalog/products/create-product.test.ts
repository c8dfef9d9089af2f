import { beforeAll, describe, expect, test } from 'vitest'
import { recordFigures } from '../../../test/faults/figures.ts'
import { rounds } from '../../../test/faults/scale.ts'
import { sharedTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { showsCharacters } from '../../model/quality/visible-text.ts'
import { sql } from '../../platform/database/sql.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant({ currency: 'CHF', name: 'Importer' })
})

const post = (body: unknown, headers?: Record<string, string>) =>
  shop.call('/api/products', { method: 'POST', body, ...(headers && { headers }) })
const pointers = (body: { errors: { pointer: string }[] }) => body.errors.map(({ pointer }) => pointer).sort()

const kettle = {
  sku: 'KET-1',
  name: 'Gooseneck kettle, 0.9 l',
  description: 'A kettle.',
  short_description: 'Kettle',
  price: 79.9,
  status: 'active',
  product_type: 'simple',
  categories: [{ name: 'Kitchen' }, { name: 'Kettles' }],
  attributes: { color: 'black', volume_l: 0.9, induction: true },
  inventory: { quantity: 12, reserved: 2, low_stock_threshold: 3 },
}

describe('a created product', () => {
  test('returns 201, its URL and the detail, and reads the same under both prefixes', async () => {
    const created = await post(kettle)
    expect(created.status).toBe(201)
    expect(created.headers.get('location')).toBe(`${service.url}/api/products/${created.body.id}`)
    expect(created.body).toMatchObject({
      sku: 'KET-1',
      name: 'Gooseneck kettle, 0.9 l',
      description: 'A kettle.',
      short_description: 'Kettle',
      price: 79.9,
      currency: 'CHF',
      status: 'active',
      product_type: 'simple',
      project: shop.project,
      version: 1,
      categories: [{ name: 'Kitchen' }, { name: 'Kettles' }],
      attributes: { color: 'black', volume_l: 0.9, induction: true },
      inventory: {
        tracked: true,
        quantity: 12,
        reserved: 2,
        available: 10,
        in_stock: true,
        low_stock_threshold: 3,
        backorders: false,
      },
    })
    for (const prefix of ['/api', '/v2']) {
      const read = await shop.call(`${prefix}/products/${created.body.id}`)
      expect([read.status, read.body]).toEqual([200, created.body])
    }
  })

  test('needs only SKU and name, and has the documented defaults otherwise', async () => {
    const { body } = await post({ sku: 'BARE', name: 'Bare' })
    expect(body).toMatchObject({
      description: '',
      short_description: '',
      price: null,
      status: 'pending',
      product_type: 'simple',
      categories: [],
      attributes: {},
      inventory: { tracked: false, quantity: 0, available: 0, in_stock: true },
    })
  })

  test.each([
    ['tags', '<p class="intro lead-text">Short.</p>'.repeat(5), false],
    ['a comment', `Short.<!-- ${'x'.repeat(200)} -->`, false],
    ['an open comment', `Short.<!-- ${'x'.repeat(200)}`, false],
    [
      'styles and scripts',
      `<STYLE>${'a{} '.repeat(50)}</style >Short.<script>${'x()'.repeat(50)}</script>`,
      false,
    ],
    ['entities', '&nbsp;'.repeat(100) + '&amp;'.repeat(50), false],
    ['blanks', `<p>${' \n'.repeat(100)}</p>x`, false],
    ['text between tags', `<p>${'<b>x</b> y '.repeat(25)}</p>`, false],
    ['enough text between tags', `<p>${'<b>xx</b> yy '.repeat(25)}</p>`, true],
    ['a sign that is no tag', `1 < 2 & 3 > 2 ${'x'.repeat(86)}`, true],
    ['plain text', 'x'.repeat(100), true],
    ['too short a text', ` ${'x'.repeat(99)} `, false],
  ])('the length of a description is that of its text: %s', async (what, description, isLong) => {
    const body = { sku: `MARKUP ${what}`, name: 'N', description }
    const { quality_score } = (await shop.call('/api/products', { method: 'POST', body })).body
    const rule = quality_score.rules.find(({ code }: { code: string }) => code === 'description_length')
    expect(rule.passed).toBe(isLong)
  })

  test('a description that contains only markup counts as empty', async () => {
    const body = { sku: 'EMPTY', name: 'N', description: '<p><br/></p>', short_description: '&nbsp;' }
    const { quality_score } = (await shop.call('/api/products', { method: 'POST', body })).body
    expect(quality_score.completeness).toBe(0)
  })

  test.each(['<a', '<!--', '<script', '</script ', '&#'])(
    'unclosed markup takes linear time: %s',
    { tags: 'slow' },
    (part) => {
      const markup = part.repeat(3_000_000 / part.length)
      const before = process.threadCpuUsage()
      showsCharacters(markup, 10_000_000)
      const { user, system } = process.threadCpuUsage(before)
      // Half a second of processor time. Quadratic time would be 7 seconds or more.
      expect((user + system) / 1_000).toBeLessThan(4_000)
    },
  )

  test('has a quality score whose rules add up and explain what to fix', async () => {
    const { body } = await post({ sku: 'Q 1', name: 'SHOUT' })
    const { score, grade, completeness, rules } = body.quality_score
    expect(rules.reduce((sum: number, { points }: { points: number }) => sum + points, 0)).toBe(score)
    expect(rules.reduce((sum: number, rule: { max_points: number }) => sum + rule.max_points, 0)).toBe(100)
    expect([score, grade, completeness]).toEqual([5, 'E', 0])
    const failed = rules.filter(({ passed }: { passed: boolean }) => !passed)
    expect(failed).toHaveLength(8)
    expect(failed[0]).toMatchObject({ code: 'name_length', field: 'name', points: 0, max_points: 15 })
    expect(failed[0].message).toContain('10 to 150')
  })

  test('has its creation in the history, with actor and source', async () => {
    const { body } = await post({ sku: 'HIST', name: 'Told' })
    const { results } = (await shop.call(`/v2/products/${body.id}/history`)).body
    expect(results).toMatchObject([
      { version: 1, actor: 'Importer', source: 'api', before: null, after: { sku: 'HIST' } },
    ])
  })
})

describe('fault 16: a price', () => {
  test.each([0, 0.1, 0.0001, 19.99, 1.005, 1234.5678, 99_999_999.9999])(
    '%d is stored exactly',
    async (price) => {
      const { body } = await post({ sku: `PRICE-${price}`, name: 'Priced', price })
      expect(body.price).toBe(price)
      const [row] = await service.database.query(
        sql<{ text: string }>`select price::text as text from products where id = ${body.id}`,
      )
      expect(Number(row?.text)).toBe(price)
    },
  )

  test.each([
    '-1',
    '-0',
    '0.12345',
    '1e400',
    '100000000',
    '1e8',
    '0.10000000000000000001',
    '12345678901234567890',
    '0.000000001',
    '"NaN"',
    '"5"',
    'true',
  ])('%s is rejected, never rounded', async (price) => {
    const { status, body } = await post(`{"sku":"BAD","name":"Bad","price":${price}}`)
    expect([status, body.code]).toEqual([422, 'invalid_body'])
    expect([...new Set(pointers(body))]).toEqual(['/price'])
  })

  test('written with trailing zeros or an exponent is the same number', async () => {
    const { body } = await post('{"sku":"ZEROS","name":"Zeros","price":1.9900e1}')
    expect(body.price).toBe(19.9)
  })
})

describe('a SKU', () => {
  test('fault 19: is trimmed and composed; both spellings are one SKU', async () => {
    const first = await post({ sku: '  Caf\u0065\u0301-1 ', name: 'Decomposed' })
    expect(first.body.sku).toBe('Café-1')
    const second = await post({ sku: 'Caf\u00e9-1', name: 'Composed' })
    expect([second.status, second.body.code, second.body.existing_id]).toEqual([
      409,
      'duplicate_sku',
      first.body.id,
    ])
  })

  test('fault 19: differs by case', async () => {
    expect((await post({ sku: 'case-a', name: 'Lower' })).status).toBe(201)
    expect((await post({ sku: 'CASE-A', name: 'Upper' })).status).toBe(201)
  })

  test('can also be used by another project', async () => {
    const other = await service.tenant()
    await post({ sku: 'SHARED', name: 'Ours' })
    expect(
      (await other.call('/api/products', { method: 'POST', body: { sku: 'SHARED', name: 'Theirs' } })).status,
    ).toBe(201)
  })

  test('fault 20: is created once by 50 concurrent clients: one 201 and 49 × 409', async (context) => {
    let races = 0
    for (const round of rounds(1, 100, 30)) {
      const product = { sku: `RACE-${round}`, name: 'Race', categories: [{ name: 'Raced' }] }
      const responses = await Promise.all(Array.from({ length: 50 }, () => post(product)))
      const counts = responses.map(({ status }) => status).sort()
      expect(counts).toEqual([201, ...Array(49).fill(409)])
      const winner = responses.find(({ status }) => status === 201)?.body.id
      expect(
        new Set(responses.filter(({ status }) => status === 409).map(({ body }) => body.existing_id)),
      ).toEqual(new Set([winner]))
      races += 1
    }
    recordFigures(context, { tried: races, of: 'races of 50 concurrent creates', survived: races, lost: 0 })
  })
})

describe('categories', () => {
  test('are named by ID, {id} or {name}, and stored in order without duplicates', async () => {
    const { body: one } = await post({
      sku: 'CAT-1',
      name: 'One',
      categories: [{ name: ' Zebra ' }, { name: 'Apple' }],
    })
    const [zebra, apple] = one.categories
    expect([zebra.name, apple.name]).toEqual(['Zebra', 'Apple'])
    const { body: two } = await post({
      sku: 'CAT-2',
      name: 'Two',
      categories: [apple.id, { id: zebra.id }, { name: 'Apple' }],
    })
    expect(two.categories).toEqual([apple, zebra])
  })

  test('fault 21: that are unknown or belong to another project are rejected alike, and nothing is written', async () => {
    const other = await service.tenant()
    const foreign = (
      await other.call('/api/products', {
        method: 'POST',
        body: { sku: 'F', name: 'F', categories: [{ name: 'Foreign' }] },
      })
    ).body
    const ids = [foreign.categories[0].id, 9_007_199_254_740_991]
    const messages: string[] = []
    for (const id of ids) {
      const { status, body } = await post({
        sku: 'CAT-BAD',
        name: 'Bad',
        categories: [{ name: 'Left behind' }, id],
      })
      expect([status, pointers(body)]).toEqual([422, ['/categories/1']])
      messages.push(body.errors[0].message.replace(String(id), 'N'))
    }
    expect(messages[0]).toBe(messages[1])
    const [row] = await service.database.query(sql<{ count: number }>`
      select count(*) from categories where project_id = ${shop.project} and name = 'Left behind'`)
    expect(row?.count).toBe(0)
  })

  test.each([
    [['x']],
    [[{}]],
    [[{ id: 1, name: 'x' }]],
    [[0]],
    [[1.5]],
    [[{ name: '' }]],
    [[null]],
    ['Kitchen'],
  ])('%j are rejected', async (categories) => {
    const { status, body } = await post({ sku: 'CAT-FORM', name: 'Form', categories })
    expect([status, body.code]).toEqual([422, 'invalid_body'])
    expect(body.errors).toHaveLength(1)
  })
})

describe('attributes', () => {
  test('fault 18: with awkward names are stored exactly', async () => {
    const attributes = JSON.parse(
      '{"__proto__":"a","constructor":"b","toString":"c","hasOwnProperty":"d","Shoe Size":42,"%_\\\\\'\\";--":"e","é":"f"}',
    )
    const { status, body } = await post({ sku: 'AWKWARD', name: 'Awkward', attributes: attributes })
    expect(status).toBe(201)
    const read = await shop.call(`/api/products/${body.id}`)
    expect(read.text).toContain('"__proto__":"a"')
    expect(Object.entries(read.body.attributes).sort()).toEqual(Object.entries(attributes).sort())
  })

  test.each([
    ['an empty name', { '': 'x' }, '/attributes/'],
    ['a long name', { ['n'.repeat(101)]: 'x' }, `/attributes/${'n'.repeat(101)}`],
    ['null', { a: null }, '/attributes/a'],
    ['an object', { 'a/b~c': {} }, '/attributes/a~1b~0c'],
    ['a long value', { a: 'v'.repeat(10_001) }, '/attributes/a'],
    [
      'too many',
      Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`a${index}`, 'x'])),
      '/attributes',
    ],
  ])('%s is rejected at its pointer', async (_name, attributes, pointer) => {
    const { status, body } = await post({ sku: 'ATTR', name: 'Attr', attributes })
    expect([status, pointers(body)]).toEqual([422, [pointer]])
  })
})

describe('an invalid body', () => {
  test('is rejected with all errors at once, each at its pointer', async () => {
    const { status, body, headers } = await post(
      '{"name":"","price":0.12345,"status":"sold","colour":"red","id":7,"description":null,"short_description":"\\u0000","inventory":{"quantity":-1}}',
    )
    expect(status).toBe(422)
    expect(headers.get('content-type')).toBe('application/problem+json')
    expect(pointers(body)).toEqual([
      '/colour',
      '/description',
      '/id',
      '/inventory/quantity',
      '/name',
      '/price',
      '/short_description',
      '/sku',
      '/status',
    ])
    expect(body).toMatchObject({
      type: '/errors/invalid_body',
      status: 422,
      code: 'invalid_body',
      request_id: headers.get('x-request-id'),
    })
  })

  test('with a misspelled field gets a suggestion', async () => {
    const { body } = await post({ sku: 'TYPO', name: 'Typo', descripton: 'x' })
    expect(body.errors[0]).toMatchObject({ pointer: '/descripton', code: 'unknown_field' })
    expect(body.errors[0].message).toContain('"description"')
  })

  const refuseAsJson = async (_name: string, text: string | Buffer) => {
    const { status, body } = await post(text)
    expect([status, body.code]).toEqual([400, 'malformed_json'])
  }
  test.each([
    ['malformed', '{"sku":'],
    ['two documents', '{} {}'],
    ['bare NaN', '{"sku":"a","name":"b","price":NaN}'],
  ])('%s is invalid JSON: 400', refuseAsJson)

  test.each([
    ['a duplicate key', '{"sku":"a","name":"b","sku":"c"}'],
    ['a duplicate key in disguise', '{"sku":"a","name":"b","s\\u006bu":"c"}'],
    ['a deep duplicate key', '{"sku":"a","name":"b","attributes":{"x":1,"x":2}}'],
    ['nesting over 32 levels', `{"sku":"a","name":"b","attributes":${'['.repeat(33)}${']'.repeat(33)}}`],
  ])('fault 13: %s is invalid JSON: 400', refuseAsJson)

  test('fault 14: malformed UTF-8 is invalid JSON: 400', () =>
    refuseAsJson('', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])))

  test.each(['"text"', '5', 'null', '[]', 'true', ''])(
    '%s instead of an object is rejected',
    async (text) => {
      expect((await post(text)).status).toBe(422)
    },
  )

  test.each(['"\\ud800"', '"a\\u0000b"'])('fault 14: the name %s cannot be stored: 422', async (name) => {
    const { status, body } = await post(`{"sku":"TEXT","name":${name}}`)
    expect([status, pointers(body)]).toContainEqual(422)
    expect(pointers(body)).toContain('/name')
  })

  test.each([
    ['a blank SKU', { sku: '   ', name: 'x' }, '/sku'],
    ['a SKU of 65 characters', { sku: 's'.repeat(65), name: 'x' }, '/sku'],
    ['a SKU with a line break', { sku: 'a\nb', name: 'x' }, '/sku'],
    ['a name of 256 characters', { sku: 'N', name: 'n'.repeat(256) }, '/name'],
    ['a number as SKU', { sku: 5, name: 'x' }, '/sku'],
  ])('%s is rejected', async (_name, body, pointer) => {
    const response = await post(body)
    expect([response.status, pointers(response.body)]).toEqual([422, [pointer]])
  })

  test('64 characters count as characters, not as bytes', async () => {
    expect((await post({ sku: '𝒮'.repeat(64), name: 'x' })).status).toBe(201)
  })

  test('of another media type returns 415', async () => {
    for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded']) {
      const { status, body } = await post('sku=1', { 'content-type': type })
      expect([status, body.code]).toEqual([415, 'unsupported_media_type'])
    }
  })

  test('fault 9: over 1 MiB returns 413', async () => {
    const { status, body } = await post({ sku: 'BIG', name: 'Big', description: 'x'.repeat(1024 * 1024) })
    expect([status, body.code]).toEqual([413, 'body_too_large'])
  })
})

describe('a product that does not exist', () => {
  test.each([
    '0',
    '999999999',
    '9007199254740992',
    '9223372036854775808',
    'abc',
    '1e3',
    '0x1',
    '-1',
    '01',
    '%20',
    '%D9%A1',
    '%00',
    '1%00',
    "1'",
  ])('fault 15: products/%s returns 404', async (id) => {
    const { status, body } = await shop.call(`/api/products/${id}`)
    expect([status, body.code]).toEqual([404, 'not_found'])
  })

  test('fault 21: returns the same response as a product of another project', async () => {
    const other = await service.tenant()
    const { body: foreign } = await other.call('/api/products', {
      method: 'POST',
      body: { sku: 'X', name: 'X' },
    })
    const theirs = await shop.call(`/api/products/${foreign.id}`)
    const unknown = await shop.call('/api/products/123456789')
    const neutral = ({ status, body }: typeof theirs, id: number) => ({
      status,
      ...body,
      detail: body.detail.replace(String(id), 'N'),
      request_id: '',
    })
    expect(neutral(theirs, foreign.id)).toEqual(neutral(unknown, 123456789))
  })

  test('a request without a body can have a JSON content type', async () => {
    expect(
      (await shop.call('/api/products', { headers: { 'content-type': 'application/json' } })).status,
    ).toBe(200)
  })
})
