import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { ownDatabase } from '../../../test/database/test-database.ts'
import { sharedTestService, startTestService, type TestService } from '../../../test/harness.ts'
import { rawRequest } from '../../../test/requests/raw-request.ts'
import { scopes } from '../../model/scopes.ts'
import { sql } from '../../platform/database/sql.ts'
import { changeProject } from '../projects/manage-project.ts'
import { issueToken, rotateToken } from './manage-token.ts'
import { listTokens, revokeTokenRow } from './token.sql.ts'
import { generateToken, isWellFormedToken } from './token-format.ts'

let service: TestService
let second: TestService
const operator = { name: 'tester' }
beforeAll(async () => {
  service = await sharedTestService()
  second = await startTestService()
})

describe('a token', () => {
  test('has the documented format, whose checksum detects a typo offline', () => {
    const token = generateToken()
    expect(token).toMatch(/^cat_[0-9A-Za-z]{36}$/)
    expect(isWellFormedToken(token)).toBe(true)
    const typo = token.slice(0, 10) + (token[10] === 'a' ? 'b' : 'a') + token.slice(11)
    expect(isWellFormedToken(typo)).toBe(false)
  })

  test('fault 23: is stored only as its hash', async () => {
    const { token, tokenId } = await service.tenant()
    const [row] = await service.database.query(
      sql<{ text: string }>`select tokens::text as text from tokens where id = ${tokenId}`,
    )
    expect(row?.text).not.toContain(token.slice(4, 34))
    expect(row?.text).toContain(token.slice(-4))
  })

  test.each([
    '',
    'Bearer',
    'Bearer ',
    'Basic dXNlcjpwYXNz',
    'Bearer nonsense',
    'Bearer cat_short',
    'Token cat_x',
  ])('sent as "%s" returns 401', async (authorization) => {
    const response = await service.call('/api/products', { headers: { authorization } })
    expect(response.status).toBe(401)
  })

  test('can be sent with the scheme in any case', async () => {
    const { token } = await service.tenant()
    expect(
      (await service.call('/api/products', { headers: { authorization: `bearer ${token}` } })).status,
    ).toBe(200)
  })

  test('belongs to its request, not to its connection', async () => {
    const [first, other] = [await service.tenant(), await service.tenant()]
    const wrong = `${first.token.slice(0, -1)}${first.token.endsWith('0') ? '1' : '0'}`
    const send = (token: string, connection: string) =>
      `GET /v2/project HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nConnection: ${connection}\r\n\r\n`
    const tokens = [first.token, first.token, other.token, wrong]
    const requests = [...tokens.map((token) => send(token, 'keep-alive')), send(first.token, 'close')]
    const responses = (await rawRequest(service.url, requests.join(''))).split(/(?=HTTP\/1\.1 )/)
    const projects = responses.map((text) => Number(/"id":(\d+),"name"/.exec(text)?.[1] ?? 0))
    expect(projects).toEqual([first.project, first.project, other.project, 0, first.project])
    expect(responses[3]).toMatch(/^HTTP\/1\.1 401 /)
  })

  test('in two Authorization headers returns 400', async () => {
    const { token } = await service.tenant()
    const header = `Authorization: Bearer ${token}\r\n`
    const response = await rawRequest(
      service.url,
      `GET /api/products HTTP/1.1\r\nHost: localhost\r\n${header}${header}Connection: close\r\n\r\n`,
    )
    expect(response).toMatch(/^HTTP\/1.1 400 /)
    expect(response).toContain('present more than once')
    expect(response).not.toContain(token)
  })

  test('records its last use', { tags: 'slow' }, async () => {
    const { token, project } = await service.tenant()
    await service.call('/api/project', { token })
    await expect.poll(async () => (await listTokens(service.database, project))[0]?.last_used_at).toBeTruthy()
  })

  test('fault 23: in a URL is not repeated in the response', async () => {
    const { token } = await service.tenant()
    const response = await service.call(`/api/products?ordering=${token}`, { token })
    expect(response.status).toBe(400)
    expect(response.text).not.toContain(token)
  })
})

describe('fault 22: a change by the operator applies at once in every process', () => {
  test('a revoked token', async () => {
    const { token, tokenId } = await service.tenant()
    for (const each of [service, second]) expect((await each.call('/v2/project', { token })).status).toBe(200)
    await revokeTokenRow(service.database, tokenId)
    for (const each of [service, second])
      expect((await each.call('/v2/project', { token })).body.code).toBe('invalid_token')
  })

  test('a plan, and the override of a project, which takes precedence', async () => {
    const { token, project } = await service.tenant({ plan: 'free' })
    const codeOf = async () => (await second.call('/v2/project', { token })).body.code ?? 'served'
    expect(await codeOf()).toBe('api_access_locked')
    await changeProject(service.database, operator, project, { plan: 'pro' })
    expect(await codeOf()).toBe('served')
    await changeProject(service.database, operator, project, { apiAccess: 'off' })
    expect(await codeOf()).toBe('api_access_locked')
    await changeProject(service.database, operator, project, { plan: 'free', apiAccess: 'on' })
    expect(await codeOf()).toBe('served')
    await changeProject(service.database, operator, project, { apiAccess: 'plan' })
    expect(await codeOf()).toBe('api_access_locked')
  })

  test('a rotation: the successor has the same scopes, and the old token expires after the overlap', async () => {
    const { token, tokenId } = await service.tenant({ scopes: ['products:read'] })
    const successor = await rotateToken(service.database, operator, tokenId, 3600)
    expect(successor.scopes).toEqual(['products:read'])
    for (const each of [token, successor.token])
      expect((await service.call('/v2/products', { token: each })).status).toBe(200)
    const last = await rotateToken(service.database, operator, successor.id, 0)
    expect((await service.call('/v2/products', { token: successor.token })).status).toBe(401)
    expect((await service.call('/v2/products', { token: last.token })).status).toBe(200)
  })

  test('a rotation does not extend a token that expires before the overlap ends', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
    const { project, tokenId } = await service.tenant({ expiresAt })
    await rotateToken(service.database, operator, tokenId, 7 * 86_400)
    const [rotated] = await listTokens(service.database, project)
    expect(new Date(rotated?.expires_at ?? 0).toISOString()).toBe(expiresAt)
  })

  test('a rotated or expired token cannot be rotated again', async () => {
    const { tokenId } = await service.tenant()
    const successor = await rotateToken(service.database, operator, tokenId, 3600)
    await expect(rotateToken(service.database, operator, tokenId, 3600)).rejects.toThrow(
      `rotate its successor ${successor.id}`,
    )
    await service.database.query(
      sql`update tokens set expires_at = now() - interval '1 second' where id = ${successor.id}`,
    )
    await expect(rotateToken(service.database, operator, successor.id, 3600)).rejects.toThrow('has expired')
  })

  test('a second revocation keeps the time of the first', async () => {
    const { tokenId } = await service.tenant()
    const first = '2026-01-02T03:04:05.000Z'
    await service.database.query(sql`update tokens set revoked_at = ${first} where id = ${tokenId}`)
    const again = await revokeTokenRow(service.database, tokenId)
    expect(new Date(again?.revoked_at ?? 0).toISOString()).toBe(first)
  })

  test('a revoked token cannot be rotated', async () => {
    const { tokenId } = await service.tenant()
    await revokeTokenRow(service.database, tokenId)
    await expect(rotateToken(service.database, operator, tokenId, 3600)).rejects.toThrow('revoked')
  })
})

describe('scopes', () => {
  test('write includes read', async () => {
    const { token } = await service.tenant({ scopes: ['products:write'] })
    expect((await service.call('/v2/products', { token })).status).toBe(200)
    expect((await service.call('/v2/prompts', { token })).body.code).toBe('insufficient_scope')
  })

  test('read does not include write', async () => {
    const { token } = await service.tenant({ scopes: ['products:read'] })
    const response = await service.call('/v2/products', {
      method: 'POST',
      token,
      body: { sku: 'A', name: 'A' },
    })
    expect([response.status, response.body.code]).toEqual([403, 'insufficient_scope'])
  })

  test('a token has all scopes by default, except those that spend money', async () => {
    const { project } = await service.tenant()
    expect((await issueToken(service.database, operator, project)).scopes).toEqual(
      scopes.filter((scope) => scope !== 'ai:run' && scope !== 'ai:manage'),
    )
  })
})

describe('the rate limit', () => {
  test('is in the headers of every response, and 429 includes Retry-After', { tags: 'slow' }, async () => {
    // Services on one database share their counts with a short delay.
    const alone = await startTestService({}, await ownDatabase('limit'))
    const { token, project } = await alone.tenant()
    await changeProject(alone.database, operator, project, { rateLimit: '5' })
    const ask = () => alone.call('/v2/project', { token })
    const first = await ask()
    expect(first.headers.get('ratelimit-policy')).toBe('"project";q=10;w=2')
    expect(first.headers.get('ratelimit')).toBe('"project";r=9;t=1')
    const responses = await Promise.all(Array.from({ length: 60 }, ask))
    expect(responses.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(9)
    const rejected = responses.filter(({ status }) => status === 429).at(-1)
    expect(rejected?.body.code).toBe('rate_limited')
    const seconds = Number(rejected?.headers.get('retry-after'))
    expect(seconds).toBe(1)
    await sleep(seconds * 1000)
    expect((await ask()).status).toBe(200)
  })

  test('counts per project: its tokens share the limit, and other projects are not affected', async () => {
    const { token, project } = await service.tenant()
    const sibling = await issueToken(service.database, operator, project)
    await changeProject(service.database, operator, project, { rateLimit: '1' })
    const tokens = [token, sibling.token, token, sibling.token]
    const began = performance.now()
    const responses = await Promise.all(tokens.map((each) => service.call('/v2/project', { token: each })))
    const served = responses.filter(({ status }) => status === 200).length
    // The limit allows a burst of 2, and 1 per second after it.
    expect(served).toBeGreaterThanOrEqual(2)
    expect(served).toBeLessThanOrEqual(2 + (performance.now() - began) / 1000)
    expect((await (await service.tenant()).call('/v2/project')).status).toBe(200)
  })

  test('none means unlimited', async () => {
    const { token, project } = await service.tenant()
    await changeProject(service.database, operator, project, { rateLimit: 'none' })
    const response = await service.call('/v2/project', { token })
    expect(response.headers.get('ratelimit')).toBeNull()
    expect(response.body.rate_limit).toBeNull()
  })
})
