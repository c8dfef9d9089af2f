import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../../../test/harness.ts'

let service: TestService
let shop: Tenant
let path: string
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant({ name: 'Releaser' })
})

let made = 0
const newPrompt = async () => {
  made += 1
  const prompt = { name: `P${made}`, prompt_text: 'A' }
  const { body } = await shop.call('/v2/prompts', { method: 'POST', body: prompt })
  path = `/v2/prompts/${body.id}`
  await shop.call(`${path}/versions`, { method: 'POST', body: { prompt_text: 'B' } })
}
const put = (label: string, version_number: unknown, prefix = '/v2') =>
  shop.call(`${path.replace('/v2', prefix)}/labels/${label}`, { method: 'PUT', body: { version_number } })
const remove = (label: string) => shop.call(`${path}/labels/${label}`, { method: 'DELETE' })
const moves = async (query = '') => (await shop.call(`${path}/label-moves${query}`)).body

describe('a label', () => {
  beforeEach(newPrompt)

  test.each(['/api', '/v2'])('is set under %s: 201, then 200 when it moves', async (prefix) => {
    const label = `live-${prefix.slice(1)}`
    const first = await put(label, '1.0.0', prefix)
    expect([first.status, first.body]).toEqual([
      201,
      { label, version_number: '1.0.0', updated_at: expect.any(String) },
    ])
    const moved = await put(label, '1.1.0', prefix)
    expect([moved.status, moved.body.version_number]).toEqual([200, '1.1.0'])
    expect((await shop.call(`${path}/labels/${label}`)).body).toEqual(moved.body)
    expect((await shop.call(path)).body.labels[label]).toBe('1.1.0')
  })

  test('that already points to the version does not move', async () => {
    const { body: before } = await put('still', '1.0.0')
    expect((await put('still', '1.0.0')).body).toEqual(before)
    expect((await moves('?label=still')).count).toBe(1)
  })

  test('is deleted: 204, then 404', async () => {
    await put('gone', '1.0.0')
    expect((await remove('gone')).status).toBe(204)
    expect((await remove('gone')).status).toBe(404)
    expect((await shop.call(`${path}/labels/gone`)).status).toBe(404)
    expect((await shop.call(path)).body.labels).not.toHaveProperty('gone')
  })

  test.each(['9.0.0', 'latest', '1.0', '', null, 1])('at version %j: 422', async (version) => {
    const { status, body } = await put('production', version)
    expect([status, body.errors[0].pointer]).toEqual([422, '/version_number'])
  })

  test.each(['Production', '1.0.0', 'a%20b', '%C3%BC', 'x'.repeat(65), '-a'])(
    'cannot be named %s: 400 to set it, 404 to read or delete it',
    async (label) => {
      const { status, body } = await put(label, '1.0.0')
      expect([status, body.errors[0].parameter]).toEqual([400, 'label'])
      expect((await remove(label)).status).toBe(404)
      expect((await shop.call(`${path}/labels/${label}`)).status).toBe(404)
    },
  )
})

describe('the moves of labels', () => {
  beforeEach(newPrompt)

  test('are recorded, newest first, with actor and time, also for a deleted label', async () => {
    await put('production', '1.0.0')
    await put('staging', '1.1.0')
    await put('production', '1.1.0')
    await remove('production')
    const { count, results } = await moves()
    expect(count).toBe(4)
    expect(results[0]).toEqual({
      label: 'production',
      from_version: '1.1.0',
      to_version: null,
      actor: 'Releaser',
      moved_at: expect.any(String),
    })
    const changes = results.map(({ label, from_version, to_version }: Record<string, string>) =>
      [label, from_version, to_version].join(' '),
    )
    expect(changes).toEqual([
      'production 1.1.0 ',
      'production 1.0.0 1.1.0',
      'staging  1.1.0',
      'production  1.0.0',
    ])
    expect((await moves('?label=staging')).count).toBe(1)
    expect((await moves('?label=unknown&page_size=1')).count).toBe(0)
    expect((await moves('?page_size=3&page=2')).results).toHaveLength(1)
  })

  test('of one label by concurrent clients form one chain', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, index) => put('race', `1.${index % 2}.0`)))
    const { results } = await moves('?label=race')
    const chain: { from_version: string | null; to_version: string }[] = results.toReversed()
    expect(chain[0]?.from_version).toBeNull()
    for (const [index, { from_version }] of chain.slice(1).entries())
      expect(from_version).toBe(chain[index]?.to_version)
    expect((await shop.call(path)).body.labels.race).toBe(chain.at(-1)?.to_version)
  })
})
