import { beforeAll, describe, expect, test } from 'vitest'
import { type ConsoleUser, consoleUser } from '../../../test/console-user.ts'
import { sharedTestService, type Tenant, type TestService } from '../../../test/harness.ts'

let service: TestService
let shop: Tenant
let member: ConsoleUser
let prompt: number
const post = (path: string, body: unknown) => shop.call(`/v2/prompts${path}`, { method: 'POST', body })
const read = (path: string) => member.call(`/console/api/projects/${shop.project}${path}`)

beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant({ name: 'Importer' })
  member = await consoleUser(service, { projects: [shop.project] })
  prompt = (await post('', { name: 'Describe', prompt_text: 'About {{name}}' })).body.id
  for (const version_number of ['1.9.0', '1.10.0'])
    await post(`/${prompt}/versions`, { prompt_text: version_number, version_number, message: 'Shorter' })
})

describe('the versions of a prompt without their texts', () => {
  test('are paged, highest number first, each with its message and actor', async () => {
    const { body } = await read(`/prompts/${prompt}/version-summaries?page_size=2`)
    expect(body).toMatchObject({ count: 3, previous: null, next: expect.stringContaining('page=2') })
    expect(body.results.map(({ version_number }: { version_number: string }) => version_number)).toEqual([
      '1.10.0',
      '1.9.0',
    ])
    expect(body.results[0]).toEqual({
      version_number: '1.10.0',
      message: 'Shorter',
      actor: 'Importer',
      created_at: expect.any(String),
    })
    const { status } = await read(`/prompts/${prompt}/version-summaries?page=9`)
    expect(status).toBe(404)
  })

  test('of a prompt of another project return 404', async () => {
    const other = await service.tenant()
    const { body } = await other.call('/v2/prompts', {
      method: 'POST',
      body: { name: 'Not yours', prompt_text: 'Secret' },
    })
    expect((await read(`/prompts/${body.id}/version-summaries`)).status).toBe(404)
    const latest = await read(`/latest-prompt-versions?prompt__in=${body.id}`)
    expect(latest.body).toEqual({ results: [] })
  })
})

test('the latest versions of several prompts are returned together, for those that exist', async () => {
  const second = (await post('', { name: 'Title', prompt_text: 'A title' })).body.id
  const { body } = await read(`/latest-prompt-versions?prompt__in=${prompt},${second},999999999`)
  expect(body.results).toHaveLength(2)
  expect(body.results).toContainEqual({
    prompt,
    version_number: '1.10.0',
    message: 'Shorter',
    actor: 'Importer',
    created_at: expect.any(String),
  })
  const many = Array.from({ length: 501 }, (_, index) => index + 1).join(',')
  expect((await read(`/latest-prompt-versions?prompt__in=${many}`)).status).toBe(400)
})
