import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { deleteExpired } from './access/sessions/session.sql.ts'
import { type LastUse, recordLastUse } from './access/tokens/last-use.ts'
import { credentialsRead } from './access/tokens/token.sql.ts'
import { countRequests, type Usage } from './access/usage/count-requests.ts'
import { type LargeProjects, watchLargeProjects } from './catalog/products/list/large-projects.ts'
import { sharePages } from './catalog/products/list/product-list.sql.ts'
import { openProducts } from './catalog/products/open-products.ts'
import { addPendingEntries } from './catalog/products/pending-entries.sql.ts'
import { mergeProductCounts } from './catalog/products/product-counts.sql.ts'
import { renewStatistics } from './catalog/products/product-statistics.sql.ts'
import { makeEdited } from './catalog/proposals/edits/make-edited.ts'
import { expireProposals } from './catalog/proposals/expire-proposals.ts'
import { requestMissingPreparations } from './catalog/proposals/preparation.sql.ts'
import { preparationJobs } from './catalog/proposals/prepare-proposals.ts'
import { makeReverted } from './catalog/proposals/revert/make-reverted.ts'
import { applyDefaultRules } from './catalog/quality/apply-default-rules.ts'
import { scoringJobs } from './catalog/quality/apply-rulesets.ts'
import { requestMissingScoring } from './catalog/quality/scoring-job.sql.ts'
import { openRulesets, type Rulesets } from './catalog/rulesets/rulesets.ts'
import type { Config } from './config.ts'
import { openFeedReads } from './delivery/events/feed-reads.ts'
import { type FeedWatch, watchFeed } from './delivery/events/feed-watch.ts'
import { webhookDeliveries } from './delivery/webhooks/delivery/delivery-jobs.ts'
import { expireEvents } from './delivery/webhooks/expire-events.ts'
import type { WebhookLimits } from './delivery/webhooks/webhook-limits.ts'
import { webhookSender } from './delivery/webhooks/webhook-sender.ts'
import { jobEnds } from './operations/jobs/job-ends.ts'
import { batchReads, shareReads } from './platform/database/batch-reads.ts'
import { connectionsOfWorker } from './platform/database/connection-classes.ts'
import { type Database, openDatabase } from './platform/database/database.ts'
import { watchRoom } from './platform/database/embedded/disk-room.ts'
import { limitExpensiveReads } from './platform/http/limits/expensive-reads.ts'
import { type MemoryBudget, memoryBudget } from './platform/http/limits/memory-budget.ts'
import { makeRateLimiter, type RateLimiter, rateLimitMemory } from './platform/http/limits/rate-limit.ts'
import { shareRateLimits } from './platform/http/limits/share-rate-limits.ts'
import { openSharedCounters, sharedCountersMemory } from './platform/http/metrics/shared-counters.ts'
import { bodyMemory } from './platform/http/request/body-memory.ts'
import { deleteOldAnswers } from './platform/http/request/idempotency.sql.ts'
import { openLog } from './platform/http/request-log.ts'
import { largePageReader } from './platform/http/response/large-pages.ts'
import type { JobKind } from './platform/jobs/job.ts'
import { deleteOldFailures } from './platform/jobs/job-list.sql.ts'
import { type RecurringTask, upkeepJobs } from './platform/jobs/recurring.ts'
import type { Timer } from './platform/jobs/timers.ts'
import { type TimeLimits, timeLimits } from './platform/limits/times.ts'
import { limitConcurrency } from './platform/scheduling/concurrency-limit.ts'
import { secretBox } from './platform/secrets/encrypted-secret.ts'

export type RuntimeParts = {
  database: Database
  log?: FastifyBaseLogger
  workers?: number
  /** Which of the workers this is, from 0. */
  worker?: number
  /** Shared by the workers of a process, so that they count requests together. */
  rateLimits?: SharedArrayBuffer
  /** Shared likewise, so that one scrape tells the whole. */
  metrics?: SharedArrayBuffer
  timeLimits?: TimeLimits
  memory?: MemoryBudget
  /** Of webhooks: networks that the operator allows, keys of their secrets, and limits. */
  webhooks?: { allow?: readonly string[]; keys?: readonly string[]; limits?: WebhookLimits }
  /** How long events are kept; without it for ever. */
  eventRetentionSeconds?: number
}

export type Runtime = ReturnType<typeof makeRuntime>

/** What a process, or each of its workers, owns once. All that serves requests shares it, by whichever address they come. */
export function makeRuntime({
  database,
  log = openLog('silent'),
  workers = 1,
  worker = 0,
  rateLimits = rateLimitMemory(),
  metrics = sharedCountersMemory(workers),
  timeLimits: waits = timeLimits,
  memory = memoryBudget(workers),
  webhooks: { allow, keys = [], limits } = {},
  eventRetentionSeconds,
}: RuntimeParts) {
  const rateLimiter = makeRateLimiter(rateLimits)
  const lastUse = recordLastUse()
  const usage = countRequests()
  const rulesets = openRulesets(database)
  const largeProjects = watchLargeProjects()
  const webhooks = { box: secretBox(database, keys), sender: webhookSender(log, allow, limits) }
  const counters = openSharedCounters(metrics, worker, Object.keys(jobEnds))
  const watch = watchFeed(database, memory.events)
  return {
    log,
    database,
    timeLimits: waits,
    memory,
    rateLimiter,
    counters,
    lastUse,
    usage,
    findCredentials: batchReads(database, credentialsRead),
    products: openProducts(database),
    rulesets,
    largeProjects,
    watch,
    readFeed: openFeedReads(database, watch, memory.feedReads),
    sharedPages: sharePages(database),
    sharePage: shareReads<string | Buffer>(),
    readLargePage: largePageReader(memory.pages),
    pushes: { reserveBodyMemory: bodyMemory(memory.bodies), atOnce: limitConcurrency(memory.pushes) },
    webhooks,
    longVersions: limitConcurrency(memory.versions),
    expensiveReads: limitExpensiveReads(),
    timers: timersOfWorker(lastUse, usage, largeProjects),
    // One thread speaks for all of the process, whose memory they share.
    ...(worker === 0 && {
      background: backgroundOfProcess({
        ...{ database, rulesets, watch, rateLimiter, eventRetentionSeconds },
        deliveries: webhookDeliveries({
          ...{ ...webhooks, database, log, countTry: counters.countTry, numberEvents: watch.number },
        }),
      }),
    }),
  }
}

function timersOfWorker(lastUse: LastUse, usage: Usage, largeProjects: LargeProjects): Timer[] {
  return [
    { name: 'last use of tokens', everySeconds: 2, run: lastUse.flush, end: lastUse.flush },
    { name: 'usage', everySeconds: 3, run: usage.flush, end: usage.flush },
    { name: 'large projects', everySeconds: 30, run: largeProjects.look },
  ]
}

type BackgroundParts = {
  database: Database
  rulesets: Rulesets
  watch: FeedWatch
  rateLimiter: RateLimiter
  deliveries: ReturnType<typeof webhookDeliveries>
  eventRetentionSeconds: number | undefined
}

/** What a process does for itself, and the jobs that it shares with all others on the database. */
export type ProcessBackground = { timers: Timer[]; kinds: JobKind[]; tasks: RecurringTask[] }

function backgroundOfProcess({
  database,
  rulesets,
  watch,
  rateLimiter,
  deliveries,
  eventRetentionSeconds: retention,
}: BackgroundParts): ProcessBackground {
  const { exchange, leave } = shareRateLimits(rateLimiter.project)
  const tasks: RecurringTask[] = [
    ...deliveries.tasks,
    { name: 'product counts', everySeconds: 5, run: mergeProductCounts },
    { name: 'pending index entries', everySeconds: 3, run: addPendingEntries },
    { name: 'product statistics', everySeconds: 5, run: renewStatistics },
    { name: 'missing preparations', everySeconds: 30, run: requestMissingPreparations },
    { name: 'missing scoring', everySeconds: 30, run: requestMissingScoring },
    { name: 'old responses', everySeconds: 600, run: deleteOldAnswers },
    { name: 'expired sessions', everySeconds: 600, run: deleteExpired },
    { name: 'expired proposals', everySeconds: 600, run: expireProposals },
    { name: 'old failed jobs', everySeconds: 600, run: deleteOldFailures },
    {
      name: 'default quality rules',
      everySeconds: 600,
      run: (own, signal) => applyDefaultRules(own, rulesets, signal),
      isWhole: true,
    },
    ...(retention === undefined ? [] : [eventRetention(retention)]),
  ]
  return {
    tasks,
    timers: [
      ...deliveries.timers,
      { name: 'numbering of events', everySeconds: 1, run: watch.number },
      { name: 'shared rate limits', everySeconds: 0.125, run: exchange, end: leave },
    ],
    kinds: [
      deliveries.kind,
      preparationJobs(database.jobs, { filter: makeEdited, revert: makeReverted }),
      scoringJobs(database.jobs, rulesets),
      upkeepJobs(database.jobs, tasks),
    ],
  }
}

function eventRetention(seconds: number): RecurringTask {
  const run: RecurringTask['run'] = (database, signal) => expireEvents(database, seconds, signal)
  return { name: 'event retention', everySeconds: 60, run }
}

/** A worker's connections, by class. */
export function openServiceDatabase(
  { poolSize, workers, statementTimeoutSeconds }: Config,
  connection: pg.ClientConfig,
  log: FastifyBaseLogger,
  /** Of the embedded server. */
  dataDirectory?: string,
  worker = 0,
): Database {
  return openDatabase({
    connection,
    poolSize: connectionsOfWorker(poolSize, workers, worker),
    statementTimeoutSeconds,
    ...(dataDirectory !== undefined && { refusesWrites: watchRoom(dataDirectory) }),
    onBrokenConnection: (error) => log.warn({ reason: error.message }, 'a database connection broke'),
  })
}
