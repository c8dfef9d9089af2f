import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { type ConsoleUser, consoleUser, cookieOf, signIn } from '../../../test/console-user.ts'
import { sharedTestService, type TestService } from '../../../test/harness.ts'
import { sql } from '../../platform/database/sql.ts'
import { memberLimits } from '../limits.ts'
import type { MemberRole } from '../roles.ts'
import { disableUser } from '../users/end-access.ts'
import { changeUser } from '../users/manage-user.ts'
import type { Member } from './member.schema.ts'
import { deleteOldInvitations } from './member-invitation.sql.ts'

let service: TestService
beforeAll(async () => {
  service = await sharedTestService()
})

const at = (project: number, path = '') => `/console/api/projects/${project}/members${path}`
const memberOf = (project: number, role: MemberRole) =>
  consoleUser(service, { memberships: [{ project_id: project, role }] })
const newEmail = () => `${randomUUID()}@test.example`

async function team(...roles: MemberRole[]) {
  const { project } = await service.tenant()
  const members: ConsoleUser[] = []
  for (const role of roles) members.push(await memberOf(project, role))
  return { project, members: members as [ConsoleUser, ConsoleUser, ConsoleUser, ConsoleUser] }
}

const setRole = (by: ConsoleUser, project: number, { id }: ConsoleUser, role: MemberRole) =>
  by.call(at(project, `/${id}`), { method: 'PATCH', body: { role } })
const remove = (by: ConsoleUser, project: number, { id }: ConsoleUser) =>
  by.call(at(project, `/${id}`), { method: 'DELETE' })
const invite = (by: ConsoleUser, project: number, email: string, role: MemberRole = 'editor') =>
  by.call(at(project, '/invitations'), { method: 'POST', body: { email, role } })
const listed = async (by: ConsoleUser, project: number): Promise<[string, MemberRole][]> =>
  (await by.call(at(project))).body.results.map(({ email, role }: Member) => [email, role])
const secretOf = ({ body }: { body: { link: string } }) => body.link.split('#')[1] as string
const post = (path: string, body: object) => service.call(path, { method: 'POST', body })
const accept = (secret: string, newPassword = 'a long password') =>
  post('/console/auth/accept-invitation', { secret, newPassword })
const join = (user: ConsoleUser, secret: string) =>
  user.call('/console/api/invitations/accept', { method: 'POST', body: { secret } })

describe('a manager', () => {
  test('lists, changes and removes members, and each change is in the audit trail of the project', async () => {
    const { project, members } = await team('manager', 'editor', 'viewer')
    const [manager, editor, viewer] = members
    expect(new Map(await listed(manager, project))).toEqual(
      new Map([
        [manager.email, 'manager'],
        [editor.email, 'editor'],
        [viewer.email, 'viewer'],
      ]),
    )
    expect((await setRole(manager, project, viewer, 'editor')).body).toMatchObject({ role: 'editor' })
    expect((await viewer.call(`/console/api/projects/${project}`)).body.role).toBe('editor')
    expect((await remove(manager, project, editor)).status).toBe(204)
    expect((await remove(manager, project, editor)).status).toBe(404)
    const { results } = (await manager.call(at(project, '/audit'))).body
    expect(results).toMatchObject([
      { action: 'member.remove', actor: manager.email, target: `user ${editor.id}` },
      { action: 'member.change', details: { email: viewer.email, role: 'editor', former_role: 'viewer' } },
    ])
  })

  test.each(['viewer', 'editor'] as const)('is needed: a member with the role %s gets 403', async (role) => {
    const { project, members } = await team('manager', role)
    const [manager, other] = members
    for (const path of ['', '/invitations', '/audit'])
      expect((await other.call(at(project, path))).body.code).toBe('insufficient_role')
    const writes = [
      await setRole(other, project, manager, 'viewer'),
      await remove(other, project, manager),
      await invite(other, project, newEmail()),
    ]
    expect(writes.map(({ status }) => status)).toEqual([403, 403, 403])
  })

  test('cannot grant operator rights, change the own membership, or reach members of other projects', async () => {
    const { project, members } = await team('manager', 'manager')
    const [manager, other] = members
    const grant = { method: 'PATCH', body: { role: 'operator' } }
    expect((await manager.call(at(project, `/${other.id}`), grant)).body.errors[0].pointer).toBe('/role')
    const extra = { method: 'PATCH', body: { role: 'editor', operator: true } }
    expect((await manager.call(at(project, `/${other.id}`), extra)).status).toBe(422)
    expect((await remove(manager, project, manager)).body.code).toBe('own_membership')
    expect((await setRole(manager, project, manager, 'viewer')).body.code).toBe('own_membership')
    const stranger = await memberOf((await service.tenant()).project, 'viewer')
    expect((await remove(manager, project, stranger)).status).toBe(404)
    expect((await setRole(manager, project, stranger, 'viewer')).status).toBe(404)
  })

  test('remains: two managers who demote or remove each other at the same time leave one', async () => {
    for (const act of [
      (a: ConsoleUser, project: number, b: ConsoleUser) => setRole(a, project, b, 'viewer'),
      remove,
    ]) {
      const { project, members } = await team('manager', 'manager')
      const [first, second] = members
      const both = await Promise.all([act(first, project, second), act(second, project, first)])
      const statuses = both.map(({ status }) => status).sort()
      expect([200, 204]).toContain(statuses[0])
      expect([403, 404]).toContain(statuses[1])
      const [row] = await service.database.query(sql<{ count: number }>`
        select count(*)::int as count from memberships where project_id = ${project} and role = 'manager'`)
      expect(row?.count).toBe(1)
    }
  })

  test('remains: an operator cannot remove the last one who can sign in on the page of the project', async () => {
    const { project, members } = await team('manager', 'manager')
    const [last, disabled] = members
    await disableUser(service.database, { name: 'tester' }, disabled.id)
    const operator = await consoleUser(service, { operator: true })
    expect((await remove(operator, project, last)).body.code).toBe('last_manager')
    expect((await setRole(operator, project, last, 'editor')).body.code).toBe('last_manager')
    expect((await remove(operator, project, disabled)).status).toBe(204)
  })
})

describe('a removed member', () => {
  test('gets 404 for the project at the next request, and keeps other projects', async () => {
    const { project, members } = await team('manager', 'editor', 'editor')
    const [manager, only, other] = members
    const second = await service.tenant()
    await changeUser(service.database, { name: 'tester' }, other.id, {
      project_ids: [project, second.project],
    })
    await remove(manager, project, only)
    await remove(manager, project, other)
    const open = (user: ConsoleUser, id: number) => user.call(`/console/api/projects/${id}/products`)
    expect((await open(only, project)).status).toBe(404)
    expect((await open(other, project)).status).toBe(404)
    expect((await open(other, second.project)).status).toBe(200)
  })
})

describe('an invitation', () => {
  test('looks the same whether the email has an account or not, until it is accepted', async () => {
    const { project, members } = await team('manager')
    const [manager] = members
    const known = await memberOf((await service.tenant()).project, 'viewer')
    const unknown = newEmail()
    const responses = [await invite(manager, project, known.email), await invite(manager, project, unknown)]
    const shapes = responses.map(({ status, body }) => [
      status,
      { ...body, id: 0, email: '', link: body.link.length, created_at: '', expires_at: '' },
    ])
    expect(shapes[0]).toEqual(shapes[1])
    const { results } = (await manager.call(at(project, '/invitations'))).body
    expect(results.map(({ email }: { email: string }) => email)).toEqual([unknown, known.email])
    expect(Object.keys(results[0])).toEqual(Object.keys(results[1]))
    const shown = await Promise.all(
      responses.map((response) => post('/console/auth/invitation', { secret: secretOf(response) })),
    )
    expect(shown.map(({ body }) => ({ ...body, email: '', expires_at: '' }))).toEqual(
      [1, 2].map(() => ({
        email: '',
        name: '',
        expires_at: '',
        project: { name: expect.any(String), role: 'editor' },
      })),
    )
    expect(await listed(manager, project)).toEqual([[manager.email, 'manager']])
  })

  test('creates an account for a new email; the link works once', { tags: 'slow' }, async () => {
    const { project, members } = await team('manager')
    const email = newEmail()
    const secret = secretOf(await invite(members[0], project, email.toUpperCase(), 'viewer'))
    const both = await Promise.all([accept(secret), accept(secret)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, expect.toBeOneOf([404, 409])])
    const session = await signIn(service, email, 'a long password')
    const projects = await service.call('/console/api/projects', { headers: { cookie: cookieOf(session) } })
    expect(projects.body.results).toMatchObject([{ id: project, role: 'viewer' }])
  })

  test('never sets the password of an existing account: its owner signs in and accepts', {
    tags: 'slow',
  }, async () => {
    const { project, members } = await team('manager')
    const known = await memberOf((await service.tenant()).project, 'viewer')
    const stranger = await memberOf((await service.tenant()).project, 'viewer')
    const secret = secretOf(await invite(members[0], project, known.email, 'manager'))
    const stored = () =>
      service.database.query(sql<{ password: string; sessions: number }>`
        select password, (select count(*) from sessions where user_id = ${known.id})::int as sessions
        from accounts where user_id = ${known.id}`)
    const before = await stored()
    expect((await accept(secret)).body.code).toBe('invitation_needs_sign_in')
    expect(await stored()).toEqual(before)
    expect((await signIn(service, known.email, 'a long password')).status).toBe(401)
    expect((await signIn(service, known.email, known.password)).status).toBe(200)
    expect((await join(stranger, secret)).body.code).toBe('invitation_of_other')
    const both = await Promise.all([join(known, secret), join(known, secret)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404])
    expect(new Map(await listed(members[0], project)).get(known.email)).toBe('manager')
    expect((await invite(members[0], project, known.email)).body.code).toBe('already_member')
  })

  test('ends when it is revoked or replaced, expires, or its manager is removed', async () => {
    const { project, members } = await team('manager', 'manager')
    const [manager, former] = members
    const [email, other] = [newEmail(), newEmail()]
    const replaced = await invite(manager, project, email)
    const revoked = await invite(manager, project, email)
    const ofFormer = await invite(former, project, other)
    const revoke = () => manager.call(at(project, `/invitations/${revoked.body.id}`), { method: 'DELETE' })
    const [stranger] = (await team('manager')).members
    const theirs = await invite(
      stranger,
      (await stranger.call('/console/api/projects')).body.results[0].id,
      email,
    )
    const foreign = at(project, `/invitations/${theirs.body.id}`)
    expect((await manager.call(foreign, { method: 'DELETE' })).status).toBe(404)
    expect([(await revoke()).status, (await revoke()).status]).toEqual([204, 404])
    await remove(manager, project, former)
    const expired = await invite(manager, project, newEmail())
    await service.database.query(sql`
      update member_invitations set expires_at = now() - interval '2 hours' where id = ${expired.body.id}`)
    for (const response of [replaced, revoked, ofFormer, expired])
      expect((await accept(secretOf(response))).body.code).toBe('invalid_invitation')
    expect((await manager.call(at(project, '/invitations'))).body.results).toEqual([])
    await deleteOldInvitations(service.database, new AbortController().signal)
    const rows = await service.database.query(sql`
      select from member_invitations where project_id = ${project}`)
    expect(rows).toHaveLength(3)
  })

  test('is one of at most 30 per hour, also if others are revoked', async () => {
    const { project, members } = await team('manager')
    const [manager] = members
    const first = await invite(manager, project, newEmail())
    await manager.call(at(project, `/invitations/${first.body.id}`), { method: 'DELETE' })
    const rest = await Promise.all(
      Array.from({ length: memberLimits.invitationsPerHour }, () => invite(manager, project, newEmail())),
    )
    const refused = rest.filter(({ status }) => status !== 201)
    expect(refused.map(({ body }) => body.code)).toEqual(['too_many_invitations'])
  })
})
