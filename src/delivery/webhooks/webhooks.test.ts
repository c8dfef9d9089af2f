import { Webhook as Verifier } from 'standardwebhooks'
import { beforeAll, describe, expect, test } from 'vitest'
import { consoleUser } from '../../../test/console-user.ts'
import { sharedTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { issueToken } from '../../access/tokens/manage-token.ts'
import { revokeTokenRow } from '../../access/tokens/token.sql.ts'
import type { Scope } from '../../model/scopes.ts'
import { sql } from '../../platform/database/sql.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant()
})

const url = 'https://receiver.invalid/events'
const post = (path: string, body?: object, tenant = shop) =>
  tenant.call(`/v2/webhooks${path}`, { method: 'POST', body })

describe('a webhook', () => {
  test('has a Standard Webhooks secret that is shown once and stored encrypted', async () => {
    const created = await post('', { url, types: ['product.*', 'category.created'] })
    expect(created.status).toBe(201)
    expect(created.headers.get('location')).toBe(`${service.url}/v2/webhooks/${created.body.id}`)
    const { secret, ...shown } = created.body
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(() => new Verifier(secret)).not.toThrow()
    expect(shown).toMatchObject({ url, state: 'enabled', lag_seconds: 0, parked: 0, last_error: null })
    const again = await shop.call(`/v2/webhooks/${created.body.id}`)
    expect(again.body).toEqual(shown)
    const [row] = await service.database.query(
      sql<{
        text: string
      }>`select webhook::text as text from webhooks as webhook where id = ${created.body.id}`,
    )
    expect(row?.text).not.toContain(secret.slice(6, 20))
  })

  test('is changed, listed and deleted, with an audit entry per action', async () => {
    const own = await service.tenant()
    const { body: created } = await post('', { url }, own)
    const at = `/v2/webhooks/${created.id}`
    const changed = await own.call(at, { method: 'PATCH', body: { types: ['prompt.*'] } })
    expect(changed.body).toMatchObject({ url, types: ['prompt.*'] })
    const all = await own.call(at, { method: 'PATCH', body: { url: `${url}/2`, types: null } })
    expect(all.body).toMatchObject({ url: `${url}/2`, types: null })
    expect((await own.call('/v2/webhooks')).body.results).toEqual([all.body])
    expect((await own.call(at, { method: 'DELETE' })).status).toBe(204)
    expect((await own.call(at)).status).toBe(404)
    const lines = await service.database.query(sql<{ action: string }>`
      select action from audit_entries where project_id = ${own.project} and action like 'webhook.%' order by id`)
    expect(lines.map(({ action }) => action)).toEqual([
      'webhook.create',
      'webhook.update',
      'webhook.update',
      'webhook.delete',
    ])
  })

  test('keeps the scopes of its token, also after the token is revoked', async () => {
    const scopes = ['webhooks:manage', 'prompts:read'] as const
    const { token, id } = await issueToken(service.database, { name: 'tester' }, shop.project, { scopes })
    const created = await service.call('/v2/webhooks', { method: 'POST', body: { url }, token })
    await revokeTokenRow(service.database, id)
    const kept = await shop.call(`/v2/webhooks/${created.body.id}`)
    expect(kept.body).toMatchObject({ state: 'enabled', scopes })
  })

  test('gets another URL only from a token that can read its events', async () => {
    const { body: created } = await post('', { url })
    const patch = async (body: object, ...scopes: Scope[]) => {
      const { token } = await issueToken(service.database, { name: 'tester' }, shop.project, { scopes })
      return service.call(`/v2/webhooks/${created.id}`, { method: 'PATCH', body, token })
    }
    const elsewhere = { url: 'https://elsewhere.invalid/' }
    const rejected = await patch(elsewhere, 'webhooks:manage', 'prompts:read')
    expect([rejected.status, rejected.body.code]).toEqual([403, 'insufficient_scope'])
    expect(rejected.body.detail).toContain('products:read')
    expect((await patch({ url, types: ['product.*'] }, 'webhooks:manage')).status).toBe(200)
    expect((await patch(elsewhere, 'webhooks:manage', 'prompts:read', 'products:write')).status).toBe(200)
  })

  test('can be created in the console by managers only', async () => {
    const make = async (role: 'editor' | 'manager') => {
      const person = await consoleUser(service, { memberships: [{ project_id: shop.project, role }] })
      return person.call(`/console/api/projects/${shop.project}/webhooks`, { method: 'POST', body: { url } })
    }
    expect([(await make('editor')).status, (await make('manager')).status]).toEqual([403, 201])
  })

  test('is one of at most 20 per project, also with concurrent requests', async () => {
    const own = await service.tenant()
    const responses = await Promise.all(Array.from({ length: 22 }, () => post('', { url }, own)))
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(20)
    expect(responses.find(({ status }) => status !== 201)?.body.code).toBe('too_many_webhooks')
  })

  test.each([
    [{ types: ['product.craeted'] }, '/types/0', /product\.created/],
    [{ types: [] }, '/types', /./],
    [{ from: 'yesterday' }, '/from', /cursor/],
  ])('is rejected with %j', async (wrong, pointer, message) => {
    const { status, body } = await post('', { url, ...wrong })
    expect([status, body.errors[0].pointer]).toEqual([422, pointer])
    expect(body.errors[0].message).toMatch(message)
  })

  test('starts at a cursor of the feed, but not at a cursor of another database', async () => {
    expect((await post('', { url, from: '0' })).status).toBe(201)
    const other = await post('', { url, from: '01234567.1.01234567.1' })
    expect([other.status, other.body.code]).toEqual([409, 'feed_restarted'])
  })

  test('rejects a replay that ends before it starts', async () => {
    const { body: created } = await post('', { url })
    await shop.call('/v2/products', { method: 'POST', body: { sku: 'REPLAYED', name: 'Mug' } })
    const { head } = (await shop.call('/v2/events')).body
    const { status, body } = await post(`/${created.id}/replay`, { from: head, to: '0' })
    expect([status, body.errors[0].pointer]).toEqual([422, '/to'])
    expect((await post(`/${created.id}/replay`, { from: '0', to: head })).status).toBe(200)
  })

  test('cannot be enabled twice, and ids of other webhooks retry nothing', async () => {
    const { body: created } = await post('', { url })
    expect((await post(`/${created.id}/enable`)).body.code).toBe('webhook_enabled')
    expect((await post(`/${created.id}/parked/retry`, { ids: [1] })).body).toEqual({ retrying: 0 })
    expect((await shop.call(`/v2/webhooks/${created.id}/parked`)).body.results).toEqual([])
    expect((await shop.call(`/v2/webhooks/${created.id}/attempts?failed=true`)).body.results).toEqual([])
  })
})

test('a test of an unreachable receiver returns the reason without internal addresses', async () => {
  const { body: created } = await post('', { url })
  const { body: tested } = await post(`/${created.id}/test`)
  expect(tested).toMatchObject({ delivered: false, status: null, answer: '' })
  expect(tested.error).toMatch(/host name does not resolve|connection failed/)
})

test('a webhook that a restore disabled rejects replays until it is enabled', async () => {
  const { body: created } = await post('', { url })
  await service.database.query(sql`update webhooks set disabled_reason = 'restored' where id = ${created.id}`)
  expect((await shop.call(`/v2/webhooks/${created.id}`)).body).toMatchObject({
    state: 'disabled',
    disabled_reason: 'restored',
  })
  expect((await post(`/${created.id}/replay`, { from: '0' })).body.code).toBe('webhook_disabled')
  expect((await post(`/${created.id}/enable`, { from: '0' })).body.state).toBe('enabled')
})

test('the admin area lists failing and disabled webhooks of all projects, except manually disabled ones', async () => {
  const admin = await consoleUser(service, { operator: true })
  const troubles = [
    sql`failing_since = now()`,
    sql`disabled_reason = 'gone', disabled_at = now()`,
    sql`told = 0`,
    sql`disabled_reason = 'by_hand', disabled_at = now()`,
  ]
  const own = await service.tenant()
  const ids: number[] = []
  for (const trouble of troubles) {
    const { id } = (await post('', { url }, own)).body
    await service.database.query(sql`update webhooks set ${trouble} where id = ${id}`)
    ids.push(id)
  }
  const listed = async (state: string) => {
    const path = `/console/api/operator/webhooks?page_size=500${state}`
    const { count, results } = (await admin.call(path)).body
    expect(count).toBe(results.length)
    return results.filter(({ project }: { project: { id: number } }) => project.id === own.project)
  }
  const idsOf = async (state: string) => (await listed(state)).map(({ id }: { id: number }) => id).toSorted()
  expect(await idsOf('')).toEqual(ids.slice(0, 2))
  expect(await idsOf('&state=failing')).toEqual([ids[0]])
  expect(await listed('&state=disabled')).toMatchObject([{ id: ids[1], disabled_reason: 'gone', url }])
})
