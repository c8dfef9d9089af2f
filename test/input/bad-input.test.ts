import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { deliveryKind } from '../../src/delivery/webhooks/delivery-job.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { type ConsoleUser, consoleUser } from '../console-user.ts'
import { changedTables, type ProjectRows, projectRows } from '../database/project-rows.ts'
import { ownDatabase } from '../database/test-database.ts'
import { everyCase } from '../every-case.ts'
import { scaled } from '../faults/scale.ts'
import {
  noDeliveries,
  startTestService,
  type Tenant,
  type TestResponse,
  type TestService,
} from '../harness.ts'
import { checkAgainstRoute } from '../requests/console-check.ts'
import { checkAgainstOpenApi } from '../requests/openapi-check.ts'
import { consoleOperations, documentedOperations, type Operation } from '../requests/operations.ts'
import { createSamples, type Samples } from '../samples.ts'
import { type FuzzedRequest, requestsTo } from './fuzz-requests.ts'
import { describeRequest, send } from './send-fuzzed.ts'

const requestsEach = process.env['FAULTS'] === 'long' ? 50 : 1

let service: TestService
let shop: Tenant
let samples: Samples
let user: ConsoleUser
let documented: Operation[]
let ofConsole: Operation[]
/** The rows of the project before the current request. */
let before: ProjectRows

beforeAll(async () => {
  // Effectively no timeout: on a busy machine, 503 would say nothing about the input.
  service = await startTestService({ statementTimeoutSeconds: 600 }, await ownDatabase('input'), noDeliveries)
  shop = await service.tenant()
  samples = await createSamples(shop.call, '/api')
  user = await newUser()
  documented = await documentedOperations(service.url)
  ofConsole = await consoleOperations()
})

const newUser = () => consoleUser(service, { operator: true, projects: [shop.project] })

/** The value of a path parameter. The ids never match the users and tokens that the tests use. */
function segmentFor({ path }: Operation) {
  const noun = path.split('/').find((part) => part in samples) ?? ''
  const known: Record<string, string> = {
    project_id: String(shop.project),
    id: String(samples[noun] ?? 123_456_789),
    sku: 'S',
    version_number: '1.0.0',
    label: 'sample',
    name: 'sample',
  }
  return (name: string) => known[name]
}

async function call(request: FuzzedRequest): Promise<TestResponse> {
  const isConsole = request.path.startsWith('/console')
  const credentials = isConsole ? { cookie: user.cookie } : { authorization: `Bearer ${shop.token}` }
  const response = await send(service.url, { ...request, headers: { ...credentials, ...request.headers } })
  const isAway = isConsole && (response.status === 429 || response.status === 401)
  if (!isAway || request.path.startsWith('/console/auth')) return response
  // After a rate limit or a sign-out, a new user continues.
  user = await newUser()
  before = await projectRows(service.database, shop.project)
  return send(service.url, { ...request, headers: { cookie: user.cookie, ...request.headers } })
}

async function expectValidResponse(request: FuzzedRequest, response: TestResponse): Promise<void> {
  const { method, path } = request
  expect(response.status, response.text).toBeLessThan(500)
  if (path.startsWith('/console/')) await checkAgainstRoute(method, path, response)
  else await checkAgainstOpenApi(service.url, method, path, response)
  // An atomic push is rejected with the results of its lines; everything else is a problem.
  const isProblem = response.status >= 400 && response.body?.results === undefined
  if (isProblem && method !== 'HEAD') expect(response.body.status, response.text).toBe(response.status)
}

/** Whether the background still works on what a request left, such as a proposal from a filter. It delivers no events here. */
async function isWorking(): Promise<boolean> {
  const rows = await service.database.query(sql`
    select from proposals where project_id = ${shop.project} and state = 'preparing'
    union all
    select from jobs
    where project_id = ${shop.project} and kind <> ${deliveryKind} and failed_at is null
      and (owner is not null or due_at <= now())`)
  return rows.length > 0
}

const known = new Map<Operation, fc.Arbitrary<FuzzedRequest>>()

/** Built once for all mounts, because the schemas are large. */
function requestsOf(operation: Operation): fc.Arbitrary<FuzzedRequest> {
  const requests =
    known.get(operation) ??
    requestsTo(
      operation,
      segmentFor(operation),
      Object.values(samples).filter((id) => typeof id === 'number'),
    )
  known.set(operation, requests)
  return requests
}

type Counts = { sent: number; writes: number; rejected: number }

/** Sends some requests to an operation under a mount. fast-check reports the seed of failures. */
async function tryOperation(base: string, operation: Operation, counts: Counts): Promise<void> {
  const requests = requestsOf(operation)
  before = await projectRows(service.database, shop.project)
  const property = fc.asyncProperty(
    requests.map((generated) => {
      const request = { ...generated, path: base + generated.path }
      return { request, toString: () => describeRequest(request) }
    }),
    async ({ request }) => {
      const response = await call(request)
      counts.sent += 1
      try {
        await expectValidResponse(request, response)
        if (request.method === 'GET' || request.method === 'HEAD') return
        counts.writes += 1
        if (response.status < 400) await expect.poll(isWorking).toBe(false)
        const after = await projectRows(service.database, shop.project)
        if (response.status >= 400) {
          counts.rejected += 1
          expect(changedTables(before, after), `rejected with ${response.status} ${response.text}`).toEqual(
            [],
          )
        }
        before = after
      } catch (error) {
        before = await projectRows(service.database, shop.project)
        throw error
      }
    },
  )
  await fc.assert(property, { numRuns: requestsEach })
}

/** The short form leaves out /api, which has the same routes as /v2 (every-route.test.ts). */
const places = [
  ...scaled([], [{ where: '/api', base: () => '/api', operations: () => documented }]),
  { where: '/v2', base: () => '/v2', operations: () => documented },
  { where: 'the console', base: () => `/console/api/projects/${shop.project}`, operations: () => documented },
  { where: "the console's own routes", base: () => '', operations: () => ofConsole },
]

test('invalid input is rejected with a problem and changes no row; most generated writes are rejected, but not all', {
  timeout: 3_600_000,
}, async () => {
  const counts = { sent: 0, writes: 0, rejected: 0 }
  const cases = places.flatMap(({ where, base, operations }) =>
    operations().map((operation) => ({ where, base: base(), operation })),
  )
  for (const { operations } of places) expect(operations().length).toBeGreaterThan(20)
  // One at a time, because rows are compared before and after each request.
  await everyCase(
    cases,
    ({ where, operation }) => `${operation.method} ${operation.path} under ${where}`,
    ({ base, operation }) => tryOperation(base, operation, counts),
    { atOnce: 1 },
  )
  console.info(`${counts.sent} requests, ${counts.rejected} of ${counts.writes} writes rejected`)
  expect(counts.rejected).toBeGreaterThan(counts.writes / 2)
  expect(counts.rejected).toBeLessThan(counts.writes)
})
