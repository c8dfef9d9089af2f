import crypto, { randomUUID } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { consoleUser, cookieOf, signIn } from '../../../test/console-user.ts'
import { sharedTestService, startTestService, type TestService } from '../../../test/harness.ts'
import { sql } from '../../platform/database/sql.ts'
import { createRateLimiter, rateLimitMemory } from '../../platform/http/limits/rate-limit.ts'
import { Problem } from '../../platform/http/problems.ts'
import { openThrottle } from '../throttle/throttle.ts'
import { resetPassword } from '../users/manage-user.ts'
import { generatePassword } from '../users/password.ts'
import { deleteSessionsOf, lockUser, setPassword } from '../users/user.sql.ts'
import { findPasswordHash } from './session.sql.ts'

let service: TestService
let second: TestService
beforeAll(async () => {
  service = await sharedTestService()
  second = await startTestService({ statementTimeoutSeconds: 1 })
})

const operator = { name: 'tester' }

/** Counts wrong passwords without checking them, because a check takes 0.1 s. */
async function failEarlier(limit: string, count: number): Promise<void> {
  const throttled = openThrottle(service.database, createRateLimiter(rateLimitMemory()).address)
  const wrong = () =>
    throttled([{ name: limit, most: 100 }], () => Promise.reject(new Problem('wrong_credentials')))
  for (let time = 0; time < count; time += 1) await wrong().catch(() => {})
}

/** Counts the password hashes of this process until the test ends. */
function countHashes(): () => number {
  const scrypt = vi.spyOn(crypto, 'scrypt')
  syncBuiltinESMExports()
  onTestFinished(() => {
    scrypt.mockRestore()
    syncBuiltinESMExports()
  })
  return () => scrypt.mock.calls.length
}

describe('signing in', () => {
  test('sets a cookie that scripts cannot read and other sites cannot send; the response contains no token', {
    tags: 'slow',
  }, async () => {
    const { email, password } = await consoleUser(service)
    const response = await signIn(service, email.toUpperCase(), password)
    expect([response.status, response.body]).toEqual([200, { success: true }])
    const [cookie = ''] = response.headers.getSetCookie()
    expect(cookie).toMatch(/^catalog\.session_token=/)
    for (const word of ['HttpOnly', 'SameSite=Lax', 'Path=/console']) expect(cookie).toContain(word)
    expect(cookie).not.toContain('Secure')
    expect(response.headers.get('cache-control')).toBe('no-store')
    const session = await service.call('/console/api/session', { headers: { cookie: cookieOf(response) } })
    expect(session.body.user.email).toBe(email)
  })

  test('a wrong password and an unknown email get the same response, with the same work', {
    tags: 'slow',
  }, async () => {
    const { email } = await consoleUser(service)
    const hashed = countHashes()
    const attempt = async (address: string) => {
      const before = hashed()
      const { status, body } = await signIn(service, address, 'not the password')
      return { status, code: body.code, detail: body.detail, hashes: hashed() - before }
    }
    const wrong = await attempt(email)
    // The hash takes nearly all of the time, so the same number of hashes takes the same time.
    expect(wrong).toMatchObject({ status: 401, code: 'wrong_credentials', hashes: 1 })
    expect(await attempt(`${randomUUID()}@test.example`)).toEqual(wrong)
    expect(await attempt('not an email')).toMatchObject({ status: 401, code: 'wrong_credentials' })
  })

  test('wrong passwords are throttled across processes, even concurrently, and then the right password is rejected too', {
    tags: 'slow',
  }, async () => {
    const { email, password } = await consoleUser(service)
    await failEarlier(`account ${email} from 127.0.0.1`, 7)
    const guesses = Array.from({ length: 6 }, (_, index) =>
      signIn(index % 2 === 0 ? service : second, email, `guess number ${index}`),
    )
    const responses = await Promise.all(guesses)
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(3)
    const rejected = await signIn(second, email, password)
    expect([rejected.status, rejected.body.code]).toEqual([429, 'too_many_attempts'])
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0)
    await service.database.query(sql`update sign_in_failures set expires_at = now()`)
    expect((await signIn(second, email, password)).status).toBe(200)
  })

  test('right passwords are not counted', { tags: 'slow' }, async () => {
    const { email, password } = await consoleUser(service)
    await failEarlier(`account ${email} from 127.0.0.1`, 9)
    for (let time = 0; time < 2; time += 1) expect((await signIn(service, email, password)).status).toBe(200)
  })

  test('anyone can check whether they are signed in, and nothing else', async () => {
    const { cookie } = await consoleUser(service)
    const ask = async (headers: Record<string, string>) =>
      (await service.call('/console/auth/signed-in', { headers })).body
    expect([await ask({}), await ask({ cookie })]).toEqual([{ signed_in: false }, { signed_in: true }])
  })

  test('there is no way to sign up', async () => {
    const body = { email: 'new@test.example', password: 'long enough to be', name: 'New' }
    for (const path of ['/console/auth/sign-up/email', '/console/auth/sign-up'])
      expect((await service.call(path, { method: 'POST', body })).status).toBe(404)
  })
})

describe('a session', () => {
  test('is stored only as a hash, and a forged or altered cookie is rejected', async () => {
    const { email, password } = await consoleUser(service)
    const cookie = cookieOf(await signIn(service, email, password))
    const [, value = ''] = cookie.split('=')
    const [token = ''] = decodeURIComponent(value).split('.')
    const rows = await service.database.query(
      sql`select 1 from sessions where token_hash like '%' || ${token} || '%'`,
    )
    expect(rows).toEqual([])
    for (const bad of [
      `catalog.session_token=${token}`,
      `${cookie.slice(0, -8)}AAAAA%3D`,
      'catalog.session_token=%ff.%',
      cookie.replace('=', '=x'),
      `${cookie}x`,
      `${cookie}%0A`,
      `${cookie}%3D`,
      `${cookie}%20`,
      cookie.replace('%3D', ''),
    ])
      expect((await service.call('/console/api/session', { headers: { cookie: bad } })).status).toBe(401)
  })

  test('ends in every process when the user signs out', async () => {
    const { call, cookie } = await consoleUser(service)
    expect((await second.call('/console/api/session', { headers: { cookie } })).status).toBe(200)
    const out = await call('/console/auth/sign-out', { method: 'POST' })
    expect(out.headers.getSetCookie()[0]).toMatch(/^catalog\.session_token=;.*Max-Age=0/)
    expect((await second.call('/console/api/session', { headers: { cookie } })).status).toBe(401)
  })

  test('ends when an operator resets the password; the new one works, the old one does not', {
    tags: 'slow',
  }, async () => {
    const { id, email, password, call } = await consoleUser(service)
    const { password: fresh } = await resetPassword(service.database, operator, id)
    expect((await call('/console/api/session')).status).toBe(401)
    expect((await signIn(service, email, password)).status).toBe(401)
    expect((await signIn(service, email, fresh)).status).toBe(200)
  })

  test('is not opened with a password that is replaced during the check', async () => {
    const { id, email, password } = await consoleUser(service)
    const response = await service.database.transaction(async (tx) => {
      await lockUser(tx, id)
      await setPassword(tx, id, 'another hash')
      await deleteSessionsOf(tx, id)
      const signingIn = signIn(service, email, password)
      const waiting = sql`
        select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like 'insert into "sessions"%'`
      await expect.poll(() => service.database.query(waiting)).toHaveLength(1)
      return { signingIn }
    })
    expect((await response.signingIn).body.code).toBe('wrong_credentials')
    expect(await service.database.query(sql`select 1 from sessions where user_id = ${id}`)).toEqual([])
  })

  test('expires on time, and is renewed while in use', async () => {
    const { id, call } = await consoleUser(service)
    expect((await call('/console/api/session')).headers.getSetCookie()).toEqual([])
    await service.database.query(
      sql`update sessions set expires_at = now() + interval '5 days' where user_id = ${id}`,
    )
    expect((await call('/console/api/session')).headers.getSetCookie()[0]).toContain('Max-Age=604800')
    const [row] = await service.database.query(
      sql<{
        renewed: boolean
      }>`select expires_at > now() + interval '6 days' as renewed from sessions where user_id = ${id}`,
    )
    expect(row?.renewed).toBe(true)
    await service.database.query(sql`update sessions set expires_at = now() where user_id = ${id}`)
    expect((await call('/console/api/session')).status).toBe(401)
  })
})

test('a session can be read while the database accepts no writes', { tags: 'slow' }, async () => {
  const { id, call } = await consoleUser(second)
  const setBack = sql`
    update sessions set updated_at = now() - interval '1 hour', expires_at = now() + interval '5 days' where user_id = ${id}`
  await second.database.query(setBack)
  await second.database.transaction(async (tx) => {
    await tx.query(sql`select from sessions where user_id = ${id} for update`)
    expect((await call('/console/api/session')).body.user).toMatchObject({ id })
  })
})

describe('changing the password', () => {
  test('needs the current one, and ends other sessions on request', { tags: 'slow' }, async () => {
    const { email, password, call } = await consoleUser(service)
    const other = cookieOf(await signIn(service, email, password))
    const change = (currentPassword: string, newPassword: string) =>
      call('/console/auth/change-password', {
        method: 'POST',
        body: { currentPassword, newPassword, revokeOtherSessions: true },
      })
    const wrong = await change('not the password', 'a much better one')
    expect([wrong.status, wrong.body.errors]).toMatchObject([
      422,
      [{ pointer: '/currentPassword', code: 'wrong_password' }],
    ])
    expect((await change(password, 'short')).body.errors).toMatchObject([{ pointer: '/newPassword' }])
    const changed = await change(password, 'a much better one')
    expect(changed.status).toBe(200)
    expect((await service.call('/console/api/session', { headers: { cookie: other } })).status).toBe(401)
    expect((await call('/console/api/session')).body.user.email).toBe(email)
    expect((await signIn(service, email, 'a much better one')).status).toBe(200)
  })

  test('never overwrites a concurrent reset by the operator', { tags: 'slow' }, async () => {
    const generated = await generatePassword()
    for (let round = 0; round < 3; round += 1) {
      const { id, email, password, call } = await consoleUser(service)
      const body = { currentPassword: password, newPassword: 'a much better one' }
      await Promise.all([
        resetPassword(service.database, operator, id, { generated }),
        call('/console/auth/change-password', { method: 'POST', body }),
      ])
      expect(await findPasswordHash(service.database, email)).toBe(generated.hash)
      expect((await call('/console/api/session')).status).toBe(401)
    }
  })

  test('does not bypass the throttle', async () => {
    const { id, call } = await consoleUser(service)
    await failEarlier(`password of user ${id}`, 8)
    const body = { currentPassword: 'not the password', newPassword: 'a much better one' }
    const guesses = Array.from({ length: 4 }, () =>
      call('/console/auth/change-password', { method: 'POST', body }),
    )
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([422, 422, 429, 429])
  })

  test('without a session returns 401', async () => {
    const body = { currentPassword: 'x', newPassword: 'a much better one' }
    expect((await service.call('/console/auth/change-password', { method: 'POST', body })).status).toBe(401)
  })
})
