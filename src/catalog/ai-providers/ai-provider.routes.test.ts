import { beforeAll, describe, expect, test } from 'vitest'
import { consoleUser } from '../../../test/console-user.ts'
import { startTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { type SampleModel, startSampleModel } from '../../../test/sample-model/sample-model.ts'
import { whenFileEnds } from '../../../test/setup/file-end.ts'
import { sql } from '../../platform/database/sql.ts'

let service: TestService
let sample: SampleModel
beforeAll(async () => {
  sample = await startSampleModel()
  whenFileEnds(sample.close)
  service = await startTestService({ aiAllow: [sample.origin] })
})

const model = { name: 'sample', input_price: 0.15, output_price: 0.6, max_output_tokens: 500 }
const body = {
  kind: 'openai-compatible',
  base_url: 'https://models.example/v1/',
  key: 'sk-first-key-of-the-shop',
  currency: 'EUR',
  models: [model],
}
const put = ({ call }: Tenant, name: string, changes: object = {}) =>
  call(`/v2/ai-providers/${name}`, { method: 'PUT', body: { ...body, ...changes } })
const list = async ({ call }: Tenant) => (await call('/v2/ai-providers')).body.results
const storedKey = async ({ project }: Tenant, name: string) => {
  const [row] = await service.database.query(
    sql<{ key: string }>`select key from ai_providers where project_id = ${project} and name = ${name}`,
  )
  return row?.key
}

describe('PUT /ai-providers/{name}', () => {
  test('creates a provider with defaults (201), replaces it (200), and stores the key encrypted', async () => {
    const shop = await service.tenant()
    const created = await put(shop, 'own')
    expect([created.status, created.body]).toEqual([
      201,
      {
        ...{ name: 'own', kind: 'openai-compatible', base_url: 'https://models.example/v1', has_key: true },
        ...{
          currency: 'EUR',
          models: [model],
          concurrency: 4,
          requests_per_minute: null,
          monthly_budget: null,
        },
        ...{ state: 'enabled', disabled_reason: null, findings: null, offered: false },
        ...{ created_at: expect.any(String), updated_at: expect.any(String) },
      },
    ])
    expect(await storedKey(shop, 'own')).not.toContain('sk-first')
    const changed = await put(shop, 'own', {
      monthly_budget: 12.345678,
      requests_per_minute: 60,
      concurrency: 2,
    })
    expect([changed.status, changed.body]).toMatchObject([
      200,
      { monthly_budget: 12.345678, requests_per_minute: 60, concurrency: 2 },
    ])
    expect(await list(shop)).toEqual([changed.body])
  })

  test('without a key keeps the stored key, unless the kind or the origin changes', async () => {
    const shop = await service.tenant()
    await put(shop, 'own')
    const key = await storedKey(shop, 'own')
    expect((await put(shop, 'own', { key: undefined, base_url: 'https://models.example/v2' })).status).toBe(
      200,
    )
    expect(await storedKey(shop, 'own')).toBe(key)
    for (const changes of [
      { base_url: 'https://collector.example/v1' },
      { base_url: 'https://models.example:8443/v1' },
      { kind: 'anthropic' },
    ]) {
      const response = await put(shop, 'own', { ...changes, key: undefined })
      expect([response.status, response.body.errors[0]]).toMatchObject([
        422,
        { pointer: '/key', code: 'key_required' },
      ])
    }
    expect((await put(shop, 'own', { kind: 'anthropic' })).status).toBe(200)
    expect((await put(shop, 'own', { key: null })).body.has_key).toBe(false)
    expect((await put(shop, 'own', { key: undefined, base_url: 'https://other.example' })).status).toBe(200)
  })

  test.each(['anthropic', 'google'])('a provider of the kind %s needs a key', async (kind) => {
    const shop = await service.tenant()
    for (const key of [undefined, null]) {
      const response = await put(shop, 'own', { kind, key })
      expect([response.status, response.body.errors[0].code]).toEqual([422, 'key_required'])
    }
  })

  test.each([
    'http://models.example/v1',
    'http://127.0.0.1:1/v1',
    'https://127.0.0.1/v1',
    'https://10.1.2.3/v1',
    'https://169.254.169.254/v1',
    'https://localhost/v1',
    'https://[::1]/v1',
    'https://user:secret@models.example/v1',
    'https://models.example/v1?key=1',
    'https://models.example/v1#part',
    'https://models.example/(a+)+',
    'ftp://models.example/v1',
    'models.example/v1',
  ])('rejects the base URL %s', async (base_url) => {
    const response = await put(await service.tenant(), 'own', { base_url })
    expect([response.status, response.body.errors[0]]).toMatchObject([
      422,
      { pointer: '/base_url', code: 'invalid_address' },
    ])
  })

  test('accepts an origin that the operator allows, but no other port of the same address', async () => {
    const shop = await service.tenant()
    expect((await put(shop, 'own', { base_url: sample.url })).status).toBe(201)
    const other = sample.url.replace(/:\d+/, ':1')
    expect((await put(shop, 'own', { base_url: other })).body.errors[0].message).toContain('--ai-allow')
  })

  test.each([
    [{ models: [] }, '/models'],
    [{ models: [model, model] }, '/models/1/name'],
    [{ models: [{ ...model, input_price: 0.1234567 }] }, '/models/0/input_price'],
    [{ models: [{ ...model, output_price: -1 }] }, '/models/0/output_price'],
    [{ monthly_budget: 1.1234567 }, '/monthly_budget'],
    [{ concurrency: 0 }, '/concurrency'],
    [{ currency: 'euro' }, '/currency'],
    [{ key: 'two words' }, '/key'],
    [{ kind: 'other' }, '/kind'],
  ])('rejects %o', async (changes, pointer) => {
    const response = await put(await service.tenant(), 'own', changes)
    expect([response.status, response.body.errors[0].pointer]).toEqual([422, pointer])
  })

  test('the response can be sent back, and changes nothing', async () => {
    const shop = await service.tenant()
    await put(shop, 'own')
    const [before] = await list(shop)
    const again = await shop.call('/v2/ai-providers/own', { method: 'PUT', body: before })
    expect(again.status, again.text).toBe(200)
    expect(again.body).toEqual({ ...before, updated_at: again.body.updated_at })
    const enabled = { ...before, state: 'disabled' }
    expect((await shop.call('/v2/ai-providers/own', { method: 'PUT', body: enabled })).status).toBe(422)
  })

  test('a project has at most 10 providers, also if requests arrive at the same time', async () => {
    const shop = await service.tenant()
    const names = Array.from({ length: 14 }, (_, index) => `p${index}`)
    const responses = await Promise.all(names.map((name) => put(shop, name)))
    const codes = responses.map(({ status, body: { code } }) => code ?? status)
    expect(codes.filter((one) => one === 201)).toHaveLength(10)
    expect(codes.filter((one) => one === 'too_many_providers')).toHaveLength(4)
    const [{ name }] = await list(shop)
    expect((await put(shop, name)).status).toBe(200)
  })
})

describe('the other routes', () => {
  test('a deleted provider is gone, and deleting it again returns 404', async () => {
    const shop = await service.tenant()
    await put(shop, 'own')
    const remove = () => shop.call('/v2/ai-providers/own', { method: 'DELETE' })
    expect((await remove()).status).toBe(204)
    expect((await remove()).status).toBe(404)
    expect(await list(shop)).toEqual([])
  })

  test('a list has pages', async () => {
    const shop = await service.tenant()
    for (const name of ['a', 'b', 'c']) await put(shop, name)
    const { body: last } = await shop.call('/v2/ai-providers?page_size=2&page=last')
    expect([last.count, last.results.map((one: { name: string }) => one.name)]).toEqual([3, ['c']])
  })

  test('ai:run cannot manage providers, and neither can a token with the default scopes', async () => {
    for (const scopes of [['ai:run'], ['products:write', 'webhooks:manage']] as const) {
      const shop = await service.tenant({ scopes })
      expect((await put(shop, 'own')).body.code).toBe('insufficient_scope')
      expect((await shop.call('/v2/ai-providers')).status).toBe(403)
    }
  })

  test('the console: managers manage providers, editors cannot', async () => {
    const shop = await service.tenant()
    const at = `/console/api/projects/${shop.project}/ai-providers`
    const manager = await consoleUser(service, { projects: [shop.project] })
    const editor = await consoleUser(service, {
      memberships: [{ project_id: shop.project, role: 'editor' }],
    })
    expect((await manager.call(`${at}/own`, { method: 'PUT', body })).status).toBe(201)
    expect((await manager.call(at)).body.results).toHaveLength(1)
    expect((await editor.call(at)).status).toBe(403)
    expect((await editor.call(`${at}/own`, { method: 'PUT', body })).status).toBe(403)
  })

  test('the audit trail records who changed what, without the key', async () => {
    const shop = await service.tenant()
    await put(shop, 'own')
    await put(shop, 'own', { key: undefined })
    await shop.call('/v2/ai-providers/own', { method: 'DELETE' })
    const entries = await service.database.query(sql`
      select action, target, details ->> 'key' as key from audit_entries
      where project_id = ${shop.project} and target = 'AI provider own' order by id`)
    expect(entries).toEqual([
      { action: 'ai_provider.set', target: 'AI provider own', key: 'replaced' },
      { action: 'ai_provider.set', target: 'AI provider own', key: 'kept' },
      { action: 'ai_provider.delete', target: 'AI provider own', key: null },
    ])
  })
})

describe('POST /ai-providers/{name}/test', () => {
  const testAt = async (shop: Tenant) =>
    (await shop.call('/v2/ai-providers/own', { method: 'PUT', body: { ...body, base_url: sample.url } })) &&
    (await shop.call('/v2/ai-providers/own/test', { method: 'POST' }))
  const testModel = async (name: string) => {
    const shop = await service.tenant()
    await put(shop, 'own', { base_url: sample.url, models: [{ ...model, name }] })
    const { body: findings } = await shop.call('/v2/ai-providers/own/test', { method: 'POST' })
    expect((await list(shop))[0].findings).toEqual(findings)
    const { models, ...found } = findings
    const { reachable, ...ofModel } = found
    expect(models).toEqual(reachable ? [{ name, ...ofModel }] : [])
    return found
  }
  const all = { reachable: true, json_schema: true, json_object: true, plain: true, usage: true }
  const none = { json_schema: false, json_object: false, plain: false, usage: false }

  test.each([
    ['sample', all],
    ['sample-schema-refused', { ...all, json_schema: false }],
    ['sample-format-refused', { ...all, json_schema: false, json_object: false }],
    ['sample-no-usage', { ...all, usage: false }],
    ['sample-prose', { reachable: true, ...none }],
    ['sample-500', { reachable: true, ...none }],
    ['sample-redirect', { reachable: false, ...none }],
    ['sample-cut', { reachable: false, ...none }],
  ])('with the model %s reports and remembers the findings', async (name, findings) => {
    expect(await testModel(name)).toEqual(findings)
  })

  test('each model has findings of its own, and those of the provider apply to all', async () => {
    const shop = await service.tenant()
    const names = ['sample', 'sample-schema-refused', 'sample-cut']
    await put(shop, 'own', { base_url: sample.url, models: names.map((name) => ({ ...model, name })) })
    const { body: found } = await shop.call('/v2/ai-providers/own/test', { method: 'POST' })
    const { reachable, ...able } = all
    const refused = { ...able, json_schema: false }
    const models = [
      { name: 'sample', ...able },
      { name: 'sample-schema-refused', ...refused },
    ]
    expect(found).toEqual({ reachable, ...refused, models })
  })

  test('findings stay if only a price changes, and go with another origin', async () => {
    const shop = await service.tenant()
    await testAt(shop)
    const cheaper = { base_url: sample.url, models: [{ ...model, input_price: 0.1 }] }
    expect((await put(shop, 'own', cheaper)).body.findings).toMatchObject(all)
    expect((await put(shop, 'own')).body.findings).toBe(null)
  })

  test('an unreadable key is reported, in the list and by a test', async () => {
    const shop = await service.tenant()
    await put(shop, 'own')
    await service.database.query(
      sql`update ai_providers set key = '00000000.AAAA' where project_id = ${shop.project}`,
    )
    expect(await list(shop)).toMatchObject([
      { state: 'disabled', disabled_reason: 'key_unreadable', has_key: true },
    ])
    const response = await shop.call('/v2/ai-providers/own/test', { method: 'POST' })
    expect([response.status, response.body.code]).toEqual([409, 'key_unreadable'])
    expect((await put(shop, 'own')).body.state).toBe('enabled')
  })

  test('a provider that does not exist: 404', async () => {
    const shop = await service.tenant()
    expect((await shop.call('/v2/ai-providers/own/test', { method: 'POST' })).status).toBe(404)
  })
})
