import type { JobCounts } from '../../jobs/job-list.sql.ts'
import {
  attemptResults,
  bounds,
  cacheResults,
  callResults,
  countedStatuses,
  type Histogram,
  runResults,
  type Totals,
} from './shared-counters.ts'

export type RouteLabels = { method: string; route: string }
/** Values that are read during the scrape, in addition to the shared counters. */
export type Facts = {
  version: string
  workers: number
  database: { server: 'embedded' | 'external'; up: boolean }
  cpuSeconds: number
  residentBytes: number
  /** Whether responses are cached. */
  caches: boolean
  /** Whether backups are scheduled. */
  backsUp: boolean
  /** Undefined if the database did not respond in time. */
  feedLagSeconds: number | undefined
  /** Undefined if the database did not respond in time. */
  webhooks: LabelledCount[] | undefined
  /** Undefined if the database did not respond in time. */
  promptRuns: LabelledCount[] | undefined
  /** Undefined if the database did not respond in time. */
  jobs: JobCounts[] | undefined
}

type Labels = Record<string, string>
export type LabelledCount = { labels: Labels; count: number }
type Sample = [suffix: string, labels: Labels, value: number]

/** Prometheus' text format, version 0.0.4. */
export function expose(totals: Totals, routes: RouteLabels[], facts: Facts): string {
  const { pool, backups, tries, calls, runs, lag, startedAtSeconds } = totals
  const rows = routes.map((labels, index) => ({ labels, ...totals.row(index) }))
  const plain = (value: number): Sample[] => [['', {}, value]]
  const { version, workers, database, cpuSeconds, residentBytes, backsUp, feedLagSeconds, webhooks, jobs } =
    facts
  return [
    family(
      'catalog_http_requests_total',
      'counter',
      'Responses, by route pattern, method and status.',
      rows.flatMap(({ labels, byStatus }) => requestSamples(labels, byStatus)),
    ),
    family(
      'catalog_http_request_duration_seconds',
      'histogram',
      'Time from the request headers to the end of the response.',
      rows.flatMap(({ labels, duration }) => histogramSamples(labels, duration)),
    ),
    family(
      'catalog_database_up',
      'gauge',
      'Whether the database responded within one second during this scrape.',
      [['', { server: database.server }, Number(database.up)]],
    ),
    family('catalog_database_connections', 'gauge', 'Open database connections.', plain(pool.total)),
    family('catalog_database_connections_idle', 'gauge', 'Idle database connections.', plain(pool.idle)),
    family('catalog_database_waiting', 'gauge', 'Requests that wait for a connection.', plain(pool.waiting)),
    family(
      'catalog_event_loop_lag_seconds',
      'histogram',
      'Delay of a 100 ms timer, in every worker.',
      histogramSamples({}, lag),
    ),
    ...(facts.caches ? cacheFamilies(totals.cache) : []),
    ...(backsUp
      ? [
          family(
            'catalog_backup_last_success_timestamp_seconds',
            'gauge',
            'Start of the newest scheduled backup, in Unix time; 0 before the first one.',
            plain(backups.success),
          ),
          family(
            'catalog_backup_last_failure_timestamp_seconds',
            'gauge',
            'Last failure of a scheduled backup in this process, in Unix time; 0 if none failed.',
            plain(backups.failure),
          ),
        ]
      : []),
    ...(feedLagSeconds === undefined
      ? []
      : [
          family(
            'catalog_feed_lag_seconds',
            'gauge',
            'Time that the oldest event has waited for its number in the feed; 0 if none is waiting.',
            plain(feedLagSeconds),
          ),
        ]),
    ...(webhooks === undefined
      ? []
      : [
          family(
            'catalog_webhooks',
            'gauge',
            'Webhooks by state; disabled webhooks by reason.',
            webhooks.map(({ labels, count }): Sample => ['', labels, count]),
          ),
        ]),
    family(
      'catalog_webhook_tries_total',
      'counter',
      'Attempts to deliver an event, by result.',
      attemptResults.map((outcome, slot): Sample => ['', { outcome }, tries[slot] ?? 0]),
    ),
    ...(facts.promptRuns === undefined
      ? []
      : [
          family(
            'catalog_runs',
            'gauge',
            'Unfinished prompt runs of all projects, by state.',
            facts.promptRuns.map(({ labels, count }): Sample => ['', labels, count]),
          ),
        ]),
    family(
      'catalog_model_calls_total',
      'counter',
      'Calls that prompt runs made to AI models in this process, by result.',
      callResults.map((result, slot): Sample => ['', { result }, calls[slot] ?? 0]),
    ),
    ...(jobs === undefined ? [] : jobFamilies(jobs)),
    family(
      'catalog_job_runs_total',
      'counter',
      'Runs of background jobs in this process, by kind and result.',
      runs.flatMap(({ kind, counts }) =>
        runResults.map((result, slot): Sample => ['', { kind, result }, counts[slot] ?? 0]),
      ),
    ),
    family('catalog_workers', 'gauge', 'Worker threads.', plain(workers)),
    family('catalog_info', 'gauge', 'Versions.', [['', { version, node: process.version }, 1]]),
    family('process_cpu_seconds_total', 'counter', 'CPU time, all threads.', plain(cpuSeconds)),
    family('process_resident_memory_bytes', 'gauge', 'Memory in use, all threads.', plain(residentBytes)),
    family('process_start_time_seconds', 'gauge', 'Start, in Unix time.', plain(startedAtSeconds)),
  ].join('')
}

function cacheFamilies({ bytes, evictions, results }: Totals['cache']): string[] {
  return [
    family(
      'catalog_cache_requests_total',
      'counter',
      'Requests that the cache of responses can serve, by result.',
      cacheResults.map((result, slot): Sample => ['', { result }, results[slot] ?? 0]),
    ),
    family('catalog_cache_bytes', 'gauge', 'Memory of cached responses.', [['', {}, bytes]]),
    family('catalog_cache_evictions_total', 'counter', 'Cached responses that others replaced.', [
      ['', {}, evictions],
    ]),
  ]
}

function jobFamilies(jobs: JobCounts[]): string[] {
  return [
    family(
      'catalog_jobs',
      'gauge',
      'Background jobs of all projects, by kind and state.',
      jobs.flatMap(({ kind, states }) =>
        Object.entries(states).map(([state, count]): Sample => ['', { kind, state }, count]),
      ),
    ),
    family(
      'catalog_job_oldest_due_seconds',
      'gauge',
      'Time that the oldest due job of a kind has waited to be started; 0 if none is due.',
      jobs.map(({ kind, oldest_due_seconds }): Sample => ['', { kind }, oldest_due_seconds]),
    ),
  ]
}

function family(name: string, type: string, help: string, samples: Sample[]): string {
  const lines = samples.map(([suffix, labels, value]) => `${name}${suffix}${braces(labels)} ${value}\n`)
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
}

function braces(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escapeLabel(value: string): string {
  return value.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`))
}

function requestSamples(labels: RouteLabels, byStatus: Float64Array): Sample[] {
  return [...byStatus].flatMap((count, slot): Sample[] =>
    count === 0 ? [] : [['', { ...labels, status: String(countedStatuses[slot] ?? 'other') }, count]],
  )
}

/** A route that was never called is omitted: its series start with the first call. */
function histogramSamples(labels: Labels, { buckets, sum }: Histogram): Sample[] {
  const samples: Sample[] = []
  let count = 0
  for (const [slot, inBucket] of buckets.entries()) {
    count += inBucket
    samples.push(['_bucket', { ...labels, le: String(bounds[slot] ?? '+Inf') }, count])
  }
  return count === 0 ? [] : [...samples, ['_sum', labels, sum], ['_count', labels, count]]
}
