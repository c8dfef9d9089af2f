import { expect, inject } from 'vitest'
import { createProject } from '../src/access/projects/manage-project.ts'
import { issueToken } from '../src/access/tokens/manage-token.ts'
import type { TokenRequest } from '../src/access/tokens/token.sql.ts'
import type { ModelRules } from '../src/catalog/ai-providers/call-model.ts'
import { type Flags, loadConfig } from '../src/config.ts'
import { type WebhookLimits, webhookLimits } from '../src/delivery/limits.ts'
import type { FreshnessFaults } from '../src/model/freshness/fresh-responses.ts'
import { scopes } from '../src/model/scopes.ts'
import { type Database, openDatabase } from '../src/platform/database/database.ts'
import type { MemoryBudget } from '../src/platform/http/limits/memory-budget.ts'
import { rateLimitMemory } from '../src/platform/http/limits/rate-limit.ts'
import { openSharedCounters, sharedCountersMemory } from '../src/platform/http/metrics/shared-counters.ts'
import type { JobLimits } from '../src/platform/limits/jobs.ts'
import { type TimeLimits, timeLimits } from '../src/platform/limits/times.ts'
import type { FetchSettings } from '../src/platform/outbound/fetch-file.ts'
import { startService } from '../src/service.ts'
import { checkAgainstRoute } from './requests/console-check.ts'
import { checkAgainstOpenApi } from './requests/openapi-check.ts'
import { sendRequest, type TestResponse } from './requests/send-request.ts'
import { whenFileEnds } from './setup/file-end.ts'
import { mediaFolder } from './setup/media-folder.ts'

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
  /** The number of responses from memory, which GET /metrics also shows after several statements. */
  countHits(): number
  /** Sends a request and checks the response against the OpenAPI document, or the schema of the console route. */
  call(path: string, options?: CallOptions): Promise<TestResponse>
  /** A new project with a token, so that a test owns its data. */
  tenant(options?: { plan?: string; currency?: string } & TokenRequest): Promise<Tenant>
}

/** Settings in which a file differs from the others. */
type ServiceOptions = Partial<TimeLimits> & {
  memory?: MemoryBudget
  dataDirectory?: string
  webhookLimits?: WebhookLimits
  /** Limits of calls to AI models. */
  modelLimits?: Partial<ModelRules>
  jobLimits?: JobLimits
  /** Networks from which the service fetches files in addition to the public internet. */
  fetching?: FetchSettings
  /** Errors of the cache of responses, which other tests must find. */
  cacheFaults?: FreshnessFaults
}

/** For files that compare rows or responses, which a delivery would change. */
export const noDeliveries: ServiceOptions = {
  webhookLimits: { ...webhookLimits, webhooksAtOnce: 0 },
}

let shared: Promise<Running> | undefined

/** The service that all files of a worker share, for tests that need only their own project. It ends with the worker. */
export async function sharedTestService(): Promise<TestService> {
  // Tests of deliveries start their own service; polling here would only take time.
  shared ??= start({}, undefined, {
    webhookLimits: { ...webhookLimits, pollMilliseconds: 10_000, webhooksAtOnce: 0 },
  })
  return (await shared).service
}

/** A service for one file, with its own flags, limits, database or counters. */
export async function startTestService(
  flags: Flags = {},
  connection = inject('connection'),
  options: ServiceOptions = {},
): Promise<TestService> {
  const { service, stop } = await start(flags, connection, options)
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
  {
    memory,
    dataDirectory,
    webhookLimits,
    modelLimits,
    jobLimits,
    cacheFaults,
    fetching,
    ...shorter
  }: ServiceOptions = {},
): Promise<Running> {
  const metrics = sharedCountersMemory(1)
  const service = await startService({
    config: loadConfig({ port: 0, logLevel: 'silent', media: mediaFolder(connection), ...flags }, {}),
    connection,
    dataDirectory,
    webhookLimits,
    modelLimits,
    jobLimits,
    rateLimits: rateLimitMemory(),
    metrics,
    timeLimits: { ...timeLimits, politeMilliseconds: 0, ...shorter },
    ...(memory && { memory }),
    ...(cacheFaults && { cacheFaults }),
    ...(fetching && { fetching }),
  })
  const database = openDatabase({ connection, poolSize: 5, statementTimeoutSeconds: 30 })

  async function call(
    path: string,
    { method = 'GET', token, body, headers = {} }: CallOptions = {},
  ): Promise<TestResponse> {
    const { pathname, search } = new URL(service.url + path)
    const response = await sendRequest(service.url, {
      method,
      path: pathname + search,
      headers: {
        // src/platform/http/response/compression.test.ts tests compression; here it would only take time.
        'accept-encoding': 'identity',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: bytesOf(body),
    })
    if (!/^[\w.-]+$/.test(response.headers.get('x-request-id') ?? ''))
      expect.fail(`${method} ${path} returned no valid X-Request-Id`)
    if (path.startsWith('/console/')) await checkAgainstRoute(method, path, response)
    else await checkAgainstOpenApi(service.url, method, path, response)
    return response
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
    const { token, id: tokenId } = await issueToken(database, { name: 'tester' }, project, {
      scopes,
      ...request,
    })
    return { project, token, tokenId, call: (path, options) => call(path, { token, ...options }) }
  }

  const counters = openSharedCounters(metrics, 0)
  const countHits = () => counters.totals().cache.results[0] as number
  const stop = async () => {
    await database.close()
    await service.drain()
  }
  return { service: { url: service.url, database, countHits, call, tenant }, stop }
}
