import { beforeAll, describe, expect, test } from 'vitest'
import { changeUser } from '../src/access/users/manage-user.ts'
import { sql } from '../src/platform/database/sql.ts'
import { type ConsoleUser, consoleUser } from './console-user.ts'
import { everyCase } from './every-case.ts'
import { sharedTestService, type TestResponse, type TestService } from './harness.ts'
import { type RegisteredRoute, registeredRoutes } from './requests/registered-routes.ts'
import { insertSampleRun } from './run-shop.ts'
import { createSamples, requiredQuery, type Samples, sampleAddress } from './samples.ts'

const { routes: registered } = await registeredRoutes()
const routes = registered.filter(({ url }) => url.startsWith('/console/api/'))
const publicRoutes = registered.filter(({ url }) => url.startsWith('/v2/'))
const writes = registered.filter(
  ({ url, method }) => url.startsWith('/console/') && method !== 'GET' && method !== 'HEAD',
)

const ofProject = routes.filter(({ url }) => url.includes('/projects/:project_id'))
const ofOperator = routes.filter(({ url }) => url.startsWith('/console/api/operator/'))
type Route = RegisteredRoute

let service: TestService
let project: number
let token: string
let samples: Samples
let member: Pick<ConsoleUser, 'call'>
let stranger: ConsoleUser
let operator: Pick<ConsoleUser, 'call'>
beforeAll(async () => {
  service = await sharedTestService()
  project = (await service.tenant({ plan: 'free' })).project
  member = await manyUsers({ projects: [project] })
  const other = await service.tenant()
  token = other.token
  stranger = await consoleUser(service, { projects: [other.project] })
  operator = await manyUsers({ operator: true })
  samples = await createSamples(member.call, `/console/api/projects/${project}`)
  // Until the products are marked, some routes return 409.
  await service.database.query(sql`update scoring_jobs set is_marking = false where project_id = ${project}`)
  samples['runs'] = await insertSampleRun(service.database, project, samples['prompts'] ?? 0)
})

/** Their requests exceed the rate limit of one user, even within one test, if the machine is fast. */
async function manyUsers(
  options: Parameters<typeof consoleUser>[1],
  count = 8,
): Promise<Pick<ConsoleUser, 'call'>> {
  const users = await Promise.all(Array.from({ length: count }, () => consoleUser(service, options)))
  let requests = 0
  return {
    call: (path, request) => {
      requests += 1
      return (users[requests % count] as ConsoleUser).call(path, request)
    },
  }
}

function address({ url }: Pick<Route, 'url'>, projectId: number | string = project): string {
  return url.replace(':project_id', String(projectId)).replace(/:\w+/g, '1')
}

function code({ body }: TestResponse, { method }: Route): string | undefined {
  return method === 'HEAD' ? undefined : body?.code
}

const everyRoute = <One extends Pick<Route, 'method' | 'url'>>(
  some: One[],
  check: (route: One) => Promise<unknown>,
) => everyCase(some, ({ method, url }) => `${method} ${url}`, check)

const neutral = ({ text }: TestResponse, id: number) =>
  text.replaceAll(`project ${id}.`, 'project N.').replace(/"request_id":"[^"]+"/, '')

test('the console has every API route per project, and none of its own routes is in the public document', async () => {
  const shared = ofProject.map(
    ({ method, url }) => `${method} ${url.replace('/console/api/projects/:project_id', '')}`,
  )
  // Not for agents: a session cookie never grants access to their endpoint.
  const missing = publicRoutes
    .map(({ method, url }) => `${method} ${url.replace('/v2', '')}`)
    .filter((route) => !shared.includes(route))
  expect(missing).toEqual(['POST /mcp'])
  const { body } = await service.call('/openapi.json')
  expect(
    Object.keys(body.paths).filter((path) => path.includes('console') || path.includes('operator')),
  ).toEqual([])
  expect(ofOperator.length).toBeGreaterThan(10)
})

test('without a session, also with a token: 401', () =>
  everyRoute(routes, async (route) => {
    for (const headers of [{}, { authorization: `Bearer ${token}` }]) {
      const response = await service.call(address(route), { method: route.method, headers })
      expect(response.status).toBe(401)
      if (route.method !== 'HEAD') expect(response.body.code).toBe('not_authenticated')
    }
  }))

test('a request from a page that another account opened: 401', () =>
  everyRoute(routes, async (route) => {
    const headers = { 'catalog-user': String(stranger.id) }
    const response = await member.call(address(route), { method: route.method, headers })
    expect([response.status, code(response, route) ?? 'other_account']).toEqual([401, 'other_account'])
  }))

test('fault 21: a member of another project gets the same response as for a missing project', () =>
  everyRoute(ofProject, async (route) => {
    const missingId = 987_654_321
    const theirs = await stranger.call(address(route), { method: route.method })
    const missing = await stranger.call(address(route, missingId), { method: route.method })
    expect([theirs.status, missing.status]).toEqual([404, 404])
    expect(neutral(theirs, project)).toBe(neutral(missing, missingId))
    expect((await stranger.call(address(route, 'abc'), { method: route.method })).status).toBe(404)
  }))

test('operator routes do not exist for a member: 404', () =>
  everyRoute(ofOperator, async (route) => {
    const response = await member.call(address(route), { method: route.method })
    expect([response.status, code(response, route)]).toEqual([
      404,
      route.method === 'HEAD' ? undefined : 'unknown_route',
    ])
  }))

describe('a method that a console URL does not support', () => {
  const methodsOf = Map.groupBy(routes, ({ url }) => url)
  const wrong = [...methodsOf].map(([url, known]) => {
    const taken = known.map(({ method }) => method)
    const method = ['DELETE', 'PUT', 'PATCH'].find((one) => !taken.includes(one)) as string
    return { url, method }
  })

  const unknown = { url: '/console/api/operator/bogus', method: 'GET' }

  test('is not revealed without a session, and neither is an unknown URL', () =>
    everyRoute([...wrong, unknown], async (route) => {
      const { status, body, headers } = await service.call(address(route), { method: route.method })
      expect([status, body.code, headers.get('allow')]).toEqual([401, 'not_authenticated', null])
    }))

  test('on an operator URL is revealed only to operators', () =>
    everyRoute(
      wrong.filter(({ url }) => url.startsWith('/console/api/operator/')),
      async (route) => {
        const toMember = await member.call(address(route), { method: route.method })
        expect([toMember.status, toMember.headers.get('allow')]).toEqual([404, null])
        expect((await operator.call(address(route), { method: route.method })).status).toBe(405)
      },
    ))
})

test('a removed member or operator gets 404 immediately', async () => {
  const { id, call } = await consoleUser(service, { operator: true, projects: [project] })
  for (const { url } of [...ofProject, ...ofOperator].filter(({ url }) => /(api-access|audit)$/.test(url)))
    expect((await call(url.replace(':project_id', String(project)))).status).toBe(200)
  await changeUser(service.database, { name: 'tester' }, id, { operator: false, project_ids: [] })
  await everyRoute([...ofProject, ...ofOperator], async (route) => {
    expect((await call(address(route), { method: route.method })).status).toBe(404)
  })
})

/** Responses of routes without a session to a request without a body. */
const responsesToVisitors: Record<string, [number, string | undefined]> = {
  '/console/auth/sign-in/email': [422, 'invalid_body'],
  '/console/auth/invitation': [422, 'invalid_body'],
  '/console/auth/accept-invitation': [422, 'invalid_body'],
  '/console/auth/sign-in/passkey': [422, 'invalid_body'],
  '/console/auth/sign-in/passkey-options': [200, undefined],
  '/console/auth/second-factor/totp': [422, 'invalid_body'],
  '/console/auth/second-factor/recovery-code': [422, 'invalid_body'],
  '/console/auth/second-factor/passkey': [422, 'invalid_body'],
  '/console/auth/second-factor/passkey-options': [401, 'sign_in_expired'],
  '/console/auth/company/start': [422, 'invalid_body'],
  '/console/auth/sign-out': [200, undefined],
}

test.each([
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
])('from a page on another origin: 403 (%o)', (headers) =>
  everyRoute(writes, async (route) => {
    const response = await operator.call(address(route), { method: route.method, headers })
    expect([response.status, response.body.code]).toEqual([403, 'foreign_origin'])
  }),
)

test('from a console page the origin check passes: a visitor gets the same response as without an origin', () =>
  everyRoute(writes, async (route) => {
    const send = async (headers: Record<string, string>) => {
      const { method } = route
      const { status, body } = await service.call(address(route), { method, headers })
      return [status, body?.code]
    }
    const next = responsesToVisitors[route.url] ?? [401, 'not_authenticated']
    expect(await send({ origin: service.url, 'sec-fetch-site': 'same-origin' })).toEqual(next)
    expect(await send({})).toEqual(next)
    expect(await send({ origin: 'https://evil.example' })).toEqual([403, 'foreign_origin'])
  }))

const reads = [...ofProject, ...ofOperator].filter(({ method }) => method === 'GET')

test('a read of an existing object by an allowed user: 200', () =>
  everyRoute(reads, async ({ url }) => {
    const path = url.replace(':project_id', String(project))
    const [noun = ''] = path.match(/(assets|products|categories|prompts|proposals|runs|webhooks)(?=\/)/) ?? []
    const found = sampleAddress(path, samples[noun] ?? project) + requiredQuery(url)
    const { call } = ofOperator.some((route) => route.url === url) ? operator : member
    expect((await call(found)).status).toBe(200)
  }))

/** The check that rejected a request, or that it passed them all. */
function resultOf({ status, body }: TestResponse): string {
  if (status === 401 && body.code === 'not_authenticated') return 'sign in first'
  if (status === 404 && body.code === 'unknown_route') return 'unknown URL'
  if (status === 404 && body.detail === `There is no project ${project}.`) return 'unknown project'
  return 'allowed'
}

function expectedResults({ url }: Route): Record<'visitor' | 'stranger' | 'member' | 'operator', string> {
  const visitor = 'sign in first'
  if (url.startsWith('/console/api/operator/'))
    return { visitor, stranger: 'unknown URL', member: 'unknown URL', operator: 'allowed' }
  const stranger = url.includes('/projects/:project_id') ? 'unknown project' : 'allowed'
  return { visitor, stranger, member: 'allowed', operator: 'allowed' }
}

const form = () => ({
  body: 'a=b',
  headers: { 'content-type': 'application/x-www-form-urlencoded', origin: service.url },
})

test('a route allows project members or operators, and rejects their form posts', () =>
  everyRoute(
    routes.filter(({ method }) => method !== 'HEAD'),
    async (route) => {
      const { method } = route
      const request = method === 'GET' ? { method } : { method, ...form() }
      for (const [who, expected] of Object.entries(expectedResults(route))) {
        const caller = { visitor: service, stranger, member, operator }[who] as Pick<ConsoleUser, 'call'>
        const response = await caller.call(address(route), request)
        expect([who, resultOf(response)]).toEqual([who, expected])
        // The sample of a URL may not exist, or miss a parameter.
        const taken = method === 'GET' ? [200, 400, 404] : [415]
        if (expected === 'allowed') expect(taken, `${who}: ${response.status}`).toContain(response.status)
      }
    },
  ))

test('a form post to a sign-in route: 415', () =>
  everyRoute(
    writes.filter((route) => !routes.includes(route)),
    async ({ method, url }) => {
      expect((await member.call(url, { method, ...form() })).status).toBe(415)
    },
  ))
