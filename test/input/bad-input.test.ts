import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/platform/database/sql.ts'
import { type ConsoleUser, consoleUser } from '../console-user.ts'
import { projectRows } from '../database/project-rows.ts'
import { ownDatabase } from '../database/test-database.ts'
import { everyCase } from '../every-case.ts'
import { type Answer, noDeliveries, startTestService, type Tenant, type TestService } from '../harness.ts'
import { checkAgainstRoute } from '../requests/console-check.ts'
import { checkAgainstOpenApi } from '../requests/openapi-check.ts'
import { consoleOperations, documentedOperations, type Operation } from '../requests/operations.ts'
import { makeSamples, type Samples } from '../samples.ts'
import { type OddRequest, requestsTo } from './odd-requests.ts'
import { send, told } from './send.ts'

const requestsEach = process.env['FAULTS'] === 'long' ? 50 : 1

let service: TestService
let shop: Tenant
let samples: Samples
let user: ConsoleUser
let documented: Operation[]
let ofConsole: Operation[]
/** The rows of the project before the request that is tried. */
let before: unknown

beforeAll(async () => {
  // No limit of time: on a busy machine a 503 would say nothing about the input.
  service = await startTestService({ statementTimeoutSeconds: 600 }, await ownDatabase('input'), noDeliveries)
  shop = await service.tenant()
  samples = await makeSamples(shop.call, '/api')
  user = await newUser()
  documented = await documentedOperations(service.url)
  ofConsole = await consoleOperations()
})

const newUser = () => consoleUser(service, { operator: true, projects: [shop.project] })

/** What stands for a parameter of an address; nobody changes the users and tokens that the tests live on. */
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

async function call(request: OddRequest): Promise<Answer> {
  const isConsole = request.path.startsWith('/console')
  const credentials = isConsole ? { cookie: user.cookie } : { authorization: `Bearer ${shop.token}` }
  const answer = await send(service.url, { ...request, headers: { ...credentials, ...request.headers } })
  const isAway = isConsole && (answer.status === 429 || answer.status === 401)
  if (!isAway || request.path.startsWith('/console/auth')) return answer
  // A person has a rate limit, and may have signed out; another goes on.
  user = await newUser()
  before = await projectRows(service.database, shop.project)
  return send(service.url, { ...request, headers: { cookie: user.cookie, ...request.headers } })
}

async function expectAnswered(request: OddRequest, answer: Answer): Promise<void> {
  const { method, path } = request
  expect(answer.status, answer.text).toBeLessThan(500)
  if (path.startsWith('/console/')) await checkAgainstRoute(method, path, answer)
  else await checkAgainstOpenApi(service.url, method, path, answer)
  // A push that is all or nothing is refused with its verdicts; everything else is a problem.
  const isProblem = answer.status >= 400 && answer.body?.results === undefined
  if (isProblem && method !== 'HEAD') expect(answer.body.status, answer.text).toBe(answer.status)
}

/** Proposals from a filter get their lines in the background. */
async function isPreparing(): Promise<boolean> {
  const rows = await service.database.query(
    sql`select from proposals where project_id = ${shop.project} and state = 'preparing'`,
  )
  return rows.length > 0
}

const known = new Map<Operation, fc.Arbitrary<OddRequest>>()

/** Made once for all mounts: the schemas are large. */
function requestsOf(operation: Operation): fc.Arbitrary<OddRequest> {
  const requests =
    known.get(operation) ?? requestsTo(operation, segmentFor(operation), Object.values(samples))
  known.set(operation, requests)
  return requests
}

type Counts = { sent: number; writes: number; refused: number }

/** Sends some requests to an operation below an address. fast-check tells the seed of those that fail. */
async function tryOperation(base: string, operation: Operation, counts: Counts): Promise<void> {
  const requests = requestsOf(operation)
  before = await projectRows(service.database, shop.project)
  const property = fc.asyncProperty(
    requests.map((made) => {
      const request = { ...made, path: base + made.path }
      return { request, toString: () => told(request) }
    }),
    async ({ request }) => {
      const answer = await call(request)
      counts.sent += 1
      try {
        await expectAnswered(request, answer)
        if (request.method === 'GET' || request.method === 'HEAD') return
        counts.writes += 1
        if (answer.status < 400) await expect.poll(isPreparing).toBe(false)
        const after = await projectRows(service.database, shop.project)
        if (answer.status >= 400) {
          counts.refused += 1
          expect(after, `refused with ${answer.status} ${answer.text}`).toEqual(before)
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

const places = [
  { where: '/api', base: () => '/api', operations: () => documented },
  { where: '/v2', base: () => '/v2', operations: () => documented },
  { where: 'the console', base: () => `/console/api/projects/${shop.project}`, operations: () => documented },
  { where: "the console's own routes", base: () => '', operations: () => ofConsole },
]

test('invalid input is rejected with a problem and changes no row; most generated writes are rejected, but not all', {
  timeout: 3_600_000,
}, async () => {
  const counts = { sent: 0, writes: 0, refused: 0 }
  const cases = places.flatMap(({ where, base, operations }) =>
    operations().map((operation) => ({ where, base: base(), operation })),
  )
  for (const { operations } of places) expect(operations().length).toBeGreaterThan(20)
  // One at a time: rows are compared before and after each.
  await everyCase(
    cases,
    ({ where, operation }) => `${operation.method} ${operation.path} under ${where}`,
    ({ base, operation }) => tryOperation(base, operation, counts),
    { atOnce: 1 },
  )
  console.info(`${counts.sent} requests, ${counts.refused} of ${counts.writes} writes refused`)
  expect(counts.refused).toBeGreaterThan(counts.writes / 2)
  expect(counts.refused).toBeLessThan(counts.writes)
})
