import { beforeAll, describe, expect, test } from 'vitest'
import { type ConsoleUser, consoleUser } from '../../../test/console-user.ts'
import { sharedTestService, type TestService } from '../../../test/harness.ts'
import { sql } from '../../platform/database/sql.ts'
import { createProject } from '../projects/manage-project.ts'

let service: TestService
let admin: ConsoleUser
beforeAll(async () => {
  service = await sharedTestService()
  admin = await consoleUser(service, { operator: true })
})

const form = { name: 'A member', email: 'member@shop.example', purpose: 'Show our stock in the web shop' }

async function lockedProject(plan = 'free') {
  const { id } = await createProject(service.database, { name: 'tester' }, { name: 'Shop', plan })
  const member = await consoleUser(service, { projects: [id] })
  const at = (path: string) => `/console/api/projects/${id}${path}`
  const ask = (body: unknown = form) => member.call(at('/access-requests'), { method: 'POST', body })
  return { id, member, at, ask, state: async () => (await member.call(at('/api-access'))).body }
}

const decide = (id: number, verb: string, body: unknown = {}) =>
  admin.call(`/console/api/operator/access-requests/${id}/${verb}`, { method: 'POST', body })

describe('a project without API access', () => {
  test('can use the console, and changes there have the email as their author', async () => {
    const { member, at, state } = await lockedProject()
    expect(await state()).toMatchObject({ locked: true, plan: 'free', request: null, tokens: [] })
    const created = await member.call(at('/products'), { method: 'POST', body: { sku: 'A', name: 'A' } })
    expect(created.status).toBe(201)
    expect(created.headers.get('location')).toBe(service.url + at(`/products/${created.body.id}`))
    expect(created.headers.get('ratelimit')).toMatch(/^"user";/)
    const history = await member.call(at(`/products/${created.body.id}/history`))
    expect(history.body.results[0]).toMatchObject({ actor: member.email, source: 'console' })
  })

  test('can have one open request: all errors of the form are returned, and a second request is rejected, also concurrently', async () => {
    const { ask, state } = await lockedProject()
    const faulty = await ask({ name: ' ', email: 'member', purpose: '', bogus: 1 })
    expect(faulty.status).toBe(422)
    expect(faulty.body.errors.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual([
      '/bogus',
      '/email',
      '/name',
      '/purpose',
    ])
    const responses = await Promise.all([ask(), ask(), ask()])
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    expect((await ask()).body.code).toBe('access_request_open')
    expect((await state()).request).toMatchObject({ ...form, state: 'open', decided_at: null })
  })

  test('cannot request access once its plan includes it', async () => {
    const { ask } = await lockedProject('pro')
    expect((await ask()).body.code).toBe('api_access_enabled')
  })
})

describe('approving', () => {
  test('enables the API and creates a token that a member can show once; the database never stores its secret', async () => {
    const { id, member, at, ask, state } = await lockedProject()
    const { body: request } = await ask()
    const approved = await decide(request.id, 'approve')
    expect(approved.body).toMatchObject({
      state: 'approved',
      decided_by: admin.email,
      token: { shown: false },
    })
    const tokenId = approved.body.token.id
    expect(await state()).toMatchObject({
      locked: false,
      tokens: [{ id: tokenId, shown: false, last_characters: null }],
    })

    const show = () => member.call(at(`/tokens/${tokenId}/show`), { method: 'POST' })
    const responses = await Promise.all([show(), show(), show()])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    const token: string = responses.find(({ status }) => status === 200)?.body.token
    expect((await show()).body.code).toBe('token_already_shown')
    expect((await service.call('/v2/project', { token })).body).toMatchObject({
      id,
      token: { name: form.name },
    })
    expect((await state()).tokens).toMatchObject([{ shown: true, last_characters: token.slice(-4) }])
    const [kept] = await service.database.query(
      sql<{ text: string }>`select (select json_agg(t)::text from tokens t where project_id = ${id})
        || (select json_agg(a)::text from audit_entries a where project_id = ${id}) as text`,
    )
    expect(kept?.text).not.toContain(token)
  })

  test('twice, or after declining, returns 409 and creates at most one token', async () => {
    const { ask, state } = await lockedProject()
    const { body: request } = await ask()
    const both = await Promise.all([decide(request.id, 'approve'), decide(request.id, 'approve')])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await decide(request.id, 'decline', { reason: 'No' })).body.code).toBe('access_request_decided')
    expect((await state()).tokens).toHaveLength(1)
    expect((await decide(987_654_321, 'approve')).status).toBe(404)
  })

  test('a token that was revoked before it was shown stays without a secret', async () => {
    const { member, at, ask } = await lockedProject()
    const { token } = (await decide((await ask()).body.id, 'approve')).body
    await admin.call(`/console/api/operator/tokens/${token.id}/revoke`, { method: 'POST' })
    const shown = await member.call(at(`/tokens/${token.id}/show`), { method: 'POST' })
    expect([shown.status, shown.body.code]).toEqual([409, 'token_ended'])
  })

  test('a token of another project cannot be shown', async () => {
    const mine = await lockedProject()
    const theirs = await lockedProject()
    const { token } = (await decide((await theirs.ask()).body.id, 'approve')).body
    const shown = await mine.member.call(mine.at(`/tokens/${token.id}/show`), { method: 'POST' })
    expect([shown.status, shown.body.code]).toEqual([404, 'not_found'])
  })
})

describe('declining', () => {
  test('needs a reason, which members can read, and the project can request access again', async () => {
    const { ask, state } = await lockedProject()
    const { body: request } = await ask()
    expect((await decide(request.id, 'decline', {})).status).toBe(422)
    const reason = 'Ask again once the catalog is filled.'
    expect((await decide(request.id, 'decline', { reason })).body).toMatchObject({
      state: 'declined',
      reason,
    })
    expect(await state()).toMatchObject({ locked: true, request: { state: 'declined', reason }, tokens: [] })
    expect((await ask()).status).toBe(201)
    const open = await admin.call('/console/api/operator/access-requests?state=open&page_size=1')
    expect(open.body.results[0]).toMatchObject({ state: 'open', project: { name: 'Shop' } })
  })
})
