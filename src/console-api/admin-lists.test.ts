import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { type ConsoleUser, consoleUser } from '../../test/console-user.ts'
import { sharedTestService, type TestService } from '../../test/harness.ts'
import { sql } from '../platform/database/sql.ts'

let service: TestService
let operator: ConsoleUser
beforeAll(async () => {
  service = await sharedTestService()
  operator = await consoleUser(service, { operator: true })
})

type Named = { id: number; name: string }
const read = async (path: string) => (await operator.call(`/console/api${path}`)).body
const post = (path: string, body: unknown) =>
  operator.call(`/console/api/operator${path}`, { method: 'POST', body })
const names = ({ results }: { results: Named[] }) => results.map(({ name }) => name)

describe('lists in the admin area', () => {
  test('projects are searched, filtered and sorted by the service, and the switcher finds each of many', async () => {
    const mark = randomUUID().slice(0, 8)
    const made = [`Zebra ${mark}`, `ÄPFEL ${mark}`, `Middle ${mark}`]
    for (const [index, name] of made.entries())
      await post('/projects', { name, plan: index === 1 ? 'pro' : 'free' })
    expect(names(await read(`/operator/projects?search=${mark}&ordering=-created_at`))).toEqual(
      made.toReversed(),
    )
    expect(names(await read(`/operator/projects?search=${mark}&has_api_access=true`))).toEqual([made[1]])
    expect(names(await read(`/operator/projects?search=${mark}&plan=free&ordering=name`))).toEqual([
      made[2],
      made[0],
    ])
    expect(names(await read(`/projects?search=${encodeURIComponent(`äpfel ${mark}`)}`))).toEqual([made[1]])
    expect(names(await read('/projects?search=100%25%20none'))).toEqual([])
    const session = await read('/session')
    expect(session.projects.length).toBeLessThanOrEqual(20)
    expect(session.project_count).toBeGreaterThanOrEqual(3)
  })

  test('a member reads one project by its URL, and finds only their own projects', async () => {
    const [own, foreign] = [await service.tenant(), await service.tenant()]
    const memberships = [{ project_id: own.project, role: 'viewer' as const }]
    const member = await consoleUser(service, { memberships })
    const { body } = await member.call(`/console/api/projects/${own.project}`)
    expect(body).toMatchObject({ id: own.project, role: 'viewer', public_media: true })
    await service.database.query(sql`update projects set media = 'private' where id = ${own.project}`)
    expect((await member.call('/console/api/session')).body.projects).toMatchObject([{ public_media: false }])
    expect((await member.call(`/console/api/projects/${foreign.project}`)).status).toBe(404)
    expect((await member.call('/console/api/projects?search=')).body.count).toBe(1)
  })

  test('users are searched by email and name, and filtered by kind', async () => {
    const mark = randomUUID().slice(0, 8)
    const emails = ['one', 'two'].map((name) => `${name}-${mark}@test.example`)
    for (const email of emails) await post('/invitations', { email, name: `Person ${mark}` })
    const found = async (query: string) =>
      (await read(`/operator/users?search=${mark}${query}`)).results.map(
        (user: { email: string }) => user.email,
      )
    expect(await found('')).toEqual(emails)
    expect(await found('&kind=invited')).toEqual(emails)
    expect(await found('&kind=disabled')).toEqual([])
    const [never] = (await read(`/operator/users?search=${mark}`)).results
    const [{ last_sign_in_at: at }] = (await read(`/operator/users?search=${operator.email}`)).results
    expect([never.last_sign_in_at, Date.now() - Date.parse(at) < 3_600_000]).toEqual([null, true])
    expect((await read(`/operator/users?search=person+ONE-${mark}`)).count).toBe(1)
  })

  test('tokens are paged, valid ones first', async () => {
    const { project } = await service.tenant()
    const made: { id: number }[] = []
    for (const name of ['first', 'second', 'third'])
      made.push((await post(`/projects/${project}/tokens`, { name })).body)
    await post(`/tokens/${made[2]?.id}/revoke`, {})
    const path = `/operator/projects/${project}/tokens`
    expect(names(await read(`${path}?state=ended`))).toEqual(['third'])
    expect(names(await read(`${path}?search=SECOND`))).toEqual(['second'])
    const page = await read(`${path}?page_size=2`)
    expect([page.count, names(page), page.next !== null]).toEqual([4, ['second', 'first'], true])
    expect(names(await read(`/projects/${project}/tokens?state=valid`))).toEqual(
      names(await read(`${path}?state=valid`)),
    )
  })

  test('the audit trail is searched, and filtered by noun and project', async () => {
    const name = `Audited ${randomUUID()}`
    const { id } = (await post('/projects', { name })).body
    await post(`/projects/${id}/tokens`, { name: 'Web shop' })
    const actions = async (query: string) =>
      (await read(`/operator/audit?${query}`)).results.map(({ action }: { action: string }) => action)
    expect(await actions(`search=${encodeURIComponent(name)}`)).toEqual(['token.create', 'project.create'])
    expect(await actions(`project=${id}&noun=token`)).toEqual(['token.create'])
    expect((await operator.call('/console/api/operator/audit?noun=nothing')).status).toBe(400)
  })
})
