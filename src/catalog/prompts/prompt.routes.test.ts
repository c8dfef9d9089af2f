import { beforeAll, describe, expect, test } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../../../test/harness.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant({ name: 'Editor' })
})

const post = (body: unknown, path = '/v2/prompts') => shop.call(path, { method: 'POST', body })
const patch = (id: number, body: unknown) => shop.call(`/api/prompts/${id}`, { method: 'PATCH', body })

describe('creating a prompt', () => {
  test.each(['/api', '/v2'])('under %s: 201, Location, and 1.0.0 as its first version', async (prefix) => {
    const name = `Describe ${prefix}`
    const made = await post({ name, prompt_text: 'About {{name}} in {{ language }}' }, `${prefix}/prompts/?`)
    expect(made.status).toBe(201)
    expect(made.headers.get('location')).toBe(`${service.url}${prefix}/prompts/${made.body.id}`)
    expect(made.body).toEqual({
      id: expect.any(Number),
      project: shop.project,
      name,
      description: '',
      latest_version: '1.0.0',
      labels: {},
      variables: ['name', 'language'],
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    const read = await shop.call(`${prefix}/prompts/${made.body.id}`)
    expect([read.status, read.body]).toEqual([200, made.body])
    const { body } = await shop.call(`${prefix}/prompts/${made.body.id}/versions/1.0.0`)
    expect(body).toMatchObject({ prompt_text: 'About {{name}} in {{ language }}', actor: 'Editor' })
  })

  test('with the name of another prompt: 409 with its ID, but names of other projects are free', async () => {
    const { body: first } = await post({ name: 'Taken', prompt_text: 'T' })
    const { status, body } = await post({ name: ' Taken ', prompt_text: 'U' })
    expect([status, body.code, body.existing_id]).toEqual([409, 'duplicate_name', first.id])
    const other = await service.tenant()
    const there = await other.call('/api/prompts', {
      method: 'POST',
      body: { name: 'Taken', prompt_text: 'T' },
    })
    expect(there.status).toBe(201)
  })

  test('50 times concurrently with one name: one 201, 49 × 409', async () => {
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => post({ name: 'Race', prompt_text: 'T' })),
    )
    const statuses = responses.map(({ status }) => status).sort()
    expect(statuses).toEqual([201, ...Array(49).fill(409)])
  })

  test('with errors: 422 that lists all of them', async () => {
    const { status, body } = await post({ name: '', descriptin: 'x' })
    expect([status, body.code]).toEqual([422, 'invalid_body'])
    expect(body.errors).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ pointer: '/name', code: 'too_short' }),
        expect.objectContaining({ pointer: '/prompt_text', code: 'required' }),
        expect.objectContaining({
          pointer: '/descriptin',
          message: expect.stringContaining('did you mean "description"'),
        }),
      ]),
    )
  })

  test.each([
    ['an empty text', { prompt_text: '' }],
    ['NUL in the text', { prompt_text: 'a\0b' }],
    ['a lone surrogate', { prompt_text: '\ud800' }],
    ['a text of 100,001 characters', { prompt_text: 'x'.repeat(100_001) }],
    ['a name of two lines', { name: 'a\nb' }],
    ['a description of null', { description: null }],
  ])('with %s: 422', async (_name, fields) => {
    expect((await post({ name: 'Faulty', prompt_text: 'T', ...fields })).status).toBe(422)
  })

  test('accepts 100,000 characters, even if each is escaped, and rejects more than 2 MiB', async () => {
    const text = '😀'.repeat(100_000)
    const escaped = '\\ud83d\\ude00'.repeat(100_000)
    const made = await post(`{"name": "Long", "prompt_text": "${escaped}"}`)
    expect(made.status).toBe(201)
    const { body } = await shop.call(`/api/prompts/${made.body.id}/versions/1.0.0`)
    expect(body.prompt_text).toBe(text)
    const large = await post({ name: 'Larger', prompt_text: 'x'.repeat(3 * 1024 * 1024) })
    expect([large.status, large.body.detail]).toEqual([413, expect.stringContaining('2 MiB')])
  })
})

describe('changing a prompt', () => {
  let id: number
  beforeAll(async () => {
    id = (await post({ name: 'Change', prompt_text: 'T', description: 'Old' })).body.id
  })

  test('changes only the given fields: name, description or both', async () => {
    const { body: before } = await shop.call(`/v2/prompts/${id}`)
    const { status, body } = await patch(id, { description: 'New' })
    expect([status, body.name, body.description]).toEqual([200, 'Change', 'New'])
    expect(Date.parse(body.updated_at)).toBeGreaterThan(Date.parse(before.updated_at))
    expect((await patch(id, { name: ' Changed ' })).body).toMatchObject({
      name: 'Changed',
      description: 'New',
    })
  })

  test('to its current values changes nothing, not even the time', async () => {
    const { body: before } = await shop.call(`/v2/prompts/${id}`)
    expect((await patch(id, { name: before.name })).body).toEqual(before)
    expect((await patch(id, {})).body).toEqual(before)
  })

  test('to the name of another prompt: 409', async () => {
    const { body: other } = await post({ name: 'Other', prompt_text: 'T' })
    const { status, body } = await patch(id, { name: 'Other' })
    expect([status, body.code, body.existing_id]).toEqual([409, 'duplicate_name', other.id])
  })

  test.each([
    [{ prompt_text: 'x' }],
    [{ latest_version: '2.0.0' }],
    [{ name: null }],
    [{ labels: { production: '1.0.0' } }],
    ['[]'],
  ])('with %j: 422', async (body) => {
    expect((await patch(id, body)).status).toBe(422)
  })

  test('by DELETE: 405, because versions are never deleted', async () => {
    const { status, headers } = await shop.call(`/v2/prompts/${id}`, { method: 'DELETE' })
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, PATCH'])
  })
})

describe('the list of prompts', () => {
  let library: Tenant
  const names = async (query: string) => {
    const { body } = await library.call(`/v2/prompts?${query}`)
    return body.results.map(({ name }: { name: string }) => name)
  }
  beforeAll(async () => {
    library = await service.tenant()
    for (const [name, description] of [
      ['Titles', 'Writes page titles, 100% of them'],
      ['Alt text', 'For pictures'],
      ['Übersetzung', 'Translates page texts'],
      ['snake_case', 'back\\slash'],
    ])
      await library.call('/v2/prompts', {
        method: 'POST',
        body: { name, description, prompt_text: '{{x}}' },
      })
  })

  test('is paged, and its items are like the detail', async () => {
    const { body } = await library.call('/api/prompts?page_size=3')
    expect(body).toMatchObject({ count: 4, previous: null })
    expect(body.next).toBe(`${service.url}/api/prompts?page=2&page_size=3`)
    const [first] = body.results
    expect((await library.call(`/api/prompts/${first.id}`)).body).toEqual(first)
  })

  test.each([
    ['page', ['Titles', 'Übersetzung']],
    ['PAGE texts', ['Übersetzung']],
    ['texts alt', []],
    ['%C3%BCBERSETZUNG', ['Übersetzung']],
    ['100%25', ['Titles']],
    ['%25', ['Titles']],
    ['_', ['snake_case']],
    ['%5C', ['snake_case']],
    ["'%22;--", []],
  ])('searched for %s', async (search, expected) => {
    expect(await names(`search=${search}`)).toEqual(expected)
  })

  test.each([
    ['name', ['Alt text', 'Titles', 'snake_case', 'Übersetzung']],
    ['-name', ['Übersetzung', 'snake_case', 'Titles', 'Alt text']],
    ['-created_at', ['snake_case', 'Übersetzung', 'Alt text', 'Titles']],
    ['-id', ['snake_case', 'Übersetzung', 'Alt text', 'Titles']],
  ])('ordered by %s', async (ordering, expected) => {
    expect(await names(`ordering=${ordering}`)).toEqual(expected)
  })

  test.each(['ordering=nam', 'ordering=name,name', 'ordering=labels', 'serach=x', 'search=%20', 'ordering='])(
    'with %s: 400',
    async (query) => {
      expect((await library.call(`/v2/prompts?${query}`)).status).toBe(400)
    },
  )
})

describe('ETag and 304', () => {
  test.each(['', '/versions', '/versions/1.0.0', '/diff', '/labels/live', '/label-moves'])(
    'work for a prompt%s',
    async (rest) => {
      const { body } = await post({ name: `Tagged ${rest}`, prompt_text: 'T' })
      const version = { version_number: '1.0.0' }
      await shop.call(`/v2/prompts/${body.id}/labels/live`, { method: 'PUT', body: version })
      const path = `/v2/prompts/${body.id}${rest}`
      const etag = (await shop.call(path)).headers.get('etag') ?? ''
      const again = await shop.call(path, { headers: { 'if-none-match': etag } })
      expect([again.status, again.text]).toEqual([304, ''])
    },
  )

  test('the tag of a prompt changes with its labels and versions', async () => {
    const { body } = await post({ name: 'Tag', prompt_text: 'T' })
    const path = `/v2/prompts/${body.id}`
    const tags = [(await shop.call(path)).headers.get('etag')]
    await shop.call(`${path}/labels/live`, { method: 'PUT', body: { version_number: '1.0.0' } })
    tags.push((await shop.call(path)).headers.get('etag'))
    await post({ prompt_text: 'U' }, `${path}/versions`)
    tags.push((await shop.call(path)).headers.get('etag'))
    expect(new Set(tags).size).toBe(3)
  })
})
