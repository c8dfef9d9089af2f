import { beforeAll, describe, expect, test } from 'vitest'
import { type ConsoleUser, consoleUser, cookieOf, openSession, signIn } from '../../../test/console-user.ts'
import { ownDatabase } from '../../../test/database/test-database.ts'
import { sharedTestService, startTestService, type TestService } from '../../../test/harness.ts'
import { sql } from '../../platform/database/sql.ts'
import { authSecret } from '../sessions/auth-secret.ts'
import { requireSecondFactor, resetSecondFactor } from './manage-second-factor.ts'
import { findTotp } from './second-factor.sql.ts'
import { openTotpSecret, totpCode } from './totp.ts'

let service: TestService
let second: TestService
beforeAll(async () => {
  service = await sharedTestService()
  second = await startTestService()
})

const operator = { name: 'tester' }
const step = () => Math.floor(Date.now() / 30_000)

type Guarded = ConsoleUser & { codes: string[]; code: (offset?: number) => Promise<string> }

/** A user with an authenticator app. The code of the previous time step was used to set it up, so later ones are unused. */
async function guardedUser(user?: ConsoleUser, at = service): Promise<Guarded> {
  const own = user ?? (await consoleUser(at))
  const body = { password: own.password }
  await own.call('/console/api/account/totp', { method: 'POST', body })
  const code = async (offset = 0) => {
    const secret = await authSecret(at.database, undefined)()
    const { secret: sealed = '' } = (await findTotp(at.database, own.id)) ?? {}
    return totpCode(openTotpSecret(secret, own.id, sealed) as string, step() + offset)
  }
  const confirmed = await own.call('/console/api/account/totp/confirm', {
    method: 'POST',
    body: { code: await code(-1) },
  })
  expect(confirmed.status).toBe(200)
  return { ...own, code, codes: confirmed.body.recovery_codes }
}

/** The password step; returns the cookies. */
async function begin({ email, password }: ConsoleUser, at = service): Promise<string> {
  const response = await signIn(at, email, password)
  expect([response.status, response.body.success]).toEqual([200, false])
  return cookieOf(response)
}

const give = (kind: string, code: string, cookie: string, at = service) =>
  at.call(`/console/auth/second-factor/${kind}`, { method: 'POST', body: { code }, headers: { cookie } })

const opens = async (cookie: string, at = service) =>
  (await at.call('/console/api/session', { headers: { cookie } })).status === 200

describe('an authenticator app', () => {
  test('is asked for after the password, in every process; before that, there is no session', {
    tags: 'slow',
  }, async () => {
    const user = await guardedUser()
    const first = await signIn(service, user.email, user.password)
    expect(first.body).toEqual({ success: false, second_factor: ['totp', 'recovery_code'] })
    const [ticket = ''] = first.headers.getSetCookie()
    expect(ticket).toMatch(
      /^catalog\.second_factor=[^;]+; Max-Age=600; Path=\/console; HttpOnly; SameSite=Lax$/,
    )
    expect(await opens(cookieOf(first))).toBe(false)
    const entered = await give('totp', await user.code(), cookieOf(first), second)
    expect([entered.status, entered.body]).toEqual([200, { success: true }])
    expect(await opens(cookieOf(entered))).toBe(true)
    expect(await opens(user.cookie)).toBe(true)
  })

  test('its code counts once, also in two processes at the same time; the code that set it up is used', {
    tags: 'slow',
  }, async () => {
    const user = await guardedUser()
    const [one, other] = [await begin(user), await begin(user, second)]
    expect((await give('totp', await user.code(-1), one)).body.code).toBe('wrong_code')
    const code = await user.code()
    const both = await Promise.all([give('totp', code, one), give('totp', code, other, second)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401])
    expect((await give('totp', code, await begin(user))).body.code).toBe('wrong_code')
  })

  test('is stored encrypted, counts only after its first code, and ends all other sessions', {
    tags: 'slow',
  }, async () => {
    const user = await consoleUser(service)
    const elsewhere = await openSession(service.database, user.id)
    const call = (path: string, body: object) =>
      user.call(`/console/api/account/totp${path}`, { method: 'POST', body })
    const refused = await call('', { password: 'not the password' })
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/password'])
    expect((await call('', {})).status).toBe(422)
    const { body: setup } = await call('', { password: user.password })
    expect(setup.uri).toContain(`secret=${setup.secret}`)
    expect(setup.uri).toContain(encodeURIComponent(user.email))
    const [row] = await service.database.query(sql<{ secret: string }>`
      select secret from totp_secrets where user_id = ${user.id}`)
    expect(row?.secret).not.toContain(setup.secret)
    expect((await signIn(service, user.email, user.password)).body).toEqual({ success: true })
    expect((await call('/confirm', { code: '000000' })).body.code).toBe('wrong_code')
    await guardedUser(user)
    expect([await opens(user.cookie), await opens(elsewhere)]).toEqual([true, false])
    expect((await call('', { password: user.password })).body.code).toBe('second_factor_exists')
  })

  test('wrong codes are throttled across processes, then the right one is refused too', {
    tags: 'slow',
  }, async () => {
    const user = await guardedUser()
    const cookie = await begin(user)
    const guesses = Array.from({ length: 8 }, (_, index) =>
      give('totp', '000000', cookie, index % 2 === 0 ? service : second),
    )
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(5)
    const refused = await give('totp', await user.code(), cookie, second)
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_attempts'])
    expect((await give('recovery-code', user.codes[0] ?? '', cookie)).status).toBe(429)
    expect((await signIn(service, user.email, user.password)).status).toBe(200)
  })

  test('a ticket is refused after a new password, for another user, and if it was changed', {
    tags: 'slow',
  }, async () => {
    const [user, other] = [await guardedUser(), await guardedUser()]
    const cookie = await begin(user)
    const [, sealed = ''] = cookie.split('=')
    for (const bad of ['', `catalog.second_factor=${sealed.slice(0, -4)}AAAA`, `catalog.passkey=${sealed}`])
      expect((await give('totp', await user.code(), bad)).body.code).toBe('sign_in_expired')
    expect((await give('totp', await other.code(), cookie)).body.code).toBe('wrong_code')
    await user.call('/console/auth/change-password', {
      method: 'POST',
      body: { currentPassword: user.password, newPassword: 'a password of my own' },
    })
    expect((await give('totp', await user.code(), cookie)).body.code).toBe('sign_in_expired')
  })

  test('can be removed with the password, and then the password is enough', { tags: 'slow' }, async () => {
    const user = await guardedUser()
    const remove = (password: string) =>
      user.call('/console/api/account/totp/remove', { method: 'POST', body: { password } })
    expect((await remove('wrong')).status).toBe(422)
    expect((await remove(user.password)).body).toMatchObject({ totp: false, recovery_codes: 0 })
    expect((await signIn(service, user.email, user.password)).body).toEqual({ success: true })
  })
})

describe('recovery codes', () => {
  test('are ten, stored as hashes, and count once, however they are typed, also at the same time', {
    tags: 'slow',
  }, async () => {
    const user = await guardedUser()
    expect(new Set(user.codes).size).toBe(10)
    const [first = '', next = ''] = user.codes
    const rows = await service.database.query(sql<{ hash: string }>`
      select encode(code_hash, 'escape') as hash from recovery_codes where user_id = ${user.id}`)
    expect(rows).toHaveLength(10)
    expect(rows.map(({ hash }) => hash).join()).not.toContain(first)
    const cookie = await begin(user)
    expect((await give('recovery-code', 'aaaa-bbbb-cccc-dddd', cookie)).body.code).toBe('wrong_code')
    const typed = first.replaceAll('-', ' ').toUpperCase()
    const both = await Promise.all([
      give('recovery-code', typed, cookie),
      give('recovery-code', first, cookie, second),
    ])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401])
    expect((await user.call('/console/api/account/security')).body.recovery_codes).toBe(9)
    const renewed = await user.call('/console/api/account/recovery-codes', {
      method: 'POST',
      body: { password: user.password },
    })
    expect(renewed.body.recovery_codes).toHaveLength(10)
    expect((await give('recovery-code', next, await begin(user))).status).toBe(401)
  })
})

describe('operators', () => {
  test('reset a second factor: sessions end, the password is enough, the user gets a notice, the audit trail an entry', {
    tags: 'slow',
  }, async () => {
    const [user, admin] = [await guardedUser(), await consoleUser(service, { operator: true })]
    const users = `/console/api/operator/users`
    const listed = async () =>
      (await admin.call(`${users}?search=${user.email}`)).body.results[0].second_factors
    expect(await listed()).toEqual(['totp'])
    const waiting = await begin(user)
    const reset = await admin.call(`${users}/${user.id}/reset-second-factor`, { method: 'POST' })
    expect([reset.status, reset.body.second_factors]).toEqual([200, []])
    expect(await opens(user.cookie)).toBe(false)
    expect((await give('recovery-code', user.codes[0] ?? '', waiting)).body.code).toBe('sign_in_expired')
    const cookie = cookieOf(await signIn(service, user.email, user.password))
    const session = () => service.call('/console/api/session', { headers: { cookie } })
    expect((await session()).body.user.second_factor_reset_at).toEqual(expect.any(String))
    await service.call('/console/api/account/notices/read', { method: 'POST', headers: { cookie } })
    expect((await session()).body.user.second_factor_reset_at).toBeNull()
    const entries = await service.database.query(sql<{ action: string; actor: string }>`
      select action, actor from audit_entries where target = ${`user ${user.id}`} order by id desc limit 1`)
    expect(entries).toEqual([{ action: 'user.reset_second_factor', actor: admin.email }])
    const { body } = await service.call('/console/api/notifications', { headers: { cookie } })
    expect(body.results).toMatchObject([{ kind: 'second_factor_reset', actor: admin.email, project: null }])
  })

  test('require a second factor per role: an open session leads to the set-up at its next request, and to nothing else', {
    tags: 'slow',
  }, async () => {
    const own = await startTestService({}, await ownDatabase('factors'))
    const shop = await own.tenant()
    const editor = { project_id: shop.project, role: 'editor' } as const
    const user = await consoleUser(own, { memberships: [editor] })
    const overview = `/console/api/projects/${shop.project}/products`
    expect((await user.call(overview)).status).toBe(200)
    await requireSecondFactor(own.database, operator, ['editor'])
    const refused = await user.call(overview)
    expect([refused.status, refused.body.code]).toEqual([403, 'second_factor_required'])
    expect((await user.call('/console/api/session')).body.user.lacks_second_factor).toBe(true)
    const entered = await signIn(own, user.email, user.password)
    expect(entered.body).toEqual({ success: true })
    const guarded = await guardedUser(user, own)
    expect((await user.call(overview)).status).toBe(200)
    const body = { password: user.password }
    const removed = await guarded.call('/console/api/account/totp/remove', { method: 'POST', body })
    expect(removed.body.code).toBe('second_factor_required')
    expect((await guarded.call('/console/api/account/security')).body).toMatchObject({
      totp: true,
      required: true,
    })
    await resetSecondFactor(own.database, operator, user.id)
    const cookie = cookieOf(await signIn(own, user.email, user.password))
    expect((await own.call(overview, { headers: { cookie } })).status).toBe(403)
  })
})

test('the database refuses a session without the second factor, as an older release would open it', {
  tags: 'slow',
}, async () => {
  const user = await guardedUser()
  await openSession(service.database, user.id)
  const sessions = await service.database.query(sql`select id from sessions where user_id = ${user.id}`)
  expect(sessions).toHaveLength(1)
})
