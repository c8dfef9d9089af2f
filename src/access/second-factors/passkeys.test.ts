import { beforeAll, describe, expect, test } from 'vitest'
import { type ConsoleUser, consoleUser, cookieOf, signIn } from '../../../test/console-user.ts'
import { ownDatabase } from '../../../test/database/test-database.ts'
import { startTestService, type TestService } from '../../../test/harness.ts'
import {
  addPasskey,
  type Deviation,
  type SoftwarePasskey,
  softwarePasskey,
} from '../../../test/software-passkey.ts'

// Services count failed sign-ins of an address in their database, and all tests have the same address.
const connection = await ownDatabase('passkeys')
let service: TestService
beforeAll(async () => {
  service = await startTestService({}, connection)
})

type Owner = ConsoleUser & { passkey: SoftwarePasskey }

const post = (path: string, cookie: string, body?: object, at = service) =>
  at.call(path, { method: 'POST', headers: { cookie }, ...(body && { body }) })

async function owner(): Promise<Owner> {
  const [user, passkey] = [await consoleUser(service), softwarePasskey(service.url)]
  const { status, body } = await addPasskey(service, user, passkey)
  expect([status, body.recovery_codes.length]).toEqual([200, 10])
  return { ...user, passkey }
}

/** The password step; returns the cookie. */
async function begin({ email, password }: ConsoleUser): Promise<string> {
  const entered = await signIn(service, email, password)
  expect(entered.body).toEqual({ success: false, second_factor: ['passkey', 'recovery_code'] })
  return cookieOf(entered)
}

/** The second step, with the response of a passkey to a new challenge. */
async function confirmNew(ticket: string, passkey: SoftwarePasskey, deviation: Deviation = {}) {
  const options = await post('/console/auth/second-factor/passkey-options', ticket)
  const cookie = `${ticket}; ${cookieOf(options)}`
  return confirm(cookie, passkey.use(options.body.challenge, deviation))
}

const confirm = (cookie: string, credential: object) =>
  post('/console/auth/second-factor/passkey', cookie, { credential })

/** Signs in with the passkey alone. */
async function enter(passkey: SoftwarePasskey, deviation: Deviation = {}, at = service) {
  const options = await post('/console/auth/sign-in/passkey-options', '', undefined, at)
  const credential = passkey.use(options.body.challenge, deviation)
  const entered = await post('/console/auth/sign-in/passkey', cookieOf(options), { credential }, at)
  return { ...entered, challengeCookie: cookieOf(options), credential }
}

const opens = async (cookie: string) =>
  (await service.call('/console/api/session', { headers: { cookie } })).status === 200

describe('a passkey', () => {
  test('is the second step after the password, and counts once, also at the same time', {
    tags: 'slow',
  }, async () => {
    const user = await owner()
    const ticket = await begin(user)
    const options = await post('/console/auth/second-factor/passkey-options', ticket)
    const cookie = `${ticket}; ${cookieOf(options)}`
    const credential = user.passkey.use(options.body.challenge, { isUserVerified: false })
    const both = await Promise.all([confirm(cookie, credential), confirm(cookie, credential)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401])
    const entered = both.find(({ status }) => status === 200)
    expect(entered && (await opens(cookieOf(entered)))).toBe(true)
    expect((await confirm(cookie, credential)).body.code).toBe('wrong_passkey')
  })

  test('signs in alone, once per challenge, and only if the device verifies its user', {
    tags: 'slow',
  }, async () => {
    const user = await owner()
    expect((await enter(user.passkey, { isUserVerified: false })).body.code).toBe('wrong_passkey')
    const entered = await enter(user.passkey)
    expect([entered.status, await opens(cookieOf(entered))]).toEqual([200, true])
    const { challengeCookie, credential } = entered
    const replayed = await post('/console/auth/sign-in/passkey', challengeCookie, { credential })
    expect(replayed.body.code).toBe('wrong_passkey')
  })

  test('of another user is not the second step, and a copy with an older counter is refused', {
    tags: 'slow',
  }, async () => {
    const [user, other] = [await owner(), await owner()]
    const ticket = await begin(user)
    expect((await confirmNew(ticket, other.passkey)).body.code).toBe('wrong_passkey')
    expect((await confirmNew(ticket, user.passkey, { signCount: 9 })).status).toBe(200)
    expect((await confirmNew(ticket, user.passkey, { signCount: 9 })).body.code).toBe('wrong_passkey')
  })

  test.each<[string, Deviation]>([
    ['another site', { origin: 'https://elsewhere.example' }],
    ['another host', { host: 'elsewhere.example' }],
    ['another challenge', { challenge: 'AAAA' }],
  ])(
    'is neither registered nor accepted with a response for %s',
    { tags: 'slow' },
    async (_name, deviation) => {
      const user = await owner()
      const added = await addPasskey(service, user, softwarePasskey(service.url), deviation)
      expect(added.body.code).toBe('wrong_passkey')
      expect((await user.call('/console/api/account/security')).body.passkeys).toHaveLength(1)
      expect((await enter(user.passkey, deviation)).body.code).toBe('wrong_passkey')
      expect((await confirmNew(await begin(user), user.passkey, deviation)).body.code).toBe('wrong_passkey')
    },
  )

  test('is refused with a forged signature, and throttled with the other second factors of its user', {
    tags: 'slow',
  }, async () => {
    const user = await owner()
    expect((await enter(user.passkey, { isForged: true })).body.code).toBe('wrong_passkey')
    const ticket = await begin(user)
    for (let guess = 0; guess < 5; guess += 1)
      expect((await confirmNew(ticket, user.passkey, { isForged: true })).status).toBe(401)
    const refused = await confirmNew(ticket, user.passkey)
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_attempts'])
  })

  test('of a disabled user, or of one who removed it, no longer signs in', { tags: 'slow' }, async () => {
    const [user, admin] = [await owner(), await consoleUser(service, { operator: true })]
    const { body } = await user.call('/console/api/account/security')
    const removed = `/console/api/account/passkeys/${body.passkeys[0].id}/remove`
    expect((await post(removed, user.cookie, { password: user.password })).status).toBe(200)
    expect((await enter(user.passkey)).body.code).toBe('wrong_passkey')
    const other = await owner()
    await admin.call(`/console/api/operator/users/${other.id}/disable`, { method: 'POST' })
    expect((await enter(other.passkey)).body.code).toBe('wrong_passkey')
  })
})

test('behind a proxy, a passkey belongs to the host of the base URL', { tags: 'slow' }, async () => {
  const url = 'https://catalog.example'
  const proxied = await startTestService({ behindProxy: true, baseUrl: url }, connection)
  const { passkey, ...user } = { ...(await consoleUser(proxied)), passkey: softwarePasskey(url) }
  const headers = { origin: url, 'x-forwarded-proto': 'https' }
  const send = (path: string, cookie: string, body: object) =>
    proxied.call(path, { method: 'POST', headers: { ...headers, cookie }, body })
  const secured = user.cookie.replace('catalog.', '__Secure-catalog.')
  const { password } = user
  const begun = await send('/console/api/account/passkeys/options', secured, { password })
  expect([begun.body.code, begun.body.rp?.id]).toEqual([undefined, 'catalog.example'])
  const credential = passkey.register(begun.body.challenge)
  const cookie = `${secured}; ${cookieOf(begun)}`
  const added = await send('/console/api/account/passkeys', cookie, { name: 'Laptop', credential })
  expect(added.status).toBe(200)
})
