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

const color = {
  name: 'color',
  type: 'choice',
  allowed: ['Red', 'Green'],
}
const defaults = {
  label: null,
  group: null,
  position: 0,
  unit: null,
  multiple: false,
  allowed: null,
  pattern: null,
  min: null,
  max: null,
  max_length: null,
  required_for: null,
  mode: 'warn',
  description: '',
}

describe('a definition', () => {
  test('needs a name and a type, and shows defaults for all other fields', async () => {
    const made = await send('POST', '/attributes', { name: 'weight', type: 'number' })
    expect([made.status, made.body]).toEqual([201, { name: 'weight', type: 'number', ...defaults }])
    expect(made.headers.get('location')).toBe(`${service.url}/v2/attributes/weight`)
    expect((await send('GET', '/attributes/weight')).body).toEqual(made.body)
    const again = await send('POST', '/attributes', { name: 'weight', type: 'text' })
    expect([again.status, again.body.code]).toEqual([409, 'duplicate_name'])
    expect((await send('GET', '/attributes/Weight')).status).toBe(404)
  })

  test('is updated by a merge patch, under any valid attribute name', async () => {
    const name = 'Größe / 50 % ~__proto__'
    const { body: made } = await send('POST', '/attributes', { name, type: 'number', min: 1 })
    const path = `/attributes/${encodeURIComponent(name)}`
    const first = await send('PATCH', path, {
      name,
      unit: 'cm',
      min: null,
      required_for: { product_types: ['simple'] },
    })
    const required_for = { product_types: ['simple'], categories: [] }
    expect([first.status, first.body]).toEqual([200, { ...made, unit: 'cm', min: null, required_for }])
    const category = (await send('POST', '/categories', { name: 'Shirts' })).body.id
    const second = await send('PATCH', path, { required_for: { categories: [category] } })
    expect(second.body.required_for).toEqual({ ...required_for, categories: [category] })
    await send('DELETE', `/categories/${category}`)
    expect((await send('PATCH', path, { label: 'Size' })).status).toBe(200)
    expect((await send('PATCH', path, { required_for: null })).body.required_for).toBeNull()
    expect((await send('PATCH', path, { name: 'other' })).body.errors[0]).toMatchObject({
      pointer: '/name',
      code: 'read_only',
    })
    expect((await send('DELETE', path)).status).toBe(204)
    expect([(await send('DELETE', path)).status, (await send('PATCH', path, {})).status]).toEqual([404, 404])
  })

  test('that contradicts itself is rejected at the pointer of the contradiction', async () => {
    const cases: [object, string, string][] = [
      [{ type: 'choice' }, '/allowed', 'required'],
      [{ type: 'choice', allowed: [] }, '/allowed', 'too_few'],
      [{ type: 'boolean', allowed: ['yes'] }, '/allowed', 'not_applicable'],
      [{ type: 'number', max_length: 3 }, '/max_length', 'not_applicable'],
      [{ type: 'number', min: 2, max: 1 }, '/max', 'too_small'],
      [{ type: 'number', min: '2' }, '/min', 'invalid_type'],
      [{ type: 'date', max: '2026-02-30' }, '/max', 'invalid_format'],
      [{ type: 'text', pattern: '(a' }, '/pattern', 'invalid_pattern'],
      [{ type: 'text', pattern: '(a)\\1' }, '/pattern', 'invalid_pattern'],
      [{ type: 'text', pattern: '(.*a.{0,900}b)*' }, '/pattern', 'invalid_pattern'],
      [
        { type: 'text', required_for: { categories: [123_456_789] } },
        '/required_for/categories/0',
        'unknown_category',
      ],
      [
        { type: 'text', required_for: { product_types: ['digital'] } },
        '/required_for/product_types/0',
        'invalid_choice',
      ],
    ]
    for (const [fields, pointer, code] of cases) {
      const { status, body } = await send('POST', '/attributes', { name: 'x', ...fields })
      expect([status, body.errors?.[0]?.pointer, body.errors?.[0]?.code], JSON.stringify(fields)).toEqual([
        422,
        pointer,
        code,
      ])
    }
    await send('POST', '/attributes', color)
    expect((await send('PATCH', '/attributes/color', { type: 'text' })).body.errors[0].pointer).toBe(
      '/allowed',
    )
    expect((await send('GET', '/attributes')).body.count).toBe(1)
  })
})

describe('the set of definitions', () => {
  test('is listed by position and name, in pages', async () => {
    for (const [name, position] of [
      ['b', 2],
      ['z', 1],
      ['a', 2],
    ] as const)
      await send('POST', '/attributes', { name, type: 'text', position })
    const names = (body: { results: { name: string }[] }) => body.results.map(({ name }) => name)
    const { body } = await send('GET', '/attributes?page_size=2')
    expect([body.count, names(body), body.previous]).toEqual([3, ['z', 'a'], null])
    expect(names((await shop.call(body.next.replace(service.url, ''))).body)).toEqual(['b'])
    expect(names((await send('GET', '/attributes?page=last&page_size=2')).body)).toEqual(['b'])
    expect((await send('GET', '/attributes?page=3&page_size=2')).status).toBe(404)
  })

  test('is replaced as a whole, reports what changed, and creates no version if nothing did', async () => {
    const set = { attributes: [color, { name: 'weight', type: 'number' }] }
    const dry = await send('PUT', '/attributes?dry_run=true', set)
    expect(dry.body).toEqual({ created: 2, updated: 0, deleted: 0, unchanged: 0, ruleset: 0, dry_run: true })
    expect((await send('GET', '/attributes')).body.count).toBe(0)
    expect((await send('PUT', '/attributes', set)).body).toMatchObject({ created: 2, ruleset: 1 })
    expect((await send('PUT', '/attributes', set)).body).toMatchObject({
      unchanged: 2,
      created: 0,
      ruleset: 1,
    })
    const next = {
      attributes: [
        { ...color, mode: 'off' },
        { name: 'size', type: 'text' },
      ],
    }
    expect((await send('PUT', '/attributes', next)).body).toEqual({
      created: 1,
      updated: 1,
      deleted: 1,
      unchanged: 0,
      ruleset: 2,
      dry_run: false,
    })
    expect((await send('PATCH', '/attributes/size', { type: 'text' })).status).toBe(200)
    expect((await send('PUT', '/attributes', next)).body.ruleset).toBe(2)
  })

  test('is rejected as a whole, with every error of every definition', async () => {
    const { status, body } = await send('PUT', '/attributes', {
      attributes: [
        { name: 'a', type: 'number', min: 2, max: 1 },
        color,
        color,
        { name: 'b', type: 'choice' },
      ],
    })
    const places = body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code])
    expect([status, places]).toEqual([
      422,
      [
        ['/attributes/0/max', 'too_small'],
        ['/attributes/2/name', 'duplicate_name'],
        ['/attributes/3/allowed', 'required'],
      ],
    ])
    expect((await send('GET', '/attributes')).body.count).toBe(0)
  })

  test('has at most 500 definitions with 256 KiB in total', async () => {
    const many = Array.from({ length: 500 }, (_, index) => ({ name: `n${index}`, type: 'text' }))
    expect((await send('PUT', '/attributes', { attributes: many })).body.created).toBe(500)
    expect((await send('POST', '/attributes', color)).body.errors[0].code).toBe('too_many')
    const large = many.map((one) => ({ ...one, description: 'x'.repeat(600) }))
    for (const query of ['', '?dry_run=true']) {
      const { status, body } = await send('PUT', `/attributes${query}`, { attributes: large })
      expect([status, body.errors]).toMatchObject([422, [{ pointer: '', code: 'too_large' }]])
    }
  })

  test('loses no concurrent change', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `at-once-${index}`)
    await Promise.all(names.map((name) => send('POST', '/attributes', { name, type: 'text' })))
    const { body } = await send('GET', '/attributes')
    expect(body.results.map(({ name }: { name: string }) => name)).toEqual(names)
  })
})
