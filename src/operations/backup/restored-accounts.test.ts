import { join } from 'node:path'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { consoleUser, cookieOf, signIn } from '../../../test/console-user.ts'
import { emptyDatabase, ownDatabase } from '../../../test/database/test-database.ts'
import { startTestService, type TestService } from '../../../test/harness.ts'
import { passProvider, startProvider } from '../../../test/openid-provider.ts'
import { temporaryFolder } from '../../../test/setup/temporary-folder.ts'
import { linkUser } from '../../access/company-accounts/link-company.ts'
import { requireSecondFactor } from '../../access/second-factors/manage-second-factor.ts'
import { findTotp } from '../../access/second-factors/second-factor.sql.ts'
import { openTotpSecret, totpCode } from '../../access/second-factors/totp.ts'
import { authSecret } from '../../access/sessions/auth-secret.ts'
import { loadConfig } from '../../config.ts'
import { sql } from '../../platform/database/sql.ts'
import type { CheckContext } from '../doctor/check.ts'
import { signInCheck } from '../doctor/check-sign-in.ts'
import { openBackup } from './open-backup.ts'
import { restoreBackup } from './restore-backup.ts'
import { saveBackup } from './save-backup.ts'

const operator = { name: 'tester' }
const configured = 'cookie-secret-of-the-configuration'
const base = '/console/api/account'

/** An editor with an authenticator app, and the code of a later time step than the one that set it up. */
async function editorWithApp(service: TestService, secret?: string) {
  const { project } = await service.tenant()
  const memberships = [{ project_id: project, role: 'editor' as const }]
  const user = await consoleUser(service, { memberships })
  const cookie = cookieOf(await signIn(service, user.email, user.password))
  const post = (path: string, body: object) =>
    service.call(`${base}${path}`, { method: 'POST', body, headers: { cookie } })
  expect((await post('/totp', { password: user.password })).status).toBe(200)
  const { secret: sealed = '' } = (await findTotp(service.database, user.id)) ?? {}
  const key = openTotpSecret(await authSecret(service.database, secret)(), user.id, sealed) as string
  const codeIn = (steps: number) => totpCode(key, Math.floor(Date.now() / 30_000) + steps)
  const used = await codeIn(0)
  const { status, body } = await post('/totp/confirm', { code: used })
  expect([status, body.code]).toEqual([200, undefined])
  return { ...user, project, used, code: () => codeIn(1), codes: body.recovery_codes as string[] }
}

async function restored(source: pg.ClientConfig, options: { areKeysIncluded?: boolean } = {}) {
  const file = join(temporaryFolder(), 'catalog.backup')
  await saveBackup(source, file, options)
  const target = await emptyDatabase('accounts')
  await restoreBackup(target, await openBackup(file))
  return target
}

async function enter(
  service: TestService,
  user: { email: string; password: string },
  kind: string,
  code: string,
) {
  const first = await signIn(service, user.email, user.password)
  expect(first.body).toEqual({ success: false, second_factor: ['totp', 'recovery_code'] })
  const headers = { cookie: cookieOf(first) }
  return service.call(`/console/auth/second-factor/${kind}`, { method: 'POST', body: { code }, headers })
}

const examine = ({ database }: TestService, flags: object = {}) =>
  signInCheck.run({ database, config: loadConfig(flags, {}) } as CheckContext)

test('with the same cookie secret, all factors and company accounts work after a restore; open sessions do not', async () => {
  const provider = await startProvider()
  const { issuer: oidcIssuer, clientId: oidcClientId, clientSecret: oidcClientSecret } = provider
  const flags = { authSecret: configured, oidcIssuer, oidcClientId, oidcClientSecret }
  const source = await ownDatabase('accounts')
  const before = await startTestService(flags, source)
  const user = await editorWithApp(before, configured)
  const member = await consoleUser(before)
  await linkUser(before.database, operator, member.id, { issuer: oidcIssuer, subject: 'ada' })
  await before.database.query(sql`
    insert into passkeys (user_id, credential_id, public_key, sign_count, transports, name)
    values (${user.id}, 'credential', '\x01', 7, '{internal}', 'Laptop')`)
  const passkeys = sql`select * from passkeys`
  const rows = await before.database.query(passkeys)
  const target = await restored(source)

  const after = await startTestService(flags, target)
  expect(await after.database.query(passkeys)).toEqual(rows)
  await after.database.query(sql`delete from passkeys`)
  expect((await enter(after, user, 'totp', user.used)).body.code).toBe('wrong_code')
  const entered = await enter(after, user, 'totp', await user.code())
  expect([entered.status, entered.body]).toEqual([200, { success: true }])
  const spent = await enter(after, user, 'recovery-code', user.codes[0] ?? '')
  expect(spent.status).toBe(200)
  expect((await after.call('/console/api/session', { headers: { cookie: user.cookie } })).status).toBe(401)

  provider.allow(after.url)
  provider.person = { sub: 'ada', email: member.email, email_verified: true }
  const started = await after.call('/console/auth/company/start', { method: 'POST', body: {} })
  const path = await passProvider(started.body.url, after.url)
  const arrived = await after.call(path, { headers: { cookie: cookieOf(started) } })
  const session = await after.call('/console/api/session', { headers: { cookie: cookieOf(arrived) } })
  expect(session.body.user.id).toBe(member.id)
  expect(await examine(after, flags)).toMatchObject({ status: 'ok' })
  const elsewhere = { ...flags, oidcIssuer: 'https://login.example' }
  expect(await examine(after, elsewhere)).toMatchObject({
    status: 'warning',
    detail: '1 company account belongs to another provider than https://login.example',
  })
})

test('without the secret, apps report that they no longer work, the doctor names their users, and a recovery code leads to a new app', async () => {
  const source = await ownDatabase('accounts')
  const before = await startTestService({}, source)
  const user = await editorWithApp(before)
  await requireSecondFactor(before.database, operator, ['editor'])
  expect(await examine(before)).toMatchObject({ status: 'ok' })

  const kept = await startTestService({}, await restored(source, { areKeysIncluded: true }))
  expect((await enter(kept, user, 'totp', await user.code())).status).toBe(200)
  expect(await examine(kept)).toMatchObject({ status: 'ok' })

  const after = await startTestService({}, await restored(source))
  const report = { status: 'warning', detail: expect.stringContaining(user.email) }
  expect(await examine(after)).toMatchObject(report)
  expect(await after.database.query(sql`select from secrets`)).toEqual([])
  const refused = await enter(after, user, 'totp', await user.code())
  expect([refused.status, refused.body.code]).toEqual([409, 'app_unreadable'])
  expect(await examine(after)).toMatchObject(report)

  const cookie = cookieOf(await enter(after, user, 'recovery-code', user.codes[0] ?? ''))
  const post = (path: string, body: object) =>
    after.call(`${base}${path}`, { method: 'POST', body, headers: { cookie } })
  const products = () => after.call(`/console/api/projects/${user.project}/products`, { headers: { cookie } })
  expect((await products()).status).toBe(200)
  expect((await post('/totp/remove', { password: user.password })).body).toMatchObject({ totp: false })
  expect((await products()).body.code).toBe('second_factor_required')
  expect((await post('/totp', { password: user.password })).status).toBe(200)
  expect(await examine(after)).toMatchObject({ status: 'ok' })
})
