import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ConsoleUser, consoleUser } from '../../../test/console-user.ts'
import { sharedTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { sql } from '../../platform/database/sql.ts'

let service: TestService
let shop: Tenant
let viewer: ConsoleUser
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant()
})
beforeEach(async () => {
  viewer = await consoleUser(service, { memberships: [{ project_id: shop.project, role: 'viewer' }] })
})

const at = (path = '', project = shop.project) => `/console/api/projects/${project}/saved-views${path}`
const save = (person: ConsoleUser, name: string, query: string) =>
  person.call(at(), { method: 'POST', body: { name, query } })
const namesOf = async (person: ConsoleUser) =>
  (await person.call(at())).body.results.map(({ name }: { name: string }) => name)

describe('a saved view', () => {
  test('is created, renamed, changed and deleted by any reader of the project', async () => {
    const made = await save(
      viewer,
      ' Red ones ',
      '?attributes[Shade+Color]=red&ordering=-price&columns=sku,price',
    )
    expect([made.status, made.body.name]).toEqual([201, 'Red ones'])
    expect(made.body.query).toBe('attributes[Shade+Color]=red&ordering=-price&columns=sku,price')
    const change = (body: object) => viewer.call(at(`/${made.body.id}`), { method: 'PATCH', body })
    expect((await change({ name: 'Blue ones' })).body).toMatchObject({
      name: 'Blue ones',
      query: made.body.query,
    })
    expect((await change({ query: '' })).body).toMatchObject({ name: 'Blue ones', query: '' })
    expect(await namesOf(viewer)).toEqual(['Blue ones'])
    const remove = () => viewer.call(at(`/${made.body.id}`), { method: 'DELETE' })
    expect([(await remove()).status, (await remove()).status]).toEqual([204, 404])
    expect(await namesOf(viewer)).toEqual([])
  })

  test.each([
    ['stauts=active', /^stauts .*status/],
    ['price__gte=cheap', /^price__gte must be a number/],
    ['page=2', /^page /],
    ['expand=detail', /^expand /],
    ['ordering=relevance', /^ordering relevance requires search/],
    ['ordering=colour', /^ordering /],
    ['search=%ff', /percent-encoded/],
    [`search=${'x'.repeat(4096)}`, /4096/],
  ])('is rejected if the list would reject its query: %.40s', async (query, message) => {
    const { status, body } = await save(viewer, 'Wrong', query)
    expect([status, body.errors[0].pointer]).toEqual([422, '/query'])
    expect(body.errors[0].message).toMatch(message)
  })

  test('has a unique name of one line with 1 to 100 characters', async () => {
    for (const name of ['', '   ', 'x'.repeat(101), 'two\nlines'])
      expect((await save(viewer, name, '')).body.errors[0].pointer).toBe('/name')
    const { body: first } = await save(viewer, 'Drafts', 'status=pending')
    const { body: second } = await save(viewer, 'Gone', 'status=archived')
    const twice = await save(viewer, 'Drafts', '')
    expect([twice.status, twice.body.code, twice.body.existing_id]).toEqual([409, 'duplicate_name', first.id])
    const renamed = (name: string) => viewer.call(at(`/${second.id}`), { method: 'PATCH', body: { name } })
    expect((await renamed('Drafts')).body.code).toBe('duplicate_name')
    expect((await renamed('Gone')).status).toBe(200)
  })

  test('is one of at most 50, also with concurrent requests', { tags: 'slow' }, async () => {
    const keeper = await consoleUser(service, { projects: [shop.project] })
    const responses = await Promise.all(
      Array.from({ length: 52 }, (_, place) => save(keeper, `View ${place}`, '')),
    )
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(50)
    expect(responses.find(({ status }) => status !== 201)?.body.code).toBe('too_many_views')
  })
})

describe('a shared view', () => {
  const members = async () => {
    const { project } = await service.tenant()
    const person = (role: 'viewer' | 'editor' | 'manager') =>
      consoleUser(service, { memberships: [{ project_id: project, role }] })
    const [owner, other, manager] = [await person('viewer'), await person('editor'), await person('manager')]
    const send = (who: ConsoleUser, method: string, path: string, body?: object) =>
      who.call(at(path, project), { method, ...(body && { body }) })
    const list = async (who: ConsoleUser) => (await who.call(at('', project))).body.results
    return { owner, other, manager, send, list }
  }

  test('is seen by all members, and changed by its owner and by managers only', async () => {
    const { owner, other, manager, send, list } = await members()
    const { body: view } = await send(owner, 'POST', '', { name: 'Team', query: '', shared: true })
    expect(view).toMatchObject({ shared: true, owner: owner.email, can_change: true })
    expect(await list(other)).toMatchObject([{ name: 'Team', owner: owner.email, can_change: false }])
    expect((await send(other, 'PATCH', `/${view.id}`, { name: 'Mine' })).body.code).toBe('insufficient_role')
    expect((await send(other, 'DELETE', `/${view.id}`)).status).toBe(403)
    const changed = await send(manager, 'PATCH', `/${view.id}`, { query: 'status=active' })
    expect(changed.body).toMatchObject({ query: 'status=active', owner: owner.email, can_change: true })
    await send(owner, 'PATCH', `/${view.id}`, { shared: false })
    expect([await list(other), await list(manager)]).toEqual([[], []])
    expect((await send(manager, 'PATCH', `/${view.id}`, { name: 'x' })).status).toBe(404)
    await send(owner, 'PATCH', `/${view.id}`, { shared: true })
    expect((await send(manager, 'DELETE', `/${view.id}`)).status).toBe(204)
    expect(await list(owner)).toEqual([])
  })

  test('has a name that no other shared view has, also if two members share at the same time', async () => {
    const { owner, other, send, list } = await members()
    const shared = { name: 'Team', query: '', shared: true }
    const both = await Promise.all([send(owner, 'POST', '', shared), send(other, 'POST', '', shared)])
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
    const loser = both[0].status === 409 ? owner : other
    const { body: own } = await send(loser, 'POST', '', { name: 'Team', query: '' })
    expect((await send(loser, 'PATCH', `/${own.id}`, { shared: true })).body.code).toBe('duplicate_name')
    expect((await list(loser)).map(({ shared }: { shared: boolean }) => shared).sort()).toEqual([false, true])
  })
})

describe('no one else', () => {
  test('sees or changes a view: no other member, and no operator', async () => {
    const owner = await consoleUser(service, { projects: [shop.project] })
    const { body: view } = await save(owner, 'Mine', 'status=active')
    for (const other of [
      await consoleUser(service, { projects: [shop.project] }),
      await consoleUser(service, { operator: true }),
    ]) {
      expect(await namesOf(other)).toEqual([])
      const change = await other.call(at(`/${view.id}`), { method: 'PATCH', body: { name: 'Theirs' } })
      const removal = await other.call(at(`/${view.id}`), { method: 'DELETE' })
      expect([change.status, removal.status]).toEqual([404, 404])
      expect((await save(other, 'Mine', '')).status).toBe(201)
    }
    expect(await namesOf(owner)).toEqual(['Mine'])
  })

  test('sees it in another project of the same user', async () => {
    const other = await service.tenant()
    const owner = await consoleUser(service, { projects: [shop.project, other.project] })
    const { body: view } = await save(owner, 'Here', '')
    expect((await owner.call(at('', other.project))).body.results).toEqual([])
    expect((await owner.call(at(`/${view.id}`, other.project), { method: 'DELETE' })).status).toBe(404)
  })
})

test('a user who leaves the project can no longer see their views, and deleting an account deletes its views', async () => {
  const owner = await consoleUser(service, { projects: [shop.project] })
  await save(owner, 'Kept', '')
  const operator = await consoleUser(service, { operator: true })
  const join = (project_ids: number[]) =>
    operator.call(`/console/api/operator/users/${owner.id}`, { method: 'PATCH', body: { project_ids } })
  await join([])
  expect((await owner.call(at())).status).toBe(404)
  await join([shop.project])
  expect(await namesOf(owner)).toEqual(['Kept'])
  await service.database.transaction((tx) => tx.query(sql`delete from users where id = ${owner.id}`))
  expect(await service.database.query(sql`select from saved_views where user_id = ${owner.id}`)).toEqual([])
})
