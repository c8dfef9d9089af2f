import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { consoleUser, cookieOf, signIn } from '../../../test/console-user.ts'
import { ownDatabase } from '../../../test/database/test-database.ts'
import { startTestService, type TestService } from '../../../test/harness.ts'
import {
  claimsOf,
  type Person,
  passProvider,
  startProvider,
  type TestProvider,
} from '../../../test/openid-provider.ts'
import { whenFileEnds } from '../../../test/setup/file-end.ts'
import { createFolder } from '../../../test/setup/temporary-folder.ts'
import { addPasskey, softwarePasskey } from '../../../test/software-passkey.ts'
import { loadConfig } from '../../config.ts'
import { sql } from '../../platform/database/sql.ts'
import { createProject } from '../projects/manage-project.ts'
import { companySettings } from './company-settings.ts'
import { linkUser } from './link-company.ts'

// Services count failed sign-ins of an address in their database, and all tests have the same address.
const connection = await ownDatabase('company')
const serve = (flags: object = {}) => startTestService(flags, connection)

let provider: TestProvider
/** Without a provider. */
let plain: TestService
let service: TestService
let second: TestService
let shop: number
let other: number
let groupsFile: string

beforeAll(async () => {
  provider = await startProvider()
  const folder = createFolder()
  whenFileEnds(() => rmSync(folder, { recursive: true }))
  groupsFile = join(folder, 'groups.json')
  writeFileSync(groupsFile, '{"groups":{}}')
  plain = await serve()
  const made = { plan: 'enterprise', currency: 'EUR' }
  shop = (await createProject(plain.database, operator, { name: 'Shop', ...made })).id
  other = (await createProject(plain.database, operator, { name: 'Other', ...made })).id
  const groups = {
    editors: { projects: [{ id: shop, role: 'editor' }] },
    managers: {
      projects: [
        { id: shop, role: 'manager' },
        { id: other, role: 'viewer' },
        { id: 987_654_321, role: 'viewer' },
      ],
    },
    admins: { operator: true },
  }
  writeFileSync(groupsFile, JSON.stringify({ groups }))
  service = await serve(settings())
  second = await serve(settings())
  provider.allow(service.url, second.url)
})
beforeEach(() => {
  provider.change = undefined
})

const operator = { name: 'tester' }
const settings = (more: object = {}) => ({
  oidcIssuer: provider.issuer,
  oidcClientId: provider.clientId,
  oidcClientSecret: provider.clientSecret,
  oidcGroupsFile: groupsFile,
  ...more,
})
const somebody = (more: Partial<Person> = {}): Person => {
  const sub = randomUUID()
  return {
    sub,
    email: `${sub}@company.example`,
    email_verified: true,
    name: 'Ada',
    groups: ['editors'],
    ...more,
  }
}

/** Goes to the provider and back; returns what the provider sends the browser to, and the cookie that the browser has. */
async function comeBack(person: Person, at = service, next?: string) {
  provider.person = person
  const body = next === undefined ? {} : { next }
  const started = await at.call('/console/auth/company/start', { method: 'POST', body })
  expect([started.status, started.body.code]).toEqual([200, undefined])
  return { path: await passProvider(started.body.url, at.url), cookie: cookieOf(started) }
}

const arrive = (path: string, cookie: string, at = service) => at.call(path, { headers: { cookie } })

/** The response to the browser: where it leads, and the cookies. */
async function enter(person: Person, at = service, next?: string) {
  const { path, cookie } = await comeBack(person, at, next)
  const response = await arrive(path, cookie, at)
  return { status: response.status, leadsTo: response.headers.get('location'), cookie: cookieOf(response) }
}

const sessionOf = async (cookie: string, at = service) =>
  (await at.call('/console/api/session', { headers: { cookie } })).body
const refused = (problem: string) => `/sign-in?problem=${problem}&next=%2F`
const usersWith = (email = '') =>
  service.database.query(sql<{ id: number }>`select id from users where email = ${email}`)

describe('signing in with a company account', () => {
  test('creates the user without a password, with the highest role of its groups, in every process, and returns to the page', {
    tags: 'slow',
  }, async () => {
    const person = somebody({ groups: ['editors', 'managers', 'unknown'] })
    const first = await enter(person, service, `/projects/${shop}?status=active`)
    expect([first.status, first.leadsTo]).toEqual([303, `/projects/${shop}?status=active`])
    const { user, projects } = await sessionOf(first.cookie, second)
    expect([user.email, user.name, user.operator]).toEqual([person.email, 'Ada', false])
    const roles = projects.map(({ id, role }: { id: number; role: string }) => [id, role])
    expect(roles).toEqual([
      [shop, 'manager'],
      [other, 'viewer'],
    ])
    const again = await enter(
      { ...person, groups: ['editors', 'admins'], email: 'changed@company.example' },
      second,
    )
    const changed = await sessionOf(again.cookie)
    expect([changed.user.id, changed.user.operator, changed.user.email]).toEqual([
      user.id,
      true,
      person.email,
    ])
    const { password } = await consoleUser(service)
    expect((await signIn(service, person.email ?? '', password)).status).toBe(401)
  })

  test('behind a proxy, the provider returns to the public address, and cookies are secure', {
    tags: 'slow',
  }, async () => {
    const proxied = await serve({
      ...settings(),
      ...{ behindProxy: true, baseUrl: 'https://catalog.example' },
    })
    const started = await proxied.call('/console/auth/company/start', {
      method: 'POST',
      body: {},
      headers: { origin: 'https://catalog.example', 'x-forwarded-proto': 'https' },
    })
    const { searchParams } = new URL(started.body.url)
    expect(searchParams.get('redirect_uri')).toBe('https://catalog.example/console/auth/company/callback')
    expect(started.headers.get('set-cookie')).toMatch(/; Secure/)
  })

  test('a user who loses all groups loses access at once: all open sessions end', {
    tags: 'slow',
  }, async () => {
    const person = somebody()
    const open = await enter(person, second)
    expect((await sessionOf(open.cookie)).user.email).toBe(person.email)
    expect((await enter({ ...person, groups: [] })).leadsTo).toBe(refused('no_company_access'))
    expect((await sessionOf(open.cookie, second)).code).toBe('not_authenticated')
    const rows = await service.database.query(sql`
      select 1 from memberships join users on users.id = user_id where email = ${person.email}`)
    expect(rows).toEqual([])
    expect((await enter(somebody({ groups: ['unknown'] }))).leadsTo).toBe(refused('no_company_access'))
  })

  test('the second factor of the service is asked for, unless the provider asked for one', async () => {
    const person = somebody()
    const { user } = await sessionOf((await enter(person)).cookie)
    await service.database.query(sql`
      insert into totp_secrets (user_id, secret, confirmed_at) values (${user.id}, 'sealed', now())`)
    const waiting = await enter(person, service, '/account')
    expect(waiting.leadsTo).toBe('/sign-in?step=second-factor&next=%2Faccount')
    expect((await sessionOf(waiting.cookie)).code).toBe('not_authenticated')
    const asked = await service.call('/console/auth/second-factor', { headers: { cookie: waiting.cookie } })
    expect(asked.body).toEqual({ success: false, second_factor: ['totp'] })
    const complete = await enter({ ...person, mfa: true })
    expect((await sessionOf(complete.cookie)).user.id).toBe(user.id)
  })
})

describe('an attack is refused', () => {
  const token = (changes: object) => (own: string) => provider.sign({ ...claimsOf(own), ...changes })

  test.each<[string, () => (own: string) => string]>([
    ['a wrong nonce', () => token({ nonce: 'another' })],
    ['a missing nonce', () => token({ nonce: undefined })],
    ['a wrong audience', () => token({ aud: 'another-client' })],
    ['a wrong issuer', () => token({ iss: 'https://elsewhere.example' })],
    ['an expired token', () => token({ exp: Math.floor(Date.now() / 1000) - 600 })],
    ['a wrong signature', () => (own) => `${own.split('.').slice(0, 2).join('.')}.${'A'.repeat(342)}`],
    [
      'no signature',
      () => (own) => {
        const header = Buffer.from('{"alg":"none"}').toString('base64url')
        return `${header}.${own.split('.')[1]}.`
      },
    ],
  ])('%s', async (_name, change) => {
    const person = somebody()
    provider.change = change()
    const { leadsTo, cookie } = await enter(person)
    expect(leadsTo).toBe(refused('company_sign_in_failed'))
    expect((await sessionOf(cookie)).code).toBe('not_authenticated')
    expect(await usersWith(person.email)).toEqual([])
  })

  test('a replayed state, also at the same time; a wrong state; another browser', async () => {
    const { path, cookie } = await comeBack(somebody())
    const wrong = path.replace(/state=[^&]+/, 'state=another')
    const elsewhere = await comeBack(somebody())
    expect((await arrive(elsewhere.path, '')).headers.get('location')).toBe(refused('company_sign_in_failed'))
    const both = await Promise.all([arrive(path, cookie), arrive(path, cookie)])
    const leads = both.map(({ headers }) => headers.get('location')).toSorted()
    expect(leads).toEqual(['/', refused('company_sign_in_failed')])
    expect((await arrive(path, cookie)).headers.get('location')).toBe(refused('company_sign_in_failed'))
    const { cookie: fresh } = await comeBack(somebody())
    expect((await arrive(wrong, fresh)).headers.get('location')).toBe(refused('company_sign_in_failed'))
  })

  test('an email that is not verified, or without a word about it', async () => {
    const { email_verified: _verified, ...person } = somebody()
    for (const given of [person, { ...person, email_verified: false }])
      expect((await enter(given)).leadsTo).toBe(refused('company_email_unverified'))
    expect(await usersWith(person.email)).toEqual([])
  })

  test('an email in the ID token, while the user info verifies another one', async () => {
    const email = `${randomUUID()}@company.example`
    provider.change = (token) => {
      const { email_verified: _verified, groups: _groups, ...claims } = claimsOf(token)
      return provider.sign({ ...claims, email })
    }
    expect((await enter(somebody())).leadsTo).toBe(refused('company_email_unverified'))
    expect(await usersWith(email)).toEqual([])
  })

  test('a takeover of an existing account by its email', async () => {
    const victim = await consoleUser(service, { operator: true })
    const attacker = somebody({ email: victim.email.toUpperCase(), groups: ['admins'] })
    expect((await enter(attacker)).leadsTo).toBe(refused('company_account_not_linked'))
    expect(await sessionOf(victim.cookie)).toMatchObject({ user: { id: victim.id } })
  })

  test('an open redirect: the sign-in leads to pages of the console only', async () => {
    for (const next of [
      'https://elsewhere.example',
      '//elsewhere.example',
      '/\\elsewhere.example',
      '/a#b',
      'javascript:1',
    ])
      expect(
        (await service.call('/console/auth/company/start', { method: 'POST', body: { next } })).status,
      ).toBe(422)
    const headers = { origin: 'https://elsewhere.example' }
    const foreign = await service.call('/console/auth/company/start', { method: 'POST', body: {}, headers })
    expect(foreign.body.code).toBe('foreign_origin')
  })

  test('a path that would take a pattern with nested repetitions minutes to reject', async () => {
    const next = `/${'a'.repeat(33)}!`
    const { status } = await service.call('/console/auth/company/start', { method: 'POST', body: { next } })
    expect(status).toBe(422)
  })
})

describe('an existing account is linked', () => {
  test('by its user, with the password; then the groups decide, and neither the password nor a passkey is enough', {
    tags: 'slow',
  }, async () => {
    const user = await consoleUser(service, { projects: [other] })
    const passkey = softwarePasskey(service.url)
    expect((await addPasskey(service, user, passkey)).status).toBe(200)
    const person = somebody({ email: 'private@elsewhere.example' })
    const link = (password: string) =>
      user.call('/console/api/account/company/link', { method: 'POST', body: { password } })
    expect((await link('wrong')).status).toBe(422)
    const started = await link(user.password)
    provider.person = person
    const path = await passProvider(started.body.url, service.url)
    const stranger = await consoleUser(service)
    const both = (session: string) => `${session}; ${cookieOf(started)}`
    const wrong = await arrive(path, both(stranger.cookie))
    expect(wrong.headers.get('location')).toBe('/account?problem=other_account')
    const next = await link(user.password)
    const back = await passProvider(next.body.url, service.url)
    const linked = await arrive(back, `${user.cookie}; ${cookieOf(next)}`)
    expect(linked.headers.get('location')).toBe('/account?linked=true')
    const entered = await sessionOf((await enter({ ...person, mfa: true })).cookie)
    expect([entered.user.id, entered.projects.map(({ id }: { id: number }) => id)]).toEqual([user.id, [shop]])
    expect((await signIn(service, user.email, user.password)).body.code).toBe('company_account_required')
    const options = await service.call('/console/auth/sign-in/passkey-options', { method: 'POST' })
    const alone = await service.call('/console/auth/sign-in/passkey', {
      method: 'POST',
      body: { credential: passkey.use(options.body.challenge) },
      headers: { cookie: cookieOf(options) },
    })
    expect(alone.body.code).toBe('company_account_required')
    expect((await user.call('/console/api/account/company')).body).toEqual({
      available: true,
      linked: true,
      by_groups: true,
    })
  })

  test('by an operator, at the next sign-in with the verified email, once', async () => {
    const { id, email } = await consoleUser(service)
    const admin = await consoleUser(service, { operator: true })
    const person = somebody({ email })
    const linked = await admin.call(`/console/api/operator/users/${id}/link-company`, {
      method: 'POST',
      body: {},
    })
    expect([linked.status, linked.body.company_account]).toEqual([200, 'waiting'])
    expect((await sessionOf((await enter(person)).cookie)).user.id).toBe(id)
    expect((await enter(somebody({ email }))).leadsTo).toBe(refused('company_account_not_linked'))
    const listed = await admin.call(`/console/api/operator/users?search=${email}`)
    expect(listed.body.results[0].company_account).toBe('linked')
    const unlinked = await admin.call(`/console/api/operator/users/${id}/unlink-company`, { method: 'POST' })
    expect(unlinked.body.company_account).toBeNull()
    expect((await enter(person)).leadsTo).toBe(refused('company_account_not_linked'))
    await linkUser(service.database, operator, id, { issuer: provider.issuer })
    await service.database.query(sql`update company_accounts set linked_until = now() where user_id = ${id}`)
    expect((await enter(person)).leadsTo).toBe(refused('company_account_not_linked'))
  })
})

describe('CATALOG_LOCAL_SIGN_IN=off', () => {
  let off: TestService
  /** With --allow-local-operator. */
  let some: TestService
  beforeAll(async () => {
    off = await serve(settings({ localSignIn: 'off' }))
    some = await serve(settings({ localSignIn: 'off', allowLocalOperator: true }))
  })

  test('refuses passwords, passkeys and invitations; with --allow-local-operator, operators can sign in', {
    tags: 'slow',
  }, async () => {
    const [user, admin] = [await consoleUser(service), await consoleUser(service, { operator: true })]
    const methods = async (at: TestService) => (await at.call('/console/auth/methods')).body
    expect(await methods(off)).toEqual({
      password: false,
      passkey: false,
      company: true,
      operators_only: false,
    })
    expect((await signIn(off, admin.email, admin.password)).body.code).toBe('local_sign_in_off')
    expect((await off.call('/console/auth/sign-in/passkey-options', { method: 'POST' })).body.code).toBe(
      'local_sign_in_off',
    )
    const body = { email: `${randomUUID()}@test.example` }
    const invited = await admin.call('/console/api/operator/invitations', { method: 'POST', body })
    const secret = { secret: invited.body.link.split('#')[1] }
    expect((await off.call('/console/auth/invitation', { method: 'POST', body: secret })).body.code).toBe(
      'local_sign_in_off',
    )
    expect(await methods(some)).toMatchObject({ password: true, operators_only: true })
    expect((await signIn(some, admin.email, admin.password)).status).toBe(200)
    expect((await signIn(some, user.email, user.password)).body.code).toBe('local_sign_in_off')
  })

  test('refuses new passwords and invitations that no one could use, and says what to do', {
    tags: 'slow',
  }, async () => {
    const { project } = await service.tenant()
    const user = await consoleUser(off, { memberships: [{ project_id: project, role: 'manager' }] })
    const admin = await consoleUser(off, { operator: true })
    const users = '/console/api/operator/users'
    const email = () => `${randomUUID()}@test.example`
    const post = (by: { cookie: string }, path: string, body?: object, at = off) =>
      at.call(path, { method: 'POST', headers: { cookie: by.cookie }, ...(body && { body }) })
    for (const at of [off, some])
      for (const refused of [
        await post(admin, '/console/api/operator/invitations', { email: email() }, at),
        await post(admin, users, { email: email() }, at),
        await post(admin, `${users}/${user.id}/invite`, undefined, at),
        await post(admin, `${users}/${user.id}/reset-password`, undefined, at),
      ])
        expect(refused.body).toMatchObject({
          code: 'local_sign_in_off',
          detail: expect.stringContaining('Create the user with a company account'),
        })
    const invite = { email: email(), role: 'editor' }
    const byManager = await post(user, `/console/api/projects/${project}/members/invitations`, invite)
    expect(byManager.body).toMatchObject({
      code: 'local_sign_in_off',
      detail: 'Only company accounts can sign in. Ask the operator to add the user to the project.',
    })
    expect(await usersWith(invite.email)).toEqual([])
    const operator = { email: email(), operator: true }
    expect((await post(admin, '/console/api/operator/invitations', operator)).status).toBe(403)
    expect((await post(admin, '/console/api/operator/invitations', operator, some)).status).toBe(201)
  })

  test('needs a provider', () => {
    expect(() => loadConfig({ localSignIn: 'off' }, {})).toThrow('set CATALOG_OIDC_ISSUER')
  })
})

/** A server in place of the provider, and the paths of its requests. */
async function startStub(handle: (request: IncomingMessage, response: ServerResponse) => void) {
  const paths: string[] = []
  const server = createServer((request, response) => {
    paths.push(request.url ?? '')
    handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  whenFileEnds(() => new Promise((resolve) => server.closeAllConnections() ?? server.close(resolve)))
  return { paths, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

describe('settings', () => {
  const read = (more: object) => () => companySettings({ ...settings(), ...more })

  test.each<[object, string]>([
    [{ oidcClientSecret: undefined }, 'CATALOG_OIDC_CLIENT_SECRET'],
    [{ oidcIssuer: 'http://login.example' }, 'plain http is allowed only for loopback addresses'],
    [{ oidcIssuer: 'login.example' }, 'CATALOG_OIDC_ISSUER must be a URL'],
    [{ oidcGroupsFile: '/missing.json' }, 'CATALOG_OIDC_GROUPS_FILE: the file /missing.json'],
  ])('%j is reported at the start', (more, message) => {
    expect(read(more)).toThrow(message)
  })

  test('an invalid group map names the place', () => {
    const file = `${groupsFile}.invalid`
    writeFileSync(file, JSON.stringify({ groups: { a: { projects: [{ id: 1, role: 'owner' }] } } }))
    expect(read({ oidcGroupsFile: file })).toThrow('groups/a/projects/0/role')
  })

  test('a provider that is down, or does not exist, returns 503, and the secret is in no response', async () => {
    const down = await serve(settings({ oidcIssuer: 'http://127.0.0.1:9' }))
    const { status, body, text } = await down.call('/console/auth/company/start', {
      method: 'POST',
      body: {},
    })
    expect([status, body.code]).toEqual([503, 'company_sign_in_unavailable'])
    expect(text).not.toContain(provider.clientSecret)
    const off = await plain.call('/console/auth/company/start', { method: 'POST', body: {} })
    expect(off.body.code).toBe('company_sign_in_off')
  })

  test('many sign-ins read the settings of a provider that fails once', { tags: 'slow' }, async () => {
    const broken = await startStub((_request, response) => response.writeHead(500).end())
    const at = await serve(settings({ oidcIssuer: broken.url }))
    const start = () => at.call('/console/auth/company/start', { method: 'POST', body: {} })
    const started = await Promise.all(Array.from({ length: 30 }, start))
    expect(new Set(started.map(({ body }) => body.code))).toEqual(new Set(['company_sign_in_unavailable']))
    expect(broken.paths).toHaveLength(1)
  })

  test('a provider that hangs delays no password, and neither it nor other sites use up attempts', {
    tags: 'slow',
  }, async () => {
    const held: ServerResponse[] = []
    const slow = await startStub(({ url }, response) => {
      if (url?.includes('token')) return void held.push(response)
      const endpoint = (name: string) => `${slow.url}/${name}`
      const found = { issuer: slow.url, authorization_endpoint: endpoint('auth'), jwks_uri: endpoint('keys') }
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ ...found, token_endpoint: endpoint('token') }))
    })
    const at = await serve(settings({ oidcIssuer: slow.url }))
    const user = await consoleUser(at)
    const comeBackTo = async () => {
      const started = await at.call('/console/auth/company/start', { method: 'POST', body: {} })
      const state = new URL(started.body.url).searchParams.get('state')
      return arrive(`/console/auth/company/callback?code=any&state=${state}`, cookieOf(started), at)
    }
    const waiting = Array.from({ length: 5 }, comeBackTo)
    await expect.poll(() => held.length).toBe(5)
    expect((await signIn(at, user.email, user.password)).status).toBe(200)
    for (const response of held) response.destroy()
    for (const response of await Promise.all(waiting))
      expect(response.headers.get('location')).toBe(refused('company_sign_in_unavailable'))
    for (let time = 0; time < 31; time += 1) await arrive('/console/auth/company/callback', '', at)
    expect((await signIn(at, user.email, 'wrong password')).body.code).toBe('wrong_credentials')
  })
})
