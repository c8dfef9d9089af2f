import { beforeAll, describe, expect, test } from 'vitest'
import { type ConsoleUser, consoleUser } from '../../../test/console-user.ts'
import { sharedTestService, type Tenant, type TestResponse, type TestService } from '../../../test/harness.ts'
import { sql } from '../../platform/database/sql.ts'
import { notificationLimits } from '../limits.ts'
import { createProject } from '../projects/manage-project.ts'
import type { MemberRole } from '../roles.ts'
import { deleteUser } from '../users/end-access.ts'
import { changeUser } from '../users/manage-user.ts'
import type { Notification } from './notification.schema.ts'
import { deleteOldNotifications } from './notification.sql.ts'
import { type NewNotification, notifyUsers } from './notify-users.ts'

let service: TestService
beforeAll(async () => {
  service = await sharedTestService()
})

const all = '/console/api/notifications'
const resultsOf = ({ status, body, text }: TestResponse) => {
  expect(status, text).toBe(200)
  return body.results
}
const list = async (user: ConsoleUser, query = ''): Promise<Notification[]> =>
  resultsOf(await user.call(`${all}?page_size=500${query}`))
const markRead = async (user: ConsoleUser, body: object) =>
  (await user.call(`${all}/read`, { method: 'POST', body })).body.read
const memberOf = ({ project }: Tenant, role: MemberRole) =>
  consoleUser(service, { memberships: [{ project_id: project, role }] })
const notify = (notification: NewNotification) =>
  service.database.transaction((tx) => notifyUsers(tx, notification))

async function propose(user: ConsoleUser | undefined, { project, token }: Tenant, title: string) {
  const body = [{ sku: `N-${title}`, name: title }]
  const query = `/proposals?${new URLSearchParams({ title })}`
  const response = await (user === undefined
    ? service.call(`/v2${query}`, { token, method: 'POST', body })
    : user.call(`/console/api/projects/${project}${query}`, { method: 'POST', body }))
  expect(response.status).toBe(201)
  return response.body.id as number
}

const decide = (user: ConsoleUser, { project }: Tenant, id: number, verb: 'apply' | 'discard') =>
  user.call(`/console/api/projects/${project}/proposals/${id}/${verb}`, { method: 'POST', body: {} })

describe('a proposal', () => {
  test('notifies the managers of its project in one notification until they read it, but not its author', async () => {
    const shop = await service.tenant()
    const [manager, proposer, editor, stranger] = await Promise.all([
      memberOf(shop, 'manager'),
      memberOf(shop, 'manager'),
      memberOf(shop, 'editor'),
      memberOf(await service.tenant(), 'manager'),
    ])
    await propose(proposer, shop, 'First')
    const [first] = await list(manager)
    expect(first).toMatchObject({
      ...{ kind: 'proposal_waiting', title: 'First', actor: proposer.email, events: 1, read_at: null },
      project: { id: shop.project },
    })
    const id = await propose(undefined, shop, 'Second')
    const [second, ...others] = await list(manager)
    expect(second).toMatchObject({ object_id: id, title: 'Second', actor: 'API client', events: 2 })
    expect([others, await list(editor), await list(stranger)]).toEqual([[], [], []])
    expect(await list(proposer)).toMatchObject([{ title: 'Second', events: 1 }])

    // The page showed only the first event, so the second one stays unread.
    expect(await markRead(manager, { ids: [first?.id] })).toBe(0)
    expect(await markRead(stranger, { up_to: second?.id, ids: [second?.id] })).toBe(0)
    expect(await markRead(manager, { up_to: second?.id })).toBe(1)
    expect(await list(manager, '&unread=true')).toEqual([])
    await propose(editor, shop, 'Third')
    expect(await list(manager)).toMatchObject([{ title: 'Third', events: 1, read_at: null }])
  })

  test('notifies its author of the decision of others, and a decided proposal waits no longer', async () => {
    const shop = await service.tenant()
    const [manager, other, editor] = await Promise.all([
      memberOf(shop, 'manager'),
      memberOf(shop, 'manager'),
      memberOf(shop, 'editor'),
    ])
    const applied = await propose(editor, shop, 'Applied')
    expect(await list(other, '&unread=true')).toHaveLength(1)
    await decide(manager, shop, applied, 'apply')
    expect(await list(other, '&unread=true')).toEqual([])
    const discarded = await propose(editor, shop, 'Discarded')
    await decide(manager, shop, discarded, 'discard')
    const own = await propose(editor, shop, 'Withdrawn')
    await decide(editor, shop, own, 'discard')
    expect(await list(editor)).toMatchObject([
      { kind: 'proposal_decided', object_id: discarded, state: 'discarded', actor: manager.email },
      { kind: 'proposal_decided', object_id: applied, state: 'applied', actor: manager.email },
    ])
  })

  test('created 20 times at once leaves one notification per manager that counts all of them', async () => {
    const shop = await service.tenant()
    const managers = await Promise.all([memberOf(shop, 'manager'), memberOf(shop, 'manager')])
    await Promise.all(Array.from({ length: 20 }, (_, place) => propose(undefined, shop, `P${place}`)))
    for (const manager of managers) expect(await list(manager)).toMatchObject([{ events: 20 }])
  })
})

test('a decision about API access notifies the member who requested it', async () => {
  const project = await createProject(service.database, { name: 'tester' }, { name: 'Shop', plan: 'free' })
  const member = await consoleUser(service, { projects: [project.id] })
  const operator = await consoleUser(service, { operator: true })
  const form = { name: 'A', email: 'a@shop.example', purpose: 'Stock' }
  const path = `/console/api/projects/${project.id}/access-requests`
  const { body } = await member.call(path, { method: 'POST', body: form })
  const decline = `/console/api/operator/access-requests/${body.id}/decline`
  await operator.call(decline, { method: 'POST', body: { reason: 'Not yet' } })
  expect(await list(member)).toMatchObject([
    {
      kind: 'access_decided',
      object_id: body.id,
      state: 'declined',
      title: 'Not yet',
      actor: operator.email,
    },
  ])
  expect(await list(operator)).toEqual([])
})

describe('a notification', () => {
  const failing = (projectId: number, objectId = 1): NewNotification => ({
    ...{ kind: 'webhook_failing', projectId, to: 'managers', objectId, title: 'shop.example' },
  })

  test('for managers is not shown to a former manager, and none to a former member', async () => {
    const shop = await service.tenant()
    const manager = await memberOf(shop, 'manager')
    await notify(failing(shop.project))
    await notify({ ...{ kind: 'import_finished', projectId: shop.project, to: { email: manager.email } } })
    await notify({ kind: 'second_factor_reset', to: { userId: manager.id }, actor: 'operator' })
    const kinds = async () => (await list(manager)).map(({ kind }) => kind)
    expect(await kinds()).toEqual(['second_factor_reset', 'import_finished', 'webhook_failing'])
    const setRole = (memberships: { project_id: number; role: MemberRole }[]) =>
      changeUser(service.database, { name: 'tester' }, manager.id, { memberships })
    await setRole([{ project_id: shop.project, role: 'viewer' }])
    expect(await kinds()).toEqual(['second_factor_reset', 'import_finished'])
    await setRole([])
    expect(await kinds()).toEqual(['second_factor_reset'])
    await notify(failing(shop.project))
    await setRole([{ project_id: shop.project, role: 'manager' }])
    expect(await kinds()).toEqual(['second_factor_reset'])
    await deleteUser(service.database, { name: 'tester' }, manager.id)
  })

  test('is deleted after 90 days, or when the user has 100 newer ones of its kind', async () => {
    const shop = await service.tenant()
    const editor = await memberOf(shop, 'editor')
    const total = notificationLimits.ofKind + 5
    for (let objectId = 1; objectId <= total; objectId += 1)
      await notify({
        ...{ kind: 'proposal_decided', projectId: shop.project, to: { email: editor.email }, objectId },
      })
    const ids = (await list(editor)).map(({ object_id }) => object_id)
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([notificationLimits.ofKind, total, 6])
    await service.database.query(sql`
      update notifications set created_at = now() - interval '90 days 1 minute' where user_id = ${editor.id} and object_id < 50`)
    await deleteOldNotifications(service.database, new AbortController().signal)
    expect((await list(editor)).at(-1)?.object_id).toBe(50)
  })

  test('does not make the event fail while its manager is removed, 30 times at once', async () => {
    const shop = await service.tenant()
    const manager = await memberOf(shop, 'manager')
    const setProjects = (project_ids: number[]) =>
      changeUser(service.database, { name: 'tester' }, manager.id, { project_ids })
    const rounds = Array.from({ length: 30 }, async (_, place) => {
      await Promise.all([
        notify(failing(shop.project, place)),
        setProjects(place % 2 === 0 ? [] : [shop.project]),
      ])
    })
    expect((await Promise.allSettled(rounds)).filter(({ status }) => status === 'rejected')).toEqual([])
  })
})
