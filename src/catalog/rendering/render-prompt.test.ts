import { beforeAll, describe, expect, test } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../../../test/harness.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant()
})

let made = 0
async function newPrompt(prompt_text: string): Promise<string> {
  made += 1
  const { body } = await shop.call('/v2/prompts', { method: 'POST', body: { name: `P${made}`, prompt_text } })
  return `/v2/prompts/${body.id}`
}
const render = (path: string, body: unknown = {}) => shop.call(`${path}/render`, { method: 'POST', body })
const rendered = async (text: string, variables: object): Promise<string> =>
  (await render(await newPrompt(text), { variables })).body.rendered_text
const pointers = ({ body }: { body: { errors: { pointer: string }[] } }) =>
  body.errors.map(({ pointer }) => pointer)

describe('the rendered version', () => {
  let path: string
  beforeAll(async () => {
    path = await newPrompt('One {{x}}')
    await shop.call(`${path}/versions`, { method: 'POST', body: { prompt_text: 'Two {{x}}' } })
    await shop.call(`${path}/labels/live`, { method: 'PUT', body: { version_number: '1.0.0' } })
  })

  test.each([
    [{}, '1.1.0', 'Two 1'],
    [{ label: 'live' }, '1.0.0', 'One 1'],
    [{ version_number: '1.0.0' }, '1.0.0', 'One 1'],
  ])('by %j is %s', async (choice, version_number, rendered_text) => {
    const { status, body } = await render(path, { ...choice, variables: { x: 1 } })
    expect([status, body]).toEqual([
      200,
      { version_number, rendered_text, variables: { used: ['x'], unused: [] } },
    ])
  })

  test.each([
    [{ label: 'unknown' }, '/label'],
    [{ label: 'toString' }, '/label'],
    [{ version_number: '9.0.0' }, '/version_number'],
    [{ version_number: '1.0' }, '/version_number'],
    [{ label: 'live', version_number: '1.0.0' }, '/label'],
    [{ labl: 'live' }, '/labl'],
  ])('by %j: 422', async (choice, pointer) => {
    const response = await render(path, { ...choice, variables: { x: 1 } })
    expect([response.status, pointers(response)]).toEqual([422, [pointer]])
  })

  test('renders under both prefixes alike', async () => {
    const { token } = shop
    const response = await service.call(`${path.replace('/v2', '/api')}/render`, {
      method: 'POST',
      token,
      body: { variables: { x: 'y' } },
    })
    expect(response.body.rendered_text).toBe('Two y')
  })
})

describe('a text', () => {
  test.each([
    ['{{name}} {{ name }} {{  name\t}}', 'N N N'],
    ['{{{name}}}', '{N}'],
    ['{"a": {{name}}}', '{"a": N}'],
    ['{name} {{}} {{ }} {{na me}} {{#name}} {{name }', '{name} {{}} {{ }} {{na me}} {{#name}} {{name }'],
    ['{{\nname\n}} { {name} }', '{{\nname\n}} { {name} }'],
    ['{{name.}} {{.name}} {{1name}} {{name|upper}}', '{{name.}} {{.name}} {{1name}} {{name|upper}}'],
  ])('%j becomes %j: only a name in double braces is a variable', async (text, expected) => {
    expect(await rendered(text, { name: 'N' })).toBe(expected)
  })

  test('has names of every script, with dots, dashes and digits', async () => {
    const variables = { größe: 1, 'a-b_2': 2, 商品: { 名: 3 }, __proto__x: 4, constructor: 5 }
    expect(await rendered('{{größe}}{{a-b_2}}{{商品.名}}{{__proto__x}}{{constructor}}', variables)).toBe(
      '12345',
    )
  })

  test('without variables needs none', async () => {
    expect(await rendered('Plain', {})).toBe('Plain')
  })
})

describe('a value', () => {
  test('is inserted literally, and variables in it are not replaced', async () => {
    const values = { a: '{{b}} $& $1 <b>', b: '{{a}}' }
    expect(await rendered('{{a}} {{b}}', values)).toBe('{{b}} $& $1 <b> {{a}}')
  })

  test('is a string, a number or a boolean; an empty string is a value', async () => {
    const values = { text: '', number: 19.99, zero: 0, yes: true, no: false }
    expect(await rendered('[{{text}}] {{number}} {{zero}} {{yes}} {{no}}', values)).toBe(
      '[] 19.99 0 true false',
    )
  })

  test.each([[{ 'attributes.color': 'red' }], [{ attributes: { color: 'red' } }]])(
    'can be nested or flat: %j',
    async (variables) => {
      expect(await rendered('{{attributes.color}}', variables)).toBe('red')
    },
  )

  test('named __proto__ works like any other', async () => {
    const path = await newPrompt('{{__proto__}}')
    const response = await render(path, '{"variables": {"__proto__": "p"}}')
    expect(response.body.rendered_text).toBe('p')
    expect((await render(path)).status).toBe(422)
  })

  test.each([
    [{ x: null }, ['/variables/x']],
    [{ x: ['a'] }, ['/variables/x']],
    [{ x: { y: null, z: [] } }, ['/variables/x/y', '/variables/x/z']],
    [{ 'x.y': 1, x: { y: 2 } }, ['/variables/x/y']],
    ['text', ['/variables']],
  ])('%j is rejected: 422', async (variables, expected) => {
    const response = await render(await newPrompt('Plain'), { variables })
    expect([response.status, pointers(response)]).toEqual([422, expected])
  })

  test('cannot make the text longer than a million characters', async () => {
    const path = await newPrompt('{{x}}'.repeat(20_000))
    const response = await render(path, { variables: { x: 'x'.repeat(100_000) } })
    expect([response.status, pointers(response)]).toEqual([422, ['/variables']])
    expect((await render(path, { variables: { x: 'x'.repeat(50) } })).body.rendered_text).toHaveLength(
      1_000_000,
    )
  })
})

test('every missing variable is named, each once: 422', async () => {
  const path = await newPrompt('{{a}} {{b.c}} {{a}} {{d}}')
  const response = await render(path, { variables: { d: 1 } })
  expect(response.status).toBe(422)
  expect(response.body.errors).toEqual([
    { pointer: '/variables/a', code: 'missing_variable', message: expect.stringContaining('{{a}}') },
    { pointer: '/variables/b.c', code: 'missing_variable', message: expect.stringContaining('{{b.c}}') },
  ])
})

test('variables that the text does not use are listed', async () => {
  const variables = { a: 1, typo: 2, deep: { er: 3 } }
  const { body } = await render(await newPrompt('{{a}}'), { variables })
  expect(body.variables).toEqual({ used: ['a'], unused: ['typo', 'deep.er'] })
})

describe('a product', () => {
  let product_id: number
  const text =
    '{{sku}}|{{name}}|{{description}}|{{short_description}}|{{price}} {{currency}}|{{attributes.color}}|{{categories}}|{{attributes}}'
  beforeAll(async () => {
    const { body } = await shop.call('/v2/products', {
      method: 'POST',
      body: {
        sku: 'MUG-1',
        name: 'Mug {{sku}}',
        description: 'Stoneware',
        price: 12.5,
        attributes: { color: 'red', size: 3 },
        categories: [{ name: 'Kitchen' }, { name: 'Gifts' }],
      },
    })
    product_id = body.id
  })

  test('fills the variables with the names of its fields', async () => {
    const { body } = await render(await newPrompt(text), { product_id })
    expect(body.rendered_text).toBe(
      'MUG-1|Mug {{sku}}|Stoneware||12.5 EUR|red|Kitchen, Gifts|size: 3; color: red',
    )
    expect(body.variables.unused).toEqual([])
  })

  test('does not override a given variable', async () => {
    const variables = { name: 'Own', attributes: { color: 'blue' } }
    const { body } = await render(await newPrompt(text), { product_id, variables })
    expect(body.rendered_text).toContain('|Own|')
    expect(body.rendered_text).toContain('|blue|')
  })

  test('without a field that the text uses: 422', async () => {
    const { body } = await shop.call('/v2/products', { method: 'POST', body: { sku: 'BARE', name: 'Bare' } })
    const response = await render(await newPrompt('{{price}} {{attributes.color}} {{description}}'), {
      product_id: body.id,
    })
    expect([response.status, pointers(response)]).toEqual([
      422,
      ['/variables/price', '/variables/attributes.color'],
    ])
  })

  test('of another project is as unknown as one that does not exist: 422', async () => {
    const other = await service.tenant()
    const { body } = await other.call('/v2/products', { method: 'POST', body: { sku: 'A', name: 'A' } })
    const path = await newPrompt('{{name}}')
    const theirs = await render(path, { product_id: body.id })
    const unknown = await render(path, { product_id: 987_654_321 })
    expect([theirs.status, pointers(theirs)]).toEqual([422, ['/product_id']])
    const neutral = (response: typeof theirs, id: number) =>
      JSON.stringify(response.body.errors).replaceAll(String(id), 'N')
    expect(neutral(theirs, body.id)).toBe(neutral(unknown, 987_654_321))
    for (const wrong of [0, -1, 1.5, '1', 2 ** 60])
      expect((await render(path, { product_id: wrong })).status).toBe(422)
  })

  test('requires a token that can read products: 403', async () => {
    const reader = await service.tenant({ scopes: ['prompts:write'] })
    const { body: prompt } = await reader.call('/v2/prompts', {
      method: 'POST',
      body: { name: 'R', prompt_text: '{{name}}' },
    })
    const call = (body: object) => reader.call(`/v2/prompts/${prompt.id}/render`, { method: 'POST', body })
    const rejected = await call({ product_id })
    expect([rejected.status, rejected.body.code]).toEqual([403, 'insufficient_scope'])
    expect(rejected.headers.get('www-authenticate')).toContain('scope="products:read"')
    expect((await call({ variables: { name: 'N' } })).status).toBe(200)
  })
})
