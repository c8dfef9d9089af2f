import { beforeAll, describe, expect, test } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { sql } from '../../platform/database/sql.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant({ name: 'Editor' })
})

let made = 0
async function newPrompt(prompt_text = 'First'): Promise<string> {
  made += 1
  const { body } = await shop.call('/v2/prompts', { method: 'POST', body: { name: `P${made}`, prompt_text } })
  return `/v2/prompts/${body.id}`
}
const add = (path: string, body: unknown) => shop.call(`${path}/versions`, { method: 'POST', body })
const numbers = async (path: string): Promise<string[]> => {
  const { body } = await shop.call(`${path}/versions`)
  return body.versions.map(({ version_number }: { version_number: string }) => version_number)
}

test.each(['/api', '/v2'])(
  'the versions under %s are exactly as specified: one key, three fields, oldest first by number',
  async (prefix) => {
    const path = (await newPrompt('Text 1.0.0')).replace('/v2', prefix)
    for (const version_number of ['1.9.0', '1.9.1', '1.10.0', '2.0.0'])
      await add(path, { prompt_text: `Text ${version_number}`, version_number })
    const { status, body } = await shop.call(`${path}/versions`)
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['versions'])
    expect(await numbers(path)).toEqual(['1.0.0', '1.9.0', '1.9.1', '1.10.0', '2.0.0'])
    expect(Object.keys(body.versions[0])).toEqual(['version_number', 'prompt_text', 'created_at'])
    expect(body.versions[3].prompt_text).toBe('Text 1.10.0')
    expect((await shop.call(path)).body.latest_version).toBe('2.0.0')
  },
)

test.each(['123456789', 'abc', '-1'])('prompt %s does not exist: 404', async (id) => {
  const { status, body } = await shop.call(`/api/prompts/${id}/versions`)
  expect([status, body.code]).toEqual([404, 'not_found'])
})

describe('adding a version', () => {
  test('raises the number by bump, minor by default: 201, Location, and the version', async () => {
    const path = await newPrompt()
    for (const [bump, expected] of [
      [undefined, '1.1.0'],
      ['patch', '1.1.1'],
      ['minor', '1.2.0'],
      ['major', '2.0.0'],
    ]) {
      const response = await add(path, {
        prompt_text: `{{a}} ${bump}`,
        message: 'Why',
        ...(bump && { bump }),
      })
      expect(response.status).toBe(201)
      expect(response.headers.get('location')).toBe(`${service.url}${path}/versions/${expected}`)
      expect(response.body).toEqual({
        version_number: expected,
        prompt_text: `{{a}} ${bump}`,
        message: 'Why',
        variables: ['a'],
        actor: 'Editor',
        created_at: expect.any(String),
      })
      expect((await shop.call(`${path}/versions/${expected}`)).body).toEqual(response.body)
    }
    const { body } = await shop.call(path)
    expect(body).toMatchObject({ latest_version: '2.0.0', variables: ['a'] })
  })

  test('with an existing text: 200 with the version that has it, and no new version', async () => {
    const path = await newPrompt('A')
    await add(path, { prompt_text: 'B' })
    for (const extra of [{}, { bump: 'major' }, { version_number: '7.0.0' }, { version_number: '1.0.0' }]) {
      const { status, body, headers } = await add(path, { prompt_text: 'A', ...extra })
      expect([status, body.version_number, headers.get('location')]).toEqual([200, '1.0.0', null])
    }
    expect(await numbers(path)).toEqual(['1.0.0', '1.1.0'])
  })

  test.each(['1.3.0', '1.2.9', '0.9.9', '1.3', 'v1.4.0', '01.4.0', '1.4.0.0', '1.-4.0', '', '1000000.0.0'])(
    'with the number %s after 1.3.0: 422 that names the next version',
    async (version_number) => {
      const path = await newPrompt()
      await add(path, { prompt_text: 'Latest', version_number: '1.3.0' })
      const { status, body } = await add(path, { prompt_text: 'New', version_number })
      expect(status).toBe(422)
      expect(body.errors).toEqual([
        {
          pointer: '/version_number',
          code: 'invalid_version',
          message: expect.stringContaining('the next version would be 1.4.0, or 2.0.0'),
        },
      ])
      expect(await numbers(path)).toEqual(['1.0.0', '1.3.0'])
    },
  )

  test('with bump and version_number together: 422', async () => {
    const response = await add(await newPrompt(), {
      prompt_text: 'New',
      bump: 'major',
      version_number: '2.0.0',
    })
    expect([response.status, response.body.errors[0].pointer]).toEqual([422, '/bump'])
  })

  test('based on a version that is no longer the latest: 409 that names the latest, and nothing is added', async () => {
    const path = await newPrompt()
    await add(path, { prompt_text: 'Theirs', based_on: '1.0.0' })
    const { status, body } = await add(path, { prompt_text: 'Mine', bump: 'major', based_on: '1.0.0' })
    expect([status, body.code]).toEqual([409, 'newer_version'])
    expect(body.detail).toContain('now 1.1.0, not 1.0.0')
    expect(await numbers(path)).toEqual(['1.0.0', '1.1.0'])
    expect((await add(path, { prompt_text: 'Theirs', based_on: '1.0.0' })).status).toBe(200)
    expect((await add(path, { prompt_text: 'Mine', based_on: '1.1.0' })).status).toBe(201)
    expect((await add(path, { prompt_text: 'Last', based_on: 'latest' })).status).toBe(422)
  })

  test('50 times concurrently: no version is lost, and the numbers have no gap', async () => {
    const path = await newPrompt()
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) => add(path, { prompt_text: `Text ${index}` })),
    )
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]))
    const expected = Array.from({ length: 51 }, (_, index) => `1.${index}.0`)
    expect(await numbers(path)).toEqual(expected)
    const { body } = await shop.call(`${path}/versions`)
    const texts = body.versions.map(({ prompt_text }: { prompt_text: string }) => prompt_text)
    expect(new Set(texts).size).toBe(51)
    const times = body.versions.map(({ created_at }: { created_at: string }) => created_at)
    expect(times.toSorted()).toEqual(times)
  })

  test('50 times concurrently with one text: one 201, 49 × 200, one version', async () => {
    const path = await newPrompt()
    const responses = await Promise.all(Array.from({ length: 50 }, () => add(path, { prompt_text: 'Same' })))
    expect(responses.map(({ status }) => status).sort()).toEqual([...Array(49).fill(200), 201])
    expect(await numbers(path)).toEqual(['1.0.0', '1.1.0'])
  })

  test('again with the same Idempotency-Key returns the first response', async () => {
    const path = await newPrompt()
    const call = (text: string) =>
      shop.call(`${path}/versions`, {
        method: 'POST',
        body: { prompt_text: text },
        headers: { 'idempotency-key': 'once' },
      })
    const first = await call('Once')
    const again = await call('Once')
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body])
    expect(again.headers.get('location')).toBe(first.headers.get('location'))
    expect((await call('Other')).status).toBe(422)
    expect(await numbers(path)).toEqual(['1.0.0', '1.1.0'])
  })

  test.each([
    'a\r\nb\tc',
    ' blanks around \n',
    '{{{name}}} {{}} {{ a b }} {{#if x}} {{/if}}',
    '\u202e😀 e\u0301',
    `'; drop table prompts; -- % _ \\`,
  ])('stores %j exactly as sent', async (prompt_text) => {
    const path = await newPrompt()
    expect((await add(path, { prompt_text })).status).toBe(201)
    expect((await shop.call(`${path}/versions/1.1.0`)).body.prompt_text).toBe(prompt_text)
  })
})

describe('one version', () => {
  test.each(['9.9.9', '1.0', 'latest', '01.0.0', '1.0.0%00', '9999999999.0.0', '%00', '-1.0.0'])(
    '%s does not exist: 404',
    async (number) => {
      const { status, body } = await shop.call(`${await newPrompt()}/versions/${number}`)
      expect([status, body.code]).toEqual([404, 'not_found'])
    },
  )

  test.each(['PUT', 'PATCH', 'DELETE'])('does not allow %s: 405', async (method) => {
    const { status } = await shop.call(`${await newPrompt()}/versions/1.0.0`, { method })
    expect(status).toBe(405)
  })

  test.each([
    sql`update prompt_versions set prompt_text = 'Other' where project_id = -1`,
    sql`delete from prompt_versions where prompt_id > 0`,
    sql`truncate prompt_versions cascade`,
  ])('cannot be changed or deleted even in the database ($strings.0)', async (statement) => {
    await expect(service.database.query(statement)).rejects.toThrow('never changes and never vanishes')
  })
})

describe('the difference of two versions', () => {
  let path: string
  const diff = (query = '') => shop.call(`${path}/diff${query}`)
  beforeAll(async () => {
    path = await newPrompt('Title: {{name}}\nBrand: {{brand}}\n\nBe brief.')
    await add(path, { prompt_text: 'Title: {{name}}\nColor: {{attributes.color}}\n\nBe brief.' })
    await add(path, { prompt_text: 'Title: {{name}}\nColor: {{attributes.color}}\n\nBe brief.\n' })
  })

  test('is shown by lines and by variables', async () => {
    const { status, body } = await diff('?from=1.0.0&to=1.1.0')
    expect([status, body]).toEqual([
      200,
      {
        from: '1.0.0',
        to: '1.1.0',
        hunks: [
          {
            from_start: 1,
            from_lines: 4,
            to_start: 1,
            to_lines: 4,
            lines: [
              ' Title: {{name}}',
              '-Brand: {{brand}}',
              '+Color: {{attributes.color}}',
              ' ',
              ' Be brief.',
            ],
          },
        ],
        variables: { added: ['attributes.color'], removed: ['brand'] },
      },
    ])
  })

  test('can be requested in reverse', async () => {
    const { body } = await diff('?from=1.1.0&to=1.0.0')
    expect(body.variables).toEqual({ added: ['brand'], removed: ['attributes.color'] })
  })

  test('is by default between the latest and the one before, and shows a missing final newline', async () => {
    const { body } = await diff()
    expect(body).toMatchObject({ from: '1.1.0', to: '1.2.0', variables: { added: [], removed: [] } })
    expect(body.hunks[0].lines).toContain('\\ No newline at end of file')
    expect((await diff('?to=1.1.0')).body.from).toBe('1.0.0')
    expect((await diff('?from=1.0.0')).body.to).toBe('1.2.0')
  })

  test('of a version with itself is empty, and the first version is compared with an empty text', async () => {
    expect((await diff('?from=1.1.0&to=1.1.0')).body.hunks).toEqual([])
    const { body } = await diff('?to=1.0.0')
    expect(body).toMatchObject({ from: null, variables: { added: ['name', 'brand'], removed: [] } })
    expect(body.hunks[0].lines.every((line: string) => line.startsWith('+'))).toBe(true)
  })

  test('of texts without common lines is a replacement, and does not delay other requests', {
    tags: 'slow',
  }, async () => {
    const lines = (letter: string) => `${letter}\n`.repeat(50_000)
    const long = await newPrompt(lines('a'))
    await add(long, { prompt_text: lines('b') })
    const begun = process.threadCpuUsage()
    const { body } = await shop.call(`${long}/diff`)
    // CPU time, so that other programs do not count. A full comparison would take minutes.
    const { user, system } = process.threadCpuUsage(begun)
    expect((user + system) / 1_000_000).toBeLessThan(5)
    expect(body.hunks[0]).toMatchObject({ from_start: 1, from_lines: 50_000, to_lines: 50_000 })
  })

  test.each([
    ['?from=1.0', 400, 'invalid_parameters'],
    ['?to=latest', 400, 'invalid_parameters'],
    ['?form=1.0.0', 400, 'invalid_parameters'],
    ['?from=1.0.0&from=1.1.0', 400, 'invalid_parameters'],
    ['?from=7.0.0', 404, 'not_found'],
    ['?to=7.0.0', 404, 'not_found'],
  ])('with %s: %i', async (query, status, code) => {
    const response = await diff(query)
    expect([response.status, response.body.code]).toEqual([status, code])
  })
})

describe('fault 24: the versions of a prompt with very much text', () => {
  test('are all returned once and in order, however large, and a client can disconnect at any time', async () => {
    const path = await newPrompt()
    const text = (number: number) => `${number} ${'é "quoted"\n'.repeat(9_000)}`
    for (let number = 1; number <= 14; number += 1)
      expect((await add(path, { prompt_text: text(number) })).status).toBe(201)
    const { status, body, headers } = await shop.call(`${path}/versions`)
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    expect(Object.keys(body.versions[14])).toEqual(['version_number', 'prompt_text', 'created_at'])
    expect(body.versions.map(({ version_number }: { version_number: string }) => version_number)).toEqual(
      Array.from({ length: 15 }, (_, index) => `1.${index}.0`),
    )
    expect(body.versions[14].prompt_text).toBe(text(14))
    for (let time = 0; time < 8; time += 1) {
      const hangUp = new AbortController()
      const response = await fetch(`${service.url}${path}/versions`, {
        headers: { authorization: `Bearer ${shop.token}` },
        signal: hangUp.signal,
      })
      hangUp.abort()
      expect(response.status).toBe(200)
    }
    await expect.poll(async () => (await shop.call(`${path}/versions`)).status).toBe(200)
    expect((await shop.call(`${path}/versions`, { method: 'HEAD' })).status).toBe(200)
  })
})
