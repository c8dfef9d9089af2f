import { expect, inject } from 'vitest'
import { createProject } from '../src/access/projects/manage-project.ts'
import { issueToken } from '../src/access/tokens/manage-token.ts'
import type { TokenRequest } from '../src/access/tokens/token.sql.ts'
import { type Flags, loadConfig } from '../src/config.ts'
import { type WebhookLimits, webhookLimits } from '../src/delivery/limits.ts'
import { type Database, openDatabase } from '../src/platform/database/database.ts'
import type { MemoryBudget } from '../src/platform/http/limits/memory-budget.ts'
import { rateLimitMemory } from '../src/platform/http/limits/rate-limit.ts'
import type { JobLimits } from '../src/platform/limits/jobs.ts'
import { type TimeLimits, timeLimits } from '../src/platform/limits/times.ts'
import { startService } from '../src/service.ts'
import { checkAgainstRoute } from './requests/console-check.ts'
import { checkAgainstOpenApi } from './requests/openapi-check.ts'
import { sendRequest, type TestResponse } from './requests/send-request.ts'
import { whenFileEnds } from './setup/file-end.ts'

export type { TestResponse }

type CallOptions = {
  method?: string
  token?: string | undefined
  body?: unknown
  headers?: Record<string, string>
}
export type Tenant = {
  project: number
  token: string
  tokenId: number
  call: (path: string, options?: CallOptions) => Promise<TestResponse>
}

export type TestService = {
  url: string
  database: Database
  /** Sends a request and checks the answer against the served OpenAPI document, or the schema of the console's route. */
  call(path: string, options?: CallOptions): Promise<TestResponse>
  /** A new project with a token, so that a test owns its data. */
  tenant(options?: { plan?: string; currency?: string } & TokenRequest): Promise<Tenant>
}

/** What a file may want otherwise than all others. */
type Wishes = Partial<TimeLimits> & {
  memory?: MemoryBudget
  dataDirectory?: string
  webhookLimits?: WebhookLimits
  jobLimits?: JobLimits
}

/** For files that compare rows or answers: a delivery would change them in between. */
export const noDeliveries: Wishes = {
  webhookLimits: { ...webhookLimits, webhooksAtOnce: 0 },
}

let shared: Promise<Running> | undefined

/** The service that all files of a worker share, for tests that own a project and nothing else. It ends with the worker. */
export async function sharedTestService(): Promise<TestService> {
  // Deliveries are tested by services of their own; looks for some would take time as long as the tests last.
  shared ??= start({}, undefined, {
    webhookLimits: { ...webhookLimits, pollMilliseconds: 10_000, webhooksAtOnce: 0 },
  })
  return (await shared).service
}

/** A service for the tests of one file: with flags, limits, a database or counters of its own. */
export async function startTestService(
  flags: Flags = {},
  connection = inject('connection'),
  wishes: Wishes = {},
): Promise<TestService> {
  const { service, stop } = await start(flags, connection, wishes)
  whenFileEnds(stop)
  return service
}

function bytesOf(body: unknown): string | Uint8Array | undefined {
  return typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
}

type Running = { service: TestService; stop(): Promise<void> }

/** A real service on a real port and a real database. */
async function start(
  flags: Flags = {},
  connection = inject('connection'),
  { memory, dataDirectory, webhookLimits, jobLimits, ...shorter }: Wishes = {},
): Promise<Running> {
  const service = await startService({
    config: loadConfig({ port: 0, logLevel: 'silent', ...flags }, {}),
    connection,
    dataDirectory,
    webhookLimits,
    jobLimits,
    rateLimits: rateLimitMemory(),
    timeLimits: { ...timeLimits, politeMilliseconds: 0, ...shorter },
    ...(memory && { memory }),
  })
  const database = openDatabase({ connection, poolSize: 5, statementTimeoutSeconds: 30 })

  async function call(
    path: string,
    { method = 'GET', token, body, headers = {} }: CallOptions = {},
  ): Promise<TestResponse> {
    const { pathname, search } = new URL(service.url + path)
    const answer = await sendRequest(service.url, {
      method,
      path: pathname + search,
      headers: {
        // Compression has tests of its own (src/platform/http/response/compression.test.ts); here it would only cost time.
        'accept-encoding': 'identity',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: bytesOf(body),
    })
    expect(answer.headers.get('x-request-id'), `${method} ${path}`).toMatch(/^[\w.-]+$/)
    if (path.startsWith('/console/')) await checkAgainstRoute(method, path, answer)
    else await checkAgainstOpenApi(service.url, method, path, answer)
    return answer
  }

  async function tenant({
    plan = 'enterprise',
    currency = 'EUR',
    ...request
  }: { plan?: string; currency?: string } & TokenRequest = {}): Promise<Tenant> {
    const { id: project } = await createProject(
      database,
      { name: 'tester' },
      { name: 'Test', plan, currency },
    )
    const { token, id: tokenId } = await issueToken(database, { name: 'tester' }, project, request)
    return { project, token, tokenId, call: (path, options) => call(path, { token, ...options }) }
  }

  const stop = async () => {
    await database.close()
    await service.drain()
  }
  return { service: { url: service.url, database, call, tenant }, stop }
}
