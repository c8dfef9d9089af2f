import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { JobCounts } from '../../jobs/job-list.sql.ts'
import { responseLimits } from '../../limits/responses.ts'
import { version } from '../../version.ts'
import { serviceTag } from '../openapi.ts'
import { edgeProblems, problemResponses } from '../problem.schema.ts'
import { requestIdHeader } from '../response/response-headers.ts'
import type { Server } from '../server.ts'
import { requireMetricsAccess } from './access.ts'
import { expose, type Facts, type LabelledCount, type RouteLabels } from './exposition.ts'
import { requireFreeRows, type SharedCounters } from './shared-counters.ts'

const contentType = 'text/plain; version=0.0.4; charset=utf-8'

type Parts = {
  settings: { metricsToken?: string; databaseUrl?: string; backupEvery?: string }
  database: Database
  counters: SharedCounters
  /** How long the oldest event has waited for its number. */
  feedLag: () => Promise<number>
  /** The number of webhooks by state. */
  webhooks: () => Promise<LabelledCount[]>
  /** The number of unfinished prompt runs by state. */
  promptRuns: () => Promise<LabelledCount[]>
  jobs: () => Promise<JobCounts[]>
  /** The cached responses of this worker; undefined if there is no cache. */
  cache: { bytes: () => number; evictions: () => number } | undefined
}

/** Counts a request that was not routed. */
export type CountRequest = (method: string, route: string, status: number, milliseconds: number) => void

/** Counts requests to all routes that are registered after this call, and serves GET /metrics. */
export function exposeMetrics(
  app: Server,
  { settings, database, counters, feedLag, webhooks, promptRuns, jobs, cache }: Parts,
): CountRequest {
  const { routes, count } = countRequests(app, counters)
  const stopSampling = sampleThread(database, counters, cache)
  app.addHook('onClose', async () => stopSampling())
  const server = settings.databaseUrl === undefined ? 'embedded' : 'external'

  app.get(
    '/metrics',
    {
      schema: {
        tags: [serviceTag],
        operationId: 'getMetrics',
        security: [],
        summary: 'Get metrics in the Prometheus format',
        description:
          'Requests by route and status, times, connections and memory of all workers, in the Prometheus text format. Clients on the same machine need no token; others send the metrics token as a Bearer token.',
        querystring: Type.Object({}),
        response: {
          200: {
            description: 'Text format',
            headers: requestIdHeader,
            content: { 'text/plain': { schema: Type.String() } },
          },
          ...problemResponses([...edgeProblems, 'invalid_parameters', 'metrics_restricted']),
        },
      },
    },
    async (request, reply) => {
      requireMetricsAccess(request, settings.metricsToken)
      const [reached, feedLagSeconds, webhookCounts, runCounts, jobCounts] = await Promise.all([
        inTime(database.query(sql`select 1`)),
        inTime(feedLag()),
        inTime(webhooks()),
        inTime(promptRuns()),
        inTime(jobs()),
      ])
      const facts = {
        version,
        workers: counters.workers,
        database: { server, up: reached !== undefined },
        feedLagSeconds,
        webhooks: webhookCounts,
        promptRuns: runCounts,
        jobs: jobCounts,
        caches: cache !== undefined,
        backsUp: settings.backupEvery !== undefined,
        ...processFacts(),
      } as const
      return reply.type(contentType).send(expose(counters.totals(), routes, facts))
    },
  )
  return count
}

/** Labels are route patterns. Requests without a route share the first row, so that clients cannot create series. */
function countRequests(
  app: Server,
  counters: SharedCounters,
): { routes: RouteLabels[]; count: CountRequest } {
  const routes: RouteLabels[] = [{ method: 'any', route: 'unknown' }]
  // By route, then by method: one key of both would have to be built and hashed for each request.
  const rows = new Map<string, Map<string, number>>()
  const counter = (row: number) => (_request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    counters.countRequest(row, reply.statusCode, reply.elapsedTime / 1000)
    done()
  }
  const countUnknown = counter(0)
  app.addHook('onResponse', (request, reply, done) =>
    request.is404 ? countUnknown(request, reply, done) : done(),
  )
  app.addHook('onRoute', (route) => {
    const row = routes.push({ method: String(route.method), route: route.url }) - 1
    rows.getOrInsertComputed(route.url, () => new Map()).set(String(route.method), row)
    requireFreeRows(routes.length)
    route.onResponse = [...[route.onResponse ?? []].flat(), counter(row)]
  })
  return {
    routes,
    count: (method, route, status, milliseconds) =>
      counters.countRequest(rows.get(route)?.get(method) ?? 0, status, milliseconds / 1000),
  }
}

function sampleThread(database: Database, counters: SharedCounters, cache: Parts['cache']): () => void {
  let due = performance.now() + responseLimits.metricsSampleMilliseconds
  const timer = setInterval(() => {
    const now = performance.now()
    counters.sampleLag(Math.max(0, now - due) / 1000)
    due = now + responseLimits.metricsSampleMilliseconds
    const { total, idle, waiting } = database.connections()
    counters.samplePool(total, idle, waiting)
    if (cache !== undefined) counters.sampleCache(cache.bytes(), cache.evictions())
  }, responseLimits.metricsSampleMilliseconds)
  timer.unref()
  return () => clearInterval(timer)
}

/** Undefined if the database fails or takes too long. */
async function inTime<Result>(asked: Promise<Result>): Promise<Result | undefined> {
  const settled = asked.catch(() => undefined)
  return Promise.race([settled, sleep(responseLimits.metricsWaitMilliseconds, undefined, { ref: false })])
}

/** Values of the whole process, regardless of the thread. */
function processFacts(): Pick<Facts, 'cpuSeconds' | 'residentBytes'> {
  const { user, system } = process.cpuUsage()
  return { cpuSeconds: (user + system) / 1e6, residentBytes: process.memoryUsage.rss() }
}
