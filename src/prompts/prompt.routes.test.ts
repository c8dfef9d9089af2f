import { beforeAll, expect, test } from 'vitest'
import { startTestService, type Tenant, type TestService } from '../../test/harness.ts'
import { insertPrompt, insertPromptVersion } from './prompt.sql.ts'

let service: TestService
let shop: Tenant
let prompt: number
beforeAll(async () => {
  service = await startTestService()
  shop = await service.tenant()
  prompt = await service.database.transaction(async (tx) => {
    const id = await insertPrompt(tx, shop.project, { name: 'Describe', description: 'Writes texts' })
    for (const number of [
      [1, 10, 0],
      [1, 0, 0],
      [1, 9, 0],
      [2, 0, 0],
      [1, 9, 1],
    ] as const) {
      await insertPromptVersion(tx, shop.project, id, {
        number,
        prompt_text: `Text ${number.join('.')}`,
        message: '',
        actor: 'test',
      })
    }
    return id
  })
})

test.each(['/api', '/v2'])(
  'the versions under %s are exactly as specified: one key, three fields, oldest first by number',
  async (prefix) => {
    const { status, body } = await shop.call(`${prefix}/prompts/${prompt}/versions`)
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['versions'])
    expect(body.versions.map(({ version_number }: { version_number: string }) => version_number)).toEqual([
      '1.0.0',
      '1.9.0',
      '1.9.1',
      '1.10.0',
      '2.0.0',
    ])
    expect(Object.keys(body.versions[0])).toEqual(['version_number', 'prompt_text', 'created_at'])
    expect(body.versions[3].prompt_text).toBe('Text 1.10.0')
  },
)

test('the list of prompts is paged and names the latest version', async () => {
  const { body } = await shop.call('/v2/prompts')
  expect(body).toMatchObject({ count: 1, next: null, previous: null })
  expect(body.results[0]).toMatchObject({
    id: prompt,
    project: shop.project,
    name: 'Describe',
    description: 'Writes texts',
    latest_version: '2.0.0',
  })
})

test.each(['123456789', 'abc', '-1'])('prompt %s is not there: 404', async (id) => {
  const { status, body } = await shop.call(`/api/prompts/${id}/versions`)
  expect([status, body.code]).toEqual([404, 'not_found'])
})
