import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeAll, expect, test } from 'vitest'
import { issueToken } from '../src/access/tokens/manage-token.ts'
import { revokeTokenRow } from '../src/access/tokens/token.sql.ts'
import { generateToken } from '../src/access/tokens/token-format.ts'
import { MapSchema } from '../src/catalog/import/map/map.schema.ts'
import { PushedProductSchema } from '../src/model/product/product-input.schema.ts'
import type { Scope } from '../src/model/scopes.ts'
import { sql } from '../src/platform/database/sql.ts'
import { projectRows } from './database/project-rows.ts'
import { everyCase } from './every-case.ts'
import {
  sharedTestService,
  startTestService,
  type Tenant,
  type TestResponse,
  type TestService,
} from './harness.ts'
import { type RegisteredRoute, registeredRoutes } from './requests/registered-routes.ts'
import { insertSampleRun } from './run-shop.ts'
import { createSamples, requiredQuery, type Samples, sampleAddress, validBodies } from './samples.ts'

const { routes: registered } = await registeredRoutes()
const routes = registered.filter(({ url }) => /^\/(api|v2)\//.test(url))

let service: TestService
/** Unknown tokens are limited per address. Behind a proxy, a test can set its own address. */
let proxied: TestService
let own: Tenant
let ownIds: Samples
let free: Tenant
let revoked: string
let expired: string

beforeAll(async () => {
  service = await sharedTestService()
  proxied = await startTestService({ behindProxy: true })
  own = await service.tenant()
  ownIds = await createSamples(own.call, '/api')
  // Until the products are marked, some routes return 409.
  await service.database.query(
    sql`update scoring_jobs set is_marking = false where project_id = ${own.project}`,
  )
  ownIds['runs'] = await insertSampleRun(service.database, own.project, ownIds['prompts'] ?? 0)
  free = await service.tenant({ plan: 'free' })
  revoked = await invalidatedToken((id) => revokeTokenRow(service.database, id))
  expired = await invalidatedToken((id) =>
    service.database.query(sql`update tokens set expires_at = now() where id = ${id}`),
  )
})

async function invalidatedToken(invalidate: (id: number) => Promise<unknown>): Promise<string> {
  const { token, id } = await issueToken(service.database, { name: 'tester' }, own.project, {})
  await invalidate(id)
  return token
}

type Route = RegisteredRoute

function ownIdFor({ url }: Route): number | string {
  const [, , noun = ''] = url.split('/')
  return ownIds[noun] ?? 1
}

const address = ({ url }: Route, id: number | string = 1) => sampleAddress(url, id)

function bodyFor({ method, url }: Route): object | undefined {
  return validBodies[`${method} ${url.replace(/^\/[^/]+/, '')}`]
}

/** A HEAD response has no body, so only its status is checked. */
function expectProblem(
  route: Route,
  { status, body, headers }: TestResponse,
  expected: [number, string],
): void {
  expect(status).toBe(expected[0])
  if (route.method !== 'HEAD') expect(body.code).toBe(expected[1])
  expect(headers.get('x-request-id')).toBeTruthy()
}

test('both prefixes serve the same routes', () => {
  const under = (prefix: string) =>
    routes
      .filter(({ url }) => url.startsWith(prefix))
      .map(({ method, url }) => `${method} ${url.slice(prefix.length)}`)
  expect(under('/api').sort()).toEqual(under('/v2').sort())
  expect(routes.length).toBeGreaterThan(20)
  expect(routes.every(({ scope }) => scope !== undefined)).toBe(true)
})

test('every body schema is a valid schema, which the service itself does not check', () => {
  const ajv = new Ajv2020({ strict: false, logger: false })
  const bodies: unknown[] = [PushedProductSchema, MapSchema, ...registered.map(({ request }) => request.body)]
  const schemas = bodies.filter((body) => body !== undefined) as object[]
  expect(ajv.validateSchema({ minLength: 'three' })).toBe(false)
  expect(schemas.filter((schema) => !ajv.validateSchema(schema))).toEqual([])
  expect(schemas.length).toBeGreaterThan(50)
})

const everyRoute = (some: Route[], check: (route: Route) => Promise<unknown>) =>
  everyCase(some, ({ method, url }) => `${method} ${url}`, check)

test('without a token: 401, with a challenge', () =>
  everyRoute(routes, async (route) => {
    const response = await service.call(address(route), { method: route.method })
    expectProblem(route, response, [401, 'not_authenticated'])
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="catalog"')
  }))

test.each([
  ['an unknown', '192.0.2.1', () => generateToken()],
  ['a revoked', '192.0.2.2', () => revoked],
  ['an expired', '192.0.2.3', () => expired],
])('with %s token: 401', (_which, client, token) =>
  everyRoute(routes, async (route) => {
    const headers = { 'x-forwarded-for': client }
    const response = await proxied.call(address(route), { method: route.method, token: token(), headers })
    expectProblem(route, response, [401, 'invalid_token'])
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="catalog", error="invalid_token"')
  }),
)

test('on a plan without API access: 403, with a link to the console', () =>
  everyRoute(routes, async (route) => {
    const response = await free.call(address(route), { method: route.method })
    expectProblem(route, response, [403, 'api_access_locked'])
    expect(response.headers.get('link')).toContain(
      `${service.url}/projects/${free.project}/settings/api-access`,
    )
  }))

test('with an unknown parameter: 400', () =>
  everyRoute(routes, async (route) => {
    const request = { method: route.method, body: bodyFor(route) }
    expectProblem(route, await own.call(`${address(route)}?bogus=1`, request), [400, 'invalid_parameters'])
  }))

/** The scopes that are closest to the one that a route requires. */
function otherScopes({ scope = '' }: Route): Scope[] {
  const [noun, verb] = scope.split(':')
  const others: Scope[] = noun === 'products' ? ['prompts:write'] : ['products:write']
  if (noun === 'prompts' && verb === 'write') others.push('prompts:read')
  if (noun === 'products' && verb === 'write') others.push('products:propose')
  if (noun === 'products' && verb === 'propose') others.push('products:read')
  return others
}

test('with a token of other scopes: 403, and no row changes', async () => {
  const scoped = routes.filter(({ scope }) => scope !== 'any')
  const tokens = new Map<string, string>()
  for (const scopes of scoped.map(otherScopes))
    if (!tokens.has(scopes.join()))
      tokens.set(
        scopes.join(),
        (await issueToken(service.database, { name: 'tester' }, own.project, { scopes })).token,
      )
  const before = await projectRows(service.database, own.project)
  await everyRoute(scoped, async (route) => {
    const token = tokens.get(otherScopes(route).join())
    const request = { method: route.method, body: bodyFor(route), token }
    const response = await service.call(address(route, ownIdFor(route)), request)
    expectProblem(route, response, [403, 'insufficient_scope'])
    expect(response.headers.get('www-authenticate')).toContain(`scope="${route.scope}"`)
  })
  expect(await projectRows(service.database, own.project)).toEqual(before)
})

const reads = routes.filter(
  ({ method, url }) => method === 'GET' && !/\/(products\/export|events\/stream)$/.test(url),
)

test('a read has an ETag: 304 if it matches, and HEAD returns the same', () =>
  everyRoute(reads, async (route) => {
    const path = address(route, ownIdFor(route)) + requiredQuery(route.url)
    const response = await own.call(path)
    const tag = response.headers.get('etag') ?? ''
    expect([response.status, tag]).toEqual([200, expect.stringMatching(/^(W\/)?".+"$/)])
    const again = await own.call(path, { headers: { 'if-none-match': tag } })
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag])
    const head = await own.call(path, { method: 'HEAD' })
    expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', tag])
  }))

test('If-Match for a missing product: 404 by ID, and 412 by SKU, where a PUT would create it', async () => {
  const checked = routes.filter(
    ({ problems, url }) => url.startsWith('/v2/products') && problems.includes('precondition_failed'),
  )
  expect(checked.length).toBeGreaterThan(3)
  for (const route of checked) {
    const path = address(route, 123_456_789).replace('/by-sku/S', '/by-sku/NOTHING')
    for (const tag of ['*', '"1-x"']) {
      const request = { method: route.method, body: bodyFor(route), headers: { 'if-match': tag } }
      const { status, body } = await own.call(path, request)
      const expected = route.url.includes(':id') ? [404, 'not_found'] : [412, 'precondition_failed']
      expect([status, body.code], `${route.method} ${path} ${tag}`).toEqual(expected)
    }
  }
})
