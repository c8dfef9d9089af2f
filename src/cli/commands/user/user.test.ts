import { beforeAll, describe, expect, inject, test } from 'vitest'
import { type ConsoleUser, consoleUser, signIn } from '../../../../test/console-user.ts'
import { connectionUrl, ownDatabase } from '../../../../test/database/test-database.ts'
import { sharedTestService, type TestService } from '../../../../test/harness.ts'
import { commandRunner } from '../../../../test/processes/command-runner.ts'
import { sql } from '../../../platform/database/sql.ts'

const { catalog, catalogJson } = commandRunner({ DATABASE_URL: connectionUrl(inject('connection')) })
let service: TestService
beforeAll(async () => {
  service = await sharedTestService()
})

const run = (...args: string[]) => catalogJson(args)

describe('catalog member', () => {
  test('lists, changes and removes the members of a project, but not its last manager', async () => {
    const { id: project } = await run('project', 'create', '--name', 'Shop')
    const [manager, editor] = [1, 2].map((place) => `member-${place}-${Date.now()}@shop.example`) as [
      string,
      string,
    ]
    // Invitations, because a password takes long to hash.
    for (const email of [manager, editor])
      await run('user', 'create', '--email', email, '--project', String(project), '--invite')
    const of = (...args: string[]) => [...args, '--project', String(project)]
    expect(await run(...of('member', 'set', editor, '--role', 'editor'))).toMatchObject({ role: 'editor' })
    expect(await run(...of('member', 'list'))).toMatchObject([
      { email: manager, role: 'manager' },
      { email: editor, role: 'editor' },
    ])
    const refused = await catalog(of('member', 'remove', manager))
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/only manager/)])
    expect(await run(...of('member', 'remove', editor))).toEqual({ removed: editor })
    expect(await run(...of('member', 'list'))).toHaveLength(1)
  })
})

describe('catalog user', () => {
  test('creates an account that can sign in, changes it, and resets its password', async () => {
    const { id: project } = await run('project', 'create', '--name', 'Shop')
    const email = `member-${Date.now()}@shop.example`
    const made = await run('user', 'create', '--email', email, '--project', String(project))
    expect(made).toMatchObject({
      id: expect.any(Number),
      email,
      operator: false,
      projects: [{ id: project }],
    })
    expect((await signIn(service, email, made.password)).status).toBe(200)
    expect(await run('user', 'set', email, '--operator', '--no-project')).toMatchObject({
      operator: true,
      projects: [],
    })
    const { password } = await run('user', 'reset-password', String(made.id))
    expect((await signIn(service, email, made.password)).status).toBe(401)
    expect((await signIn(service, email, password)).status).toBe(200)
    expect(await run('user', 'list')).toContainEqual(expect.objectContaining({ id: made.id, operator: true }))
  })

  test('invites by a link, signs out everywhere, disables, enables and deletes', async () => {
    const email = `invited-${Date.now()}@shop.example`
    const { id, link } = await run('user', 'create', '--email', email, '--invite')
    const next = await run('user', 'invite', email)
    expect([link, next.link]).toEqual(Array(2).fill(expect.stringMatching(/^http:\/\/.+\/invitation#.{43}$/)))
    const accepted = await service.call('/console/auth/accept-invitation', {
      method: 'POST',
      body: { secret: next.link.split('#')[1], newPassword: 'chosen by myself' },
    })
    expect(accepted.body).toEqual({ email })
    await signIn(service, email, 'chosen by myself')
    expect(await run('user', 'end-sessions', email)).toEqual({ ended: 1 })
    expect((await run('user', 'disable', email)).disabled_at).toEqual(expect.any(String))
    expect((await signIn(service, email, 'chosen by myself')).status).toBe(401)
    expect((await run('user', 'enable', String(id))).disabled_at).toBeNull()
    expect((await catalog(['user', 'delete', email, '--email', 'other@shop.example'])).stderr).toContain(
      'nothing was deleted',
    )
    expect(await run('user', 'delete', String(id), '--email', email)).toEqual({ id, email, deleted: true })
  })

  test('resets second factors, and shows and sets the roles that require one', async () => {
    const { id, email } = await consoleUser(service)
    await service.database.query(sql`
      insert into totp_secrets (user_id, secret, confirmed_at) values (${id}, 'sealed', now())`)
    expect(await run('user', 'reset-second-factor', email)).toEqual({
      id,
      email,
      removed: { totp: true, passkeys: 0, recovery_codes: 0 },
    })
    const linking = commandRunner({
      DATABASE_URL: connectionUrl(inject('connection')),
      CATALOG_OIDC_ISSUER: 'https://login.example',
    })
    expect((await catalog(['user', 'link', email])).stderr).toContain('set CATALOG_OIDC_ISSUER')
    const linked = await linking.catalogJson(['user', 'link', email])
    expect(linked).toEqual({ id, email, company_account: 'waiting' })
    const subject = await linking.catalogJson(['user', 'link', email, '--subject', `subject-${id}`])
    expect(subject.company_account).toBe('linked')
    expect((await run('user', 'unlink', email)).company_account).toBeNull()
    // In its own database, because the roles apply to all users.
    const other = commandRunner({ DATABASE_URL: connectionUrl(await ownDatabase('roles')) })
    const roles = (...args: string[]) => other.catalogJson(['user', 'require-second-factor', ...args])
    expect(await roles('operator', 'manager')).toEqual({ roles: ['manager', 'operator'] })
    expect(await roles()).toEqual({ roles: ['manager', 'operator'] })
    expect(await roles('none')).toEqual({ roles: [] })
  })

  test.each([
    [['user', 'create', '--email', 'nobody'], 'email'],
    [['user', 'create', '--email', 'a@b.example', '--project', '987654321'], 'project 987654321'],
    [['user', 'set', 'nobody@b.example', '--operator'], 'no user nobody@b.example'],
    [['access', 'approve', '987654321'], 'no access request 987654321'],
  ])('%j fails with a clear line', async (args, message) => {
    const { code, stdout, stderr } = await catalog(args)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain(message)
  })
})

describe('catalog access', () => {
  // One account for all, because a password takes long to hash: the operator's, who joins each project.
  let user: ConsoleUser
  beforeAll(async () => {
    user = await consoleUser(service, { operator: true })
  })

  async function ask(purpose = 'Web shop'): Promise<{ project: number; request: string }> {
    const { id: project } = await run('project', 'create', '--name', 'Shop')
    await run('user', 'set', user.email, '--project', String(project))
    const body = { name: 'A member', email: 'member@shop.example', purpose }
    const path = `/console/api/projects/${project}/access-requests`
    return { project, request: String((await user.call(path, { method: 'POST', body })).body.id) }
  }

  test('approve lets the member reveal the token, --show-token prints it, decline gives a reason', async () => {
    const [first, second, third] = [await ask(), await ask(), await ask()]
    const approved = await run('access', 'approve', first.request)
    expect(approved).toMatchObject({ state: 'approved', token: { shown: false } })
    const { token } = await run('access', 'approve', second.request, '--show-token')
    expect((await service.call('/v2/project', { token: token.token })).body.id).toBe(second.project)
    expect(
      await service.database.query(sql`
        select project_id, details -> 'token_shown' as shown from audit_entries
        where action = 'access_request.approve' and project_id in (${first.project}, ${second.project}) order by id`),
    ).toEqual([
      { project_id: first.project, shown: false },
      { project_id: second.project, shown: true },
    ])
    const declined = await run('access', 'decline', third.request, '--reason', 'Not yet')
    expect(declined).toMatchObject({
      state: 'declined',
      reason: 'Not yet',
      decided_by: expect.stringContaining('command line'),
    })
    const approvedOnes = await run('access', 'list', '--state', 'approved')
    expect(approvedOnes.map(({ id }: { id: number }) => String(id))).toEqual(
      expect.arrayContaining([first.request, second.request]),
    )
  })

  test('list prints one line per request, whatever the purpose contains', async () => {
    const purpose = `Web \u202eshop\n${'and more '.repeat(50)}`
    const { request } = await ask(purpose)
    const { stdout } = await catalog(['access', 'list', '--state', 'open'])
    const line = stdout.split('\n').find((text) => text.startsWith(`${request} `)) ?? ''
    expect(line).toContain('Web \\u202eshop and more')
    expect(line).not.toContain('and more '.repeat(8))
  })

  test('the audit trail records commands like console actions', async () => {
    const { project } = await ask()
    await run('project', 'set', String(project), '--api-access', 'on')
    const { id } = await run('token', 'create', '--project', String(project))
    const { id: successor } = await run('token', 'rotate', String(id))
    await run('token', 'revoke', String(successor))
    const { body } = await user.call('/console/api/operator/audit?page_size=500')
    const acts = body.results.filter(
      (entry: { project: { id: number } | null }) => entry.project?.id === project,
    )
    expect(acts.map(({ action }: { action: string }) => action)).toEqual([
      'token.revoke',
      'token.rotate',
      'token.create',
      'project.change',
      'project.create',
    ])
    for (const { actor } of acts) expect(actor).toMatch(/^command line/)
  })
})
