import { beforeAll, describe, expect, test } from 'vitest'
import { type ConsoleUser, consoleUser, signIn } from '../../test/console-user.ts'
import { ownDatabase } from '../../test/database/test-database.ts'
import { sharedTestService, startTestService, type TestService } from '../../test/harness.ts'
import { countRequests } from '../access/usage/count-requests.ts'
import { sql } from '../platform/database/sql.ts'

let service: TestService
let operator: ConsoleUser
beforeAll(async () => {
  service = await sharedTestService()
  operator = await consoleUser(service, { operator: true })
})

const at = (path: string) => `/console/api/operator${path}`
const post = (path: string, body: unknown = {}) => operator.call(at(path), { method: 'POST', body })
const patch = (path: string, body: unknown) => operator.call(at(path), { method: 'PATCH', body })

async function newProject() {
  return (await post('/projects', { name: 'Garden shop', plan: 'pro', currency: 'USD' })).body
}

describe('projects in the admin area', () => {
  test('are created and changed, and changes apply to the next request', async () => {
    const project = await newProject()
    expect(project).toMatchObject({
      plan: 'pro',
      currency: 'USD',
      api_access: 'plan',
      has_api_access: true,
      rate_limit: { requests_per_second: 100, burst: 200 },
      products: 0,
      requests_30_days: 0,
    })
    const { token } = (await post(`/projects/${project.id}/tokens`, { name: 'Web shop' })).body
    expect((await service.call('/v2/project', { token })).status).toBe(200)
    const changed = await patch(`/projects/${project.id}`, { api_access: 'off', rate_limit: 7 })
    expect(changed.body).toMatchObject({
      has_api_access: false,
      rate_limit: { requests_per_second: 7, burst: 14 },
      rate_limit_override: '7',
    })
    expect((await service.call('/v2/project', { token })).status).toBe(403)
    expect((await patch(`/projects/${project.id}`, { rate_limit: 'none' })).body.rate_limit).toBeNull()
    const list = await operator.call(at('/projects?page=last&page_size=500'))
    expect(list.body.results.map(({ id }: { id: number }) => id)).toContain(project.id)
  })

  test.each([
    ['POST', '/projects', { name: ' ' }, '/name'],
    ['POST', '/projects', { name: 'shop\u202egnihton' }, '/name'],
    ['POST', '/projects/:id/tokens', { name: 'web\u2066shop' }, '/name'],
    ['POST', '/projects/:id/tokens', { name: 'two\nlines' }, '/name'],
    ['POST', '/users', { email: 'a@b.example', name: 'A\u202bB' }, '/name'],
    ['POST', '/projects', { name: 'x', plan: 'gold' }, '/plan'],
    ['POST', '/projects', { name: 'x', currency: 'euro' }, '/currency'],
    ['PATCH', '/projects/:id', { api_access: 'maybe' }, '/api_access'],
    ['PATCH', '/projects/:id', { rate_limit: 0 }, '/rate_limit'],
    ['PATCH', '/projects/:id', { plan: 'gold' }, '/plan'],
    ['POST', '/projects/:id/tokens', { name: 'x', scopes: ['products:raed'] }, '/scopes/0'],
    ['POST', '/projects/:id/tokens', { name: 'x', expires_at: '2020-01-01T00:00:00Z' }, '/expires_at'],
    ['POST', '/users', { email: 'no email' }, '/email'],
    ['POST', '/users', { email: 'a@b.example', project_ids: [987_654_321] }, '/project_ids/0'],
    ['POST', '/users', { email: 'a@b.example', project_ids: [1e300] }, '/project_ids/0'],
  ])('%s %s %j: 422 that points to %s', async (method, path, body, pointer) => {
    const { id } = await newProject()
    const response = await operator.call(at(path.replace(':id', id)), { method, body })
    expect(response.status).toBe(422)
    expect(response.body.errors.map((error: { pointer: string }) => error.pointer)).toEqual([pointer])
  })

  test('that do not exist: 404', async () => {
    for (const path of ['/projects/987654321', '/projects/987654321/tokens', '/projects/abc'])
      expect((await operator.call(at(path))).status).toBe(404)
    expect((await patch('/projects/987654321', { plan: 'pro' })).status).toBe(404)
    expect((await post('/projects/987654321/tokens', { name: 'x' })).status).toBe(404)
    expect((await post('/tokens/987654321/revoke')).status).toBe(404)
    expect((await post('/users/987654321/reset-password')).status).toBe(404)
  })
})

describe('tokens in the admin area', () => {
  test('are issued, rotated with an overlap, and revoked immediately', async () => {
    const { id } = await newProject()
    const first = (await post(`/projects/${id}/tokens`, { name: 'Web shop', scopes: ['products:read'] })).body
    const second = (await post(`/tokens/${first.id}/rotate`, { overlap: '1h' })).body
    for (const { token } of [first, second])
      expect((await service.call('/v2/products', { token })).status).toBe(200)
    expect((await post(`/tokens/${first.id}/rotate`)).body.code).toBe('token_ended')
    expect((await post(`/tokens/${second.id}/revoke`)).body.revoked_at).toEqual(expect.any(String))
    expect((await service.call('/v2/products', { token: second.token })).status).toBe(401)
    const list = await operator.call(at(`/projects/${id}/tokens`))
    expect(list.body).toMatchObject({ count: 2, results: [{ shown: true }, { name: 'Web shop' }] })
    expect(list.text).not.toContain(second.token)
  })
})

describe('users in the admin area', () => {
  test('are created with a password that is shown once, moved between projects, and given a new password', {
    tags: 'slow',
  }, async () => {
    const { id: project } = await newProject()
    const email = `Person-${Date.now()}@Test.example`
    const made = await post('/users', { email, name: 'Person', project_ids: [project] })
    expect(made.body).toMatchObject({
      email: email.toLowerCase(),
      operator: false,
      projects: [{ id: project }],
    })
    const { id, password } = made.body
    expect((await signIn(service, email, password)).status).toBe(200)
    expect((await post('/users', { email })).body).toMatchObject({ code: 'duplicate_email', existing_id: id })
    expect((await patch(`/users/${id}`, { project_ids: [], name: 'Other' })).body).toMatchObject({
      name: 'Other',
      projects: [],
    })
    const { password: fresh } = (await post(`/users/${id}/reset-password`)).body
    expect((await signIn(service, email, password)).status).toBe(401)
    expect((await signIn(service, email, fresh)).status).toBe(200)
    const [kept] = await service.database.query(
      sql<{ password: string }>`select password from accounts where user_id = ${id}`,
    )
    expect(kept?.password).not.toContain(fresh)
  })
})

describe('operators', () => {
  test("can revoke each other's role, even concurrently, until one is left", { tags: 'slow' }, async () => {
    const own = await startTestService({}, await ownDatabase('operators'))
    const [first, second] = [
      await consoleUser(own, { operator: true }),
      await consoleUser(own, { operator: true }),
    ]
    const demote = (by: ConsoleUser, { id }: ConsoleUser) =>
      by.call(at(`/users/${id}`), { method: 'PATCH', body: { operator: false } })
    const responses = await Promise.all([demote(first, first), demote(second, second)])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409])
    const left = responses[0]?.status === 409 ? first : second
    // An invited user who has not signed in yet cannot appoint another operator.
    const email = `${crypto.randomUUID()}@test.example`
    await left.call(at('/invitations'), { method: 'POST', body: { email, operator: true } })
    for (const verb of ['disable', 'delete'])
      expect((await left.call(at(`/users/${left.id}/${verb}`), { method: 'POST', body: {} })).status).toBe(
        409,
      )
    expect((await demote(left, left)).body.code).toBe('last_operator')
    expect((await left.call(at('/users'))).status).toBe(200)
  })
})

describe('the audit trail', () => {
  test('has every action with actor, object and project, newest first, and no secrets', async () => {
    const { id } = await newProject()
    await patch(`/projects/${id}`, { plan: 'enterprise' })
    const issued = (await post(`/projects/${id}/tokens`, { name: 'Web shop' })).body
    await post(`/tokens/${issued.id}/revoke`)
    const { body, text } = await operator.call(at('/audit?page_size=500'))
    const mine = body.results.filter((entry: { project: { id: number } | null }) => entry.project?.id === id)
    expect(mine.map(({ action }: { action: string }) => action)).toEqual([
      'token.revoke',
      'token.create',
      'project.change',
      'project.create',
    ])
    expect(mine[2]).toMatchObject({
      actor: operator.email,
      target: `project ${id}`,
      details: { plan: { before: 'pro', after: 'enterprise' } },
    })
    expect(text).not.toContain(issued.token)
  })

  test('shows the values before each change, also for concurrent changes', async () => {
    const { id } = await newProject()
    await Promise.all(
      Array.from({ length: 12 }, (_, index) => patch(`/projects/${id}`, { rate_limit: index + 1 })),
    )
    const entries = await service.database.query(sql<{ change: { before: string; after: string } }>`
      select details -> 'rate_limit' as change from audit_entries
      where project_id = ${id} and action = 'project.change' order by id`)
    expect(entries).toHaveLength(12)
    expect(entries.map(({ change }) => change.before)).toEqual([
      'plan',
      ...entries.slice(0, -1).map(({ change }) => change.after),
    ])
  })

  test('is append-only', async () => {
    await expect(service.database.query(sql`delete from audit_entries`)).rejects.toThrow('only added to')
    await expect(service.database.query(sql`update audit_entries set actor = 'x'`)).rejects.toThrow(
      'only added to',
    )
  })

  test('an action that fails or changes nothing has no entry, and every other action has one', {
    tags: 'slow',
  }, async () => {
    const count = async () => (await operator.call(at('/audit?page_size=1'))).body.results[0].id
    const { id } = await newProject()
    const before = await count()
    await patch('/projects/987654321', { plan: 'pro' })
    await post('/users', { email: operator.email })
    expect((await patch(`/projects/${id}`, { plan: 'pro' })).status).toBe(200)
    expect((await patch(`/projects/${id}`, {})).status).toBe(200)
    expect((await patch(`/users/${operator.id}`, {})).status).toBe(200)
    const [entry] = await service.database.query(
      sql<{
        count: number
      }>`select count(*) from audit_entries where id > ${before} and actor = ${operator.email}`,
    )
    expect(entry?.count).toBe(0)
  })
})

describe('requests per day', () => {
  test('are those that the API served for the project, and zero for other days', {
    tags: 'slow',
  }, async () => {
    const own = await sharedTestService()
    const { project, call } = await own.tenant()
    const member = await consoleUser(own, { projects: [project] })
    for (let time = 0; time < 5; time += 1) await call('/v2/products')
    await own.call('/v2/products', { token: 'nonsense' })
    await member.call(`/console/api/projects/${project}/products`)
    const counted = sql`select requests from project_usage where project_id = ${project}`
    await expect.poll(() => own.database.query(counted)).toEqual([{ requests: 5 }])
    const { usage } = (await member.call(`/console/api/projects/${project}/api-access`)).body
    expect(usage).toHaveLength(30)
    expect(usage.at(-1)).toEqual({ day: new Date().toISOString().slice(0, 10), requests: 5 })
    expect((await operator.call(at(`/projects/${project}`))).body.requests_30_days).toBe(5)
  })

  test('are summed over processes, and none is lost if one stops', async () => {
    const { project } = await service.tenant()
    const counters = [countRequests(), countRequests()]
    for (const counter of counters) for (let time = 0; time < 3; time += 1) counter.count(project)
    await Promise.all(counters.map((counter) => counter.flush(service.database.background)))
    expect((await operator.call(at(`/projects/${project}`))).body.requests_30_days).toBe(6)
  })
})
