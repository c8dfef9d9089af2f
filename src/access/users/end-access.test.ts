import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { type ConsoleUser, consoleUser, cookieOf, signIn } from '../../../test/console-user.ts'
import { sharedTestService, type TestService } from '../../../test/harness.ts'
import { sql } from '../../platform/database/sql.ts'

let service: TestService
let admin: ConsoleUser
beforeAll(async () => {
  service = await sharedTestService()
  admin = await consoleUser(service, { operator: true })
})

const post = (path: string, body: unknown = {}) =>
  admin.call(`/console/api/operator${path}`, { method: 'POST', body })
const session = (cookie: string) => service.call('/console/api/session', { headers: { cookie } })
const auditOf = async (id: number) =>
  service.database.query(
    sql<{ action: string }>`select action from audit_entries where target = ${`user ${id}`} order by id`,
  )

describe('a user', () => {
  test('who is disabled is signed out everywhere at once, and gets the error of a wrong password', {
    tags: 'slow',
  }, async () => {
    const user = await consoleUser(service)
    const { status, body } = await post(`/users/${user.id}/disable`)
    expect([status, typeof body.disabled_at]).toEqual([200, 'string'])
    expect((await session(user.cookie)).status).toBe(401)
    const rejected = await signIn(service, user.email, user.password)
    const wrong = await signIn(service, user.email, 'not the password')
    expect([rejected.status, rejected.body.code, rejected.body.detail]).toEqual([
      401,
      'wrong_credentials',
      wrong.body.detail,
    ])
    expect(rejected.headers.getSetCookie()).toEqual([])
    expect((await post(`/users/${user.id}/invite`)).body.code).toBe('user_disabled')
    expect((await post(`/users/${user.id}/enable`)).body.disabled_at).toBeNull()
    expect((await signIn(service, user.email, user.password)).status).toBe(200)
    expect((await auditOf(user.id)).map(({ action }) => action)).toEqual([
      'user.create',
      'user.disable',
      'user.enable',
    ])
  })

  test('can be signed out everywhere without being disabled', { tags: 'slow' }, async () => {
    const user = await consoleUser(service)
    await signIn(service, user.email, user.password)
    expect((await post(`/users/${user.id}/end-sessions`)).body).toEqual({ ended: 2 })
    expect((await session(user.cookie)).status).toBe(401)
    expect((await signIn(service, user.email, user.password)).status).toBe(200)
  })

  test('is deleted with sessions and memberships; the audit trail keeps their actions', async () => {
    const { project } = await service.tenant()
    const user = await consoleUser(service, { projects: [project] })
    expect((await post(`/users/${user.id}/delete`)).body.email).toBe(user.email)
    expect((await session(user.cookie)).status).toBe(401)
    expect((await signIn(service, user.email, user.password)).status).toBe(401)
    expect((await post(`/users/${user.id}/delete`)).status).toBe(404)
    expect((await auditOf(user.id)).map(({ action }) => action)).toContain('user.delete')
  })
})

describe('an invitation', () => {
  const invite = async () => {
    const email = `${randomUUID()}@test.example`
    const { status, body } = await post('/invitations', { email, name: 'New colleague' })
    expect([status, body.has_password]).toEqual([201, false])
    return { email, id: body.id as number, secret: body.link.split('#')[1] as string }
  }
  const look = (secret: string) =>
    service.call('/console/auth/invitation', { method: 'POST', body: { secret } })
  const accept = (secret: string, newPassword = 'a password of my own') =>
    service.call('/console/auth/accept-invitation', { method: 'POST', body: { secret, newPassword } })

  test('can be accepted once, with a chosen password; only a hash of its secret is stored', {
    tags: 'slow',
  }, async () => {
    const { email, id, secret } = await invite()
    expect((await signIn(service, email, '')).status).toBe(401)
    expect((await look(secret)).body).toMatchObject({ email, name: 'New colleague' })
    const kept = await service.database.query(
      sql<{ row: string }>`select invitations::text as row from invitations where user_id = ${id}`,
    )
    expect(kept[0]?.row).not.toContain(secret)
    expect((await accept(secret, 'short')).status).toBe(422)
    const [first, second] = await Promise.all([accept(secret), accept(secret)])
    expect([first.status, second.status].sort()).toEqual([200, 404])
    expect((await look(secret)).body.code).toBe('invalid_invitation')
    expect((await signIn(service, email, 'a password of my own')).status).toBe(200)
    expect((await auditOf(id)).map(({ action }) => action)).toEqual([
      'user.create',
      'user.invite',
      'user.accept_invitation',
    ])
  })

  test('ends with the next invitation, at its expiry, and when the user is disabled', async () => {
    const { id, secret } = await invite()
    const { link } = (await post(`/users/${id}/invite`)).body
    const next = link.split('#')[1]
    expect([(await look(secret)).status, (await look(next)).status]).toEqual([404, 200])
    await service.database.query(sql`update invitations set expires_at = now() where user_id = ${id}`)
    expect((await accept(next)).body.code).toBe('invalid_invitation')
    const last = (await post(`/users/${id}/invite`)).body.link.split('#')[1]
    await post(`/users/${id}/disable`)
    expect((await accept(last)).status).toBe(404)
    expect((await look('no secret at all')).status).toBe(404)
  })

  test('ends when the operator or the user sets a password', { tags: 'slow' }, async () => {
    const user = await consoleUser(service)
    const link = async () => (await post(`/users/${user.id}/invite`)).body.link.split('#')[1] as string
    const first = await link()
    const currentPassword = (await post(`/users/${user.id}/reset-password`)).body.password
    expect((await accept(first)).status).toBe(404)
    const cookie = cookieOf(await signIn(service, user.email, currentPassword))
    const second = await link()
    const body = { currentPassword, newPassword: 'a password of my own' }
    await service.call('/console/auth/change-password', { method: 'POST', body, headers: { cookie } })
    expect((await accept(second)).status).toBe(404)
  })
})

describe('own sessions', () => {
  test('are listed with the current one; a user can end one or all others, but not those of another user', {
    tags: 'slow',
  }, async () => {
    const user = await consoleUser(service)
    const other = await consoleUser(service)
    const cookie = cookieOf(await signIn(service, user.email, user.password))
    const listed = async () => (await user.call('/console/api/sessions')).body.results
    const before: { id: number; current: boolean }[] = await listed()
    expect(before.map(({ current }) => current).sort()).toEqual([false, true])
    const foreign = before.find(({ current }) => !current)?.id
    const end = (path: string, by = user) =>
      by.call(`/console/api/sessions/${path}`, { method: 'POST', body: {} })
    expect((await end(`${foreign}/end`, other)).status).toBe(404)
    expect((await session(cookie)).status).toBe(200)
    expect((await end(`${foreign}/end`)).body).toEqual({ ended: 1 })
    expect((await session(cookie)).status).toBe(401)
    await signIn(service, user.email, user.password)
    expect((await end('end-others')).body).toEqual({ ended: 1 })
    expect(await listed()).toHaveLength(1)
  })
})
