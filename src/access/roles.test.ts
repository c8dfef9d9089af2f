import { beforeAll, describe, expect, test } from 'vitest'
import { consoleUser } from '../../test/console-user.ts'
import { sharedTestService, type Tenant, type TestService } from '../../test/harness.ts'
import type { Scope } from '../model/scopes.ts'
import { changeProject } from './projects/manage-project.ts'
import type { MemberRole } from './roles.ts'
import { issueToken } from './tokens/manage-token.ts'

type Person = Awaited<ReturnType<typeof consoleUser>>

let service: TestService
let shop: Tenant
let people: Record<MemberRole, Person>
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant({ plan: 'enterprise' })
  const [viewer, editor, manager] = await Promise.all(
    (['viewer', 'editor', 'manager'] as const).map((role) =>
      consoleUser(service, { memberships: [{ project_id: shop.project, role }] }),
    ),
  )
  people = { viewer, editor, manager } as typeof people
})

const at = (path: string) => `/console/api/projects/${shop.project}${path}`
const post = (person: Person, path: string, body: object = {}) =>
  person.call(at(path), { method: 'POST', body })

describe('a member', () => {
  test('can read as a viewer, write and propose as an editor, and apply and manage as a manager', async () => {
    const { body: product } = await post(people.editor, '/products', { sku: 'ROLE-1', name: 'A product' })
    const { body: proposal } = await post(people.editor, '/proposals', [{ sku: 'ROLE-1', price: 2 }])
    const statuses = async (person: Person) => [
      (await person.call(at('/products'))).status,
      (await person.call(at(`/products/${product.id}`), { method: 'PATCH', body: { price: 1 } })).status,
      (await post(person, '/proposals', [{ sku: 'ROLE-1', price: 3 }])).status,
      (await post(person, '/attributes', { name: `a${Math.random()}`, type: 'text' })).status,
    ]
    expect(await statuses(people.viewer)).toEqual([200, 403, 403, 403])
    expect(await statuses(people.editor)).toEqual([200, 200, 201, 403])
    expect(await statuses(people.manager)).toEqual([200, 200, 201, 201])
    const rejected = await post(people.editor, `/proposals/${proposal.id}/apply`)
    expect([rejected.status, rejected.body.code]).toEqual([403, 'insufficient_role'])
    expect((await post(people.manager, `/proposals/${proposal.id}/apply`)).status).toBe(200)
  })

  test('sees the role, and a change by the operator applies at once', async () => {
    const { body } = await people.viewer.call('/console/api/session')
    expect(body.projects.map(({ role }: { role: string }) => role)).toEqual(['viewer'])
    const admin = await consoleUser(service, { operator: true })
    const memberships = [{ project_id: shop.project, role: 'editor' }]
    const change = (changes: object) =>
      admin.call(`/console/api/operator/users/${body.user.id}`, { method: 'PATCH', body: changes })
    expect((await change({ memberships })).body.projects).toMatchObject([
      { id: shop.project, role: 'editor' },
    ])
    expect((await post(people.viewer, '/products', { sku: 'ROLE-2', name: 'N' })).status).toBe(201)
    // project_ids does not change existing roles.
    expect((await change({ project_ids: [shop.project] })).body.projects).toMatchObject([{ role: 'editor' }])
    await change({ memberships: [{ project_id: shop.project, role: 'viewer' }] })
    const twice = await change({ project_ids: [], memberships: [] })
    expect([twice.status, twice.body.errors[0].pointer]).toEqual([422, '/memberships'])
  })
})

describe('a manager of a project with self-service tokens', () => {
  test('creates, rotates and revokes tokens of the project, and no others', async () => {
    expect((await post(people.editor, '/tokens', { name: 'No' })).status).toBe(403)
    const created = await post(people.manager, '/tokens', { name: 'Shop', scopes: ['products:read'] })
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({ self_service: true, scopes: ['products:read'] })
    expect((await service.call('/v2/products', { token: created.body.token })).status).toBe(200)
    const rotated = await post(people.manager, `/tokens/${created.body.id}/rotate`, { overlap: '0s' })
    expect((await service.call('/v2/products', { token: rotated.body.token })).status).toBe(200)
    await post(people.manager, `/tokens/${rotated.body.id}/revoke`)
    expect((await service.call('/v2/products', { token: rotated.body.token })).status).toBe(401)
    const { id } = await issueToken(service.database, { name: 'operator' }, shop.project)
    expect((await post(people.manager, `/tokens/${id}/revoke`)).body.code).toBe('insufficient_role')
    const other = await issueToken(service.database, { name: 'operator' }, (await service.tenant()).project)
    expect((await post(people.manager, `/tokens/${other.id}/revoke`)).status).toBe(404)
  })

  test('cannot create tokens with other scopes than the operator allows, or more than 50 tokens', {
    tags: 'slow',
  }, async () => {
    const other = await service.tenant({ plan: 'enterprise' })
    const manager = await consoleUser(service, { projects: [other.project] })
    const act = (path: string, body: object = {}) =>
      manager.call(`/console/api/projects/${other.project}/tokens${path}`, { method: 'POST', body })
    const make = (body: object) => act('', body)
    // Tokens of another project do not count.
    await post(people.manager, '/tokens', { name: 'Other' })
    await changeProject(service.database, { name: 'operator' }, other.project, {
      selfServiceScopes: ['products:read'],
    })
    const scopeNotAllowed = await make({ name: 'No', scopes: ['products:write'] })
    expect([scopeNotAllowed.status, scopeNotAllowed.body.errors[0].pointer]).toEqual([422, '/scopes/0'])
    const created = await Promise.all(Array.from({ length: 52 }, (_, n) => make({ name: `T${n}` })))
    expect(created.filter(({ status }) => status === 201)).toHaveLength(50)
    expect(created.find(({ status }) => status !== 201)?.body.code).toBe('too_many_tokens')
    // Revoked and expired tokens do not count either.
    const [first, second] = created.filter(({ status }) => status === 201)
    await act(`/${first?.body.id}/revoke`)
    expect((await make({ name: 'In its place' })).status).toBe(201)
    const successor = await act(`/${second?.body.id}/rotate`, { overlap: '0s' })
    await act(`/${successor.body.id}/revoke`)
    expect((await make({ name: 'In its place' })).status).toBe(201)
    expect((await make({ name: 'No' })).body.code).toBe('too_many_tokens')
    // A rotation with an overlap needs room for both tokens.
    const third = created.filter(({ status }) => status === 201)[2]?.body.id
    const both = await act(`/${third}/rotate`, { overlap: '1h' })
    expect([both.status, both.body.code, both.body.detail]).toEqual([
      409,
      'too_many_tokens',
      expect.stringContaining('overlap of 0s'),
    ])
    expect((await act(`/${third}/rotate`, { overlap: '0s' })).status).toBe(200)
    await changeProject(service.database, { name: 'operator' }, other.project, { selfServiceTokens: 'off' })
    expect((await make({ name: 'No' })).body.code).toBe('insufficient_role')
  })

  test('gets a successor with the scopes that the operator still allows, or an error if there are none', async () => {
    const other = await service.tenant({ plan: 'enterprise' })
    const manager = await consoleUser(service, { projects: [other.project] })
    const act = (path: string, body: object) =>
      manager.call(`/console/api/projects/${other.project}/tokens${path}`, { method: 'POST', body })
    const allow = (...selfServiceScopes: Scope[]) =>
      changeProject(service.database, { name: 'operator' }, other.project, { selfServiceScopes })
    const created = await act('', {
      name: 'Shop',
      scopes: ['products:write', 'prompts:write', 'events:read'],
    })
    await allow('products:read', 'prompts:write')
    const narrower = await act(`/${created.body.id}/rotate`, { overlap: '1h' })
    expect(narrower.body.scopes).toEqual(['products:read', 'prompts:write'])
    const same = await act(`/${narrower.body.id}/rotate`, { overlap: '0s' })
    expect(same.body.scopes).toEqual(['products:read', 'prompts:write'])
    await allow('events:read')
    const rejected = await act(`/${same.body.id}/rotate`, { overlap: '0s' })
    expect([rejected.status, rejected.body.code]).toEqual([403, 'insufficient_role'])
    expect((await service.call('/v2/products', { token: same.body.token })).status).toBe(200)
  })

  test('cannot create tokens on a plan without self-service, unless the operator enables it', async () => {
    const pro = await service.tenant({ plan: 'pro' })
    const manager = await consoleUser(service, { projects: [pro.project] })
    const { body } = await manager.call(`/console/api/projects/${pro.project}/api-access`)
    expect(body.self_service).toMatchObject({ allowed: false })
    const make = () =>
      manager.call(`/console/api/projects/${pro.project}/tokens`, { method: 'POST', body: { name: 'T' } })
    expect((await make()).status).toBe(403)
    await changeProject(service.database, { name: 'operator' }, pro.project, { selfServiceTokens: 'on' })
    expect((await make()).status).toBe(201)
  })
})
