import fastify from 'fastify'
import { expect, test } from 'vitest'
import { DatabaseFailure } from '../../platform/database/failures.ts'
import { createRateLimiter, rateLimitMemory } from '../../platform/http/limits/rate-limit.ts'
import { sendProblem } from '../../platform/http/problem-response.ts'
import { authenticate } from './authenticate.ts'
import type { Credentials } from './token.sql.ts'
import { openTokenChecks } from './token-checks.ts'
import { generateToken, hashToken } from './token-format.ts'

// Only the decisions, without a database: `npm run test:faults -- mutants` runs this file for every mutant of authenticate.ts.

type Row = Partial<Credentials>
const challenge = 'Bearer realm="catalog"'

/** Routes behind the check, and a record of its effects: passed callers, early reads, and counts per address. */
async function guarded(burst = 100) {
  const rows = new Map<string, Credentials | Error>()
  const seen = { used: [] as number[], callers: [] as number[], begun: [] as number[], asked: 0, unknown: 0 }
  /** Delays the database responses until it resolves. */
  const responses: { held?: Promise<void> } = {}
  const { address, ...others } = createRateLimiter(rateLimitMemory())
  const take: typeof address.take = (...request) => {
    seen.unknown += 1
    return address.take(...request)
  }
  const giveBack: typeof address.giveBack = (...request) => {
    seen.unknown -= 1
    address.giveBack(...request)
  }
  const find = async (hash: string) => {
    seen.asked += 1
    await responses.held
    const row = rows.get(hash)
    if (row instanceof Error) throw row
    return row
  }
  const app = fastify()
  app.decorate('baseUrl', 'https://catalog.example')
  app.setErrorHandler(sendProblem)
  const limits = { ...others, address: { ...address, take, giveBack } }
  const onUse = ({ token_id }: Credentials) => void seen.used.push(token_id)
  app.addHook(
    'onRequest',
    authenticate(find, openTokenChecks({ limits: limits.project, onUse }), limits.address),
  )
  const handler = async ({ caller, reading }: { caller: Credentials; reading: unknown }) => {
    seen.callers.push(caller.token_id)
    return { read: (await reading) ?? null }
  }
  const beginReading = (projectId: number) => {
    seen.begun.push(projectId)
    return Promise.resolve(`read for ${projectId}`)
  }
  app.get('/scoped', { config: { scope: 'products:read', beginReading } }, handler as never)
  app.get('/any', { config: { scope: 'any' } }, handler as never)
  app.get('/unsaid', handler as never)
  app.get('/nothing', { config: { beginReading: () => undefined } }, handler as never)
  const failing = () => Promise.reject(new Error('away'))
  app.get('/failing', { config: { beginReading: failing } }, async () => ({ read: 'not waited for' }))

  /** Creates the row of a new token, or replaces the row of a given token. */
  function token(row: Row | Error | undefined, given = generateToken()): string {
    const hash = hashToken(given)
    const usual = { hash, token_id: 7, scopes: ['products:read'], valid: true, project_id: 3, plan: 'pro' }
    const full = { ...usual, api_access: true, requests_per_second: 1, burst, ...row } as Credentials
    if (row !== undefined) rows.set(hash, row instanceof Error ? row : full)
    return given
  }
  async function call(authorization: string | string[] | undefined, url = '/scoped') {
    const headers = authorization === undefined ? {} : { authorization: authorization as string }
    const response = await app.inject({ url, headers })
    return { status: response.statusCode, headers: response.headers, body: response.json() }
  }
  const ask = async (secret: string, url?: string) => {
    const { status, body } = await call(`Bearer ${secret}`, url)
    return status === 200 ? 'served' : `${status} ${body.code}`
  }
  return { seen, responses, token, call, ask }
}

test.each<[string, Row | undefined, string, string]>([
  ['that is valid, with the scope', {}, '/scoped', 'served'],
  ['whose scope includes the wanted one', { scopes: ['products:write'] }, '/scoped', 'served'],
  ['that was never issued', undefined, '/any', '401 invalid_token'],
  ['that is valid no more', { valid: false }, '/any', '401 invalid_token'],
  ['without the scope', { scopes: ['prompts:write'] }, '/scoped', '403 insufficient_scope'],
  ['without a scope, where any token will do', { scopes: [] }, '/any', 'served'],
  ['without a scope, where none is asked for', { scopes: [] }, '/unsaid', 'served'],
  ['whose project has no access', { api_access: false }, '/any', '403 api_access_locked'],
  [
    'valid no more, of a project without access',
    { valid: false, api_access: false },
    '/any',
    '401 invalid_token',
  ],
  [
    'without access, limit and scope',
    { api_access: false, burst: 0, scopes: [] },
    '/scoped',
    '403 api_access_locked',
  ],
  ['over its limit and without the scope', { burst: 0, scopes: [] }, '/scoped', '429 rate_limited'],
])('a token %s', async (_which, row, url, expected) => {
  const { seen, token, ask } = await guarded()
  expect(await ask(token(row), url)).toBe(expected)
  const passed = expected === 'served' ? [7] : []
  expect([seen.used, seen.callers]).toEqual([passed, passed])
})

test('a rejection names the missing right and where to request it', async () => {
  const { token, call } = await guarded()
  const bearer = (row?: Row) => `Bearer ${token(row)}`
  const unknown = await call(bearer())
  expect(unknown.headers['www-authenticate']).toBe(`${challenge}, error="invalid_token"`)
  expect(unknown.body.detail).toMatch(/^The token is unknown/)
  const locked = await call(bearer({ api_access: false }))
  const page = 'https://catalog.example/projects/3/settings/api-access'
  expect(locked.headers['link']).toBe(`<${page}>; rel="help"`)
  expect(locked.headers['ratelimit']).toBeUndefined()
  expect(locked.body.detail).toBe(
    `API access is not enabled for this project (plan pro); request it at ${page}`,
  )
  const narrow = await call(bearer({ scopes: [] }))
  expect(narrow.headers['www-authenticate']).toBe(
    `${challenge}, error="insufficient_scope", scope="products:read"`,
  )
  expect(narrow.body.detail).toContain('lacks the scope products:read;')
})

test('only one header with Bearer and a well-formed token causes a lookup', async () => {
  const { seen, token, call } = await guarded()
  const given = token({})
  const none = await call(undefined)
  expect([none.status, none.body.code, none.headers['www-authenticate']]).toEqual([
    ...[401, 'not_authenticated', challenge],
  ])
  const twice = await call([`Bearer ${given}`, `Bearer ${given}`])
  expect([twice.status, twice.body.detail]).toEqual([
    ...[400, 'The Authorization header is present more than once; send it once.'],
  ])
  for (const wrong of ['', given, `Bearer${given}`, `xBearer ${given}`, `Bearer ${given} x`, 'Basic eA==']) {
    const { status, body } = await call(wrong)
    expect([status, body.code, body.detail]).toEqual([
      ...[401, 'invalid_token', expect.stringContaining('must be the word "Bearer"')],
    ])
  }
  const typo = await call(`Bearer ${given.slice(0, -1)}${given.endsWith('a') ? 'b' : 'a'}`)
  expect([typo.status, typo.body.detail]).toEqual([401, expect.stringMatching(/^The token is unknown/)])
  expect([seen.asked, seen.unknown]).toEqual([0, 0])
  for (const right of [`Bearer ${given}`, `bearer   ${given}`])
    expect((await call(right)).status, right).toBe(200)
})

test('tokens of a project share its rate limit, other projects have their own, and null means unlimited', async () => {
  const { token, call, ask } = await guarded(2)
  const [one, sibling, other] = [token({}), token({ token_id: 8 }), token({ project_id: 4 })]
  const first = await call(`Bearer ${one}`)
  expect(first.headers).toMatchObject({ 'ratelimit-policy': '"project";q=2;w=2' })
  expect(first.headers['ratelimit']).toBe('"project";r=1;t=1')
  expect([await ask(sibling), await ask(one), await ask(other)]).toEqual([
    ...['served', '429 rate_limited', 'served'],
  ])
  const free = await call(`Bearer ${token({ requests_per_second: null }, one)}`)
  expect([free.status, free.headers['ratelimit']]).toEqual([200, undefined])
})

test('reads start early only within the remaining rate limit, and not after a rejection', async () => {
  const { seen, token, call, ask } = await guarded(3)
  const given = token({})
  const bodies = []
  for (let time = 0; time < 4; time += 1) bodies.push((await call(`Bearer ${given}`)).body.read)
  expect(bodies).toEqual([null, 'read for 3', 'read for 3', undefined])
  expect(seen.begun).toEqual([3, 3])
  const asks = async (rows: Row[]) => {
    const secret = token({ requests_per_second: null })
    seen.begun = []
    for (const row of rows) await ask(token({ requests_per_second: null, ...row }, secret))
    return seen.begun.length
  }
  expect(await asks([{}, {}])).toBe(1)
  expect(await asks([{}, { valid: false }, { valid: false }, {}])).toBe(1)
  expect(await asks([{}, { api_access: false }, {}, {}])).toBe(2)
  expect(await asks([{}, { scopes: [] }, {}])).toBe(1)
  const failing = token({ requests_per_second: null })
  expect((await call(`Bearer ${failing}`, '/any')).status).toBe(200)
  expect((await call(`Bearer ${failing}`, '/any')).body.read).toBeNull()
})

test('concurrent requests start no more early reads than the limit has left; each token is remembered separately', async () => {
  const { seen, responses, token, ask } = await guarded(3)
  const given = token({})
  await ask(given)
  const gate = Promise.withResolvers<void>()
  responses.held = gate.promise
  const asked = Array.from({ length: 5 }, () => ask(given))
  await expect.poll(() => seen.asked).toBe(6)
  gate.resolve()
  expect((await Promise.all(asked)).filter((response) => response === 'served')).toHaveLength(2)
  expect(seen.begun).toEqual([3, 3])
  const [one, other] = [4, 5].map((project_id) => token({ project_id })) as [string, string]
  for (const each of [one, other, one, other]) await ask(each)
  expect(seen.begun).toEqual([3, 3, 4, 5])
})

test('the error of an early read surfaces only when the handler awaits it', async () => {
  const { token, ask } = await guarded()
  const given = token({})
  for (let time = 0; time < 2; time += 1) expect(await ask(given, '/failing')).toBe('served')
  expect(await ask(given, '/nothing')).toBe('served')
})

test('only unknown, expired and revoked tokens count against the limit of an address', async () => {
  const { seen, token, ask } = await guarded()
  const given = token({})
  expect([await ask(given), seen.unknown]).toEqual(['served', 0])
  expect([await ask(generateToken()), seen.unknown]).toEqual(['401 invalid_token', 1])
  expect([await ask(token({ valid: false })), seen.unknown]).toEqual(['401 invalid_token', 2])
  // A known token is not counted in the request that finds it ended, but is counted afterwards.
  expect([await ask(token({ valid: false }, given)), seen.unknown]).toEqual(['401 invalid_token', 2])
  expect([await ask(given), seen.unknown]).toEqual(['401 invalid_token', 3])
  expect([await ask(token({ api_access: false })), seen.unknown]).toEqual(['403 api_access_locked', 3])
  const away = new DatabaseFailure('database_unavailable', new Error('away'))
  const known = token({})
  await ask(known)
  for (const each of [generateToken(), known])
    expect([await ask(token(away, each)), seen.unknown]).toEqual(['503 database_unavailable', 3])
})
