import type { JobCounts } from '../../jobs/job-list.sql.ts'
import {
  attemptResults,
  bounds,
  type Histogram,
  runResults,
  statuses,
  type Totals,
} from './shared-counters.ts'

export type RouteLabels = { method: string; route: string }
/** Facts that the scrape itself looks up, beside the shared counters. */
export type Facts = {
  version: string
  workers: number
  database: { server: 'embedded' | 'external'; up: boolean }
  cpuSeconds: number
  residentBytes: number
  /** Whether a schedule makes backups. */
  backsUp: boolean
  /** Undefined where the database did not tell it in time. */
  feedLagSeconds: number | undefined
  /** Likewise. */
  webhooks: LabelledCount[] | undefined
  /** Likewise. */
  jobs: JobCounts[] | undefined
}

type Labels = Record<string, string>
export type LabelledCount = { labels: Labels; count: number }
type Sample = [suffix: string, labels: Labels, value: number]

/** Prometheus' text format, version 0.0.4. */
export function expose(totals: Totals, routes: RouteLabels[], facts: Facts): string {
  const { pool, backups, tries, runs, lag, startedAtSeconds } = totals
  const rows = routes.map((labels, index) => ({ labels, ...totals.row(index) }))
  const plain = (value: number): Sample[] => [['', {}, value]]
  const { version, workers, database, cpuSeconds, residentBytes, backsUp, feedLagSeconds, webhooks, jobs } =
    facts
  return [
    family(
      'catalog_http_requests_total',
      'counter',
      'Answers, by route pattern, method and status.',
      rows.flatMap(({ labels, byStatus }) => requestSamples(labels, byStatus)),
    ),
    family(
      'catalog_http_request_duration_seconds',
      'histogram',
      'Time from the headers of a request to the end of its answer.',
      rows.flatMap(({ labels, duration }) => histogramSamples(labels, duration)),
    ),
    family('catalog_database_up', 'gauge', 'Whether the database answered within a second at this scrape.', [
      ['', { server: database.server }, Number(database.up)],
    ]),
    family('catalog_database_connections', 'gauge', 'Open database connections.', plain(pool.total)),
    family('catalog_database_connections_idle', 'gauge', 'Those that wait for work.', plain(pool.idle)),
    family('catalog_database_waiting', 'gauge', 'Requests that wait for a connection.', plain(pool.waiting)),
    family(
      'catalog_event_loop_lag_seconds',
      'histogram',
      'How late a timer of 100 ms fires, in every worker.',
      histogramSamples({}, lag),
    ),
    ...(backsUp
      ? [
          family(
            'catalog_backup_last_success_timestamp_seconds',
            'gauge',
            'When the newest scheduled backup was begun, in Unix time; 0 before the first.',
            plain(backups.success),
          ),
          family(
            'catalog_backup_last_failure_timestamp_seconds',
            'gauge',
            'When a scheduled backup of this process failed last, in Unix time; 0 where none did.',
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
            'How long the oldest event waits for its number in the feed; 0 where none does.',
            plain(feedLagSeconds),
          ),
        ]),
    ...(webhooks === undefined
      ? []
      : [
          family(
            'catalog_webhooks',
            'gauge',
            'Webhooks by state, those that are disabled by their reason.',
            webhooks.map(({ labels, count }): Sample => ['', labels, count]),
          ),
        ]),
    family(
      'catalog_webhook_tries_total',
      'counter',
      'Tries to deliver an event, by what became of them.',
      attemptResults.map((outcome, slot): Sample => ['', { outcome }, tries[slot] ?? 0]),
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
    family('catalog_workers', 'gauge', 'Threads that serve.', plain(workers)),
    family('catalog_info', 'gauge', 'Versions.', [['', { version, node: process.version }, 1]]),
    family('process_cpu_seconds_total', 'counter', 'Time on the processor, all threads.', plain(cpuSeconds)),
    family('process_resident_memory_bytes', 'gauge', 'Memory in use, all threads.', plain(residentBytes)),
    family('process_start_time_seconds', 'gauge', 'Start, in Unix time.', plain(startedAtSeconds)),
  ].join('')
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
      'How long the oldest due job of a kind has waited for a service to start it; 0 if none is due.',
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
    count === 0 ? [] : [['', { ...labels, status: String(statuses[slot] ?? 'other') }, count]],
  )
}

/** A route that was never called is left out: its series begin with its first call. */
function histogramSamples(labels: Labels, { buckets, sum }: Histogram): Sample[] {
  const samples: Sample[] = []
  let count = 0
  for (const [slot, inBucket] of buckets.entries()) {
    count += inBucket
    samples.push(['_bucket', { ...labels, le: String(bounds[slot] ?? '+Inf') }, count])
  }
  return count === 0 ? [] : [...samples, ['_sum', labels, sum], ['_count', labels, count]]
}
