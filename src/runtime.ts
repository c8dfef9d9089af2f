import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { recordLastUse } from './access/tokens/last-use.ts'
import { credentialsRead, fencedCredentialsRead } from './access/tokens/token.sql.ts'
import { countActions } from './access/usage/count-actions.ts'
import { countRequests } from './access/usage/count-requests.ts'
import { type ModelRules, openModels } from './catalog/ai-providers/call-model.ts'
import { openAssets } from './catalog/assets/open-assets.ts'
import { stockAdjuster } from './catalog/inventory/adjust-stock.ts'
import { openMediaStore } from './catalog/media-store/media-store.ts'
import { watchLargeProjects } from './catalog/products/list/large-projects.ts'
import { sharePages } from './catalog/products/list/product-list.sql.ts'
import { openProducts } from './catalog/products/open-products.ts'
import { cacheRulesets, openRulesets } from './catalog/rulesets/rulesets.ts'
import type { Config } from './config.ts'
import { openFeedReads } from './delivery/events/feed-reads.ts'
import { watchFeed } from './delivery/events/feed-watch.ts'
import type { WebhookLimits } from './delivery/limits.ts'
import { webhookSender } from './delivery/webhooks/webhook-sender.ts'
import { type FreshnessFaults, openFreshResponses } from './model/freshness/fresh-responses.ts'
import { jobEnds } from './operations/jobs/job-ends.ts'
import { batchReads } from './platform/database/batching/batch-reads.ts'
import { shareReads } from './platform/database/batching/share-reads.ts'
import { connectionsOfWorker } from './platform/database/connections/connection-classes.ts'
import { type Database, openDatabase } from './platform/database/database.ts'
import { watchDiskSpace } from './platform/database/embedded/disk-space.ts'
import { storedSecret } from './platform/database/stored-secret.ts'
import type { FileStore } from './platform/file-store/file-store.ts'
import { bodyMemory } from './platform/http/body/body-memory.ts'
import { limitExpensiveReads } from './platform/http/limits/expensive-reads.ts'
import { type MemoryBudget, memoryBudget } from './platform/http/limits/memory-budget.ts'
import { createRateLimiter, rateLimitMemory } from './platform/http/limits/rate-limit.ts'
import { openSharedCounters, sharedCountersMemory } from './platform/http/metrics/shared-counters.ts'
import { openLog } from './platform/http/request-log.ts'
import { largePageReader } from './platform/http/response/large-pages.ts'
import { type TimeLimits, timeLimits } from './platform/limits/times.ts'
import type { FetchSettings } from './platform/outbound/fetch-file.ts'
import { limitConcurrency } from './platform/scheduling/concurrency-limit.ts'
import { secretCipher } from './platform/secrets/secret-cipher.ts'
import { mebibyte } from './platform/units.ts'

export type RuntimeParts = {
  database: Database
  log?: FastifyBaseLogger
  workers?: number
  /** The number of this worker, from 0. */
  worker?: number
  /** Shared by the workers of a process, so that they share rate limits. */
  rateLimits?: SharedArrayBuffer
  /** Shared by the workers, so that one scrape returns the totals. */
  metrics?: SharedArrayBuffer
  timeLimits?: TimeLimits
  memory?: MemoryBudget
  /** The size of the cache of all workers; 0 turns it off. */
  cacheMegabytes?: number
  /** Errors that tests insert into the cache. */
  cacheFaults?: FreshnessFaults
  /** Where media files are stored; without it, uploads return 503. */
  files?: FileStore | undefined
  /** For webhooks: networks that the operator allows, keys for their secrets, limits, and the configured base URL. */
  webhooks?: {
    allow?: readonly string[]
    keys?: readonly string[]
    limits?: WebhookLimits
    baseUrl?: string | undefined
  }
  /** For AI providers: origins that the operator allows. */
  models?: ModelRules
  /** For tests that fetch files from this machine. */
  fetching?: FetchSettings | undefined
}

export type Runtime = ReturnType<typeof createRuntime>

/** What a process, or each of its workers, owns once. All routes share it. */
export function createRuntime({
  database,
  log = openLog('silent'),
  workers = 1,
  worker = 0,
  rateLimits = rateLimitMemory(),
  metrics = sharedCountersMemory(workers),
  timeLimits: waits = timeLimits,
  memory = memoryBudget(workers),
  cacheMegabytes = 0,
  cacheFaults = {},
  files,
  webhooks: { allow, keys = [], limits, baseUrl } = {},
  models = { allow: [] },
  fetching,
}: RuntimeParts) {
  const rateLimiter = createRateLimiter(rateLimits)
  const lastUse = recordLastUse()
  const usage = countRequests()
  const activity = countActions()
  const knownRulesets = cacheRulesets()
  const largeProjects = watchLargeProjects()
  const sender = webhookSender(log, allow, limits, baseUrl)
  const webhooks = { cipher: secretCipher(database, keys), sender }
  const counters = openSharedCounters(metrics, worker, Object.keys(jobEnds))
  const watch = watchFeed(database, memory.events)
  const stored =
    cacheMegabytes === 0
      ? undefined
      : openFreshResponses({
          maxBytes: (cacheMegabytes * mebibyte) / workers,
          onUnnumbered: watch.numberSoon,
          faults: cacheFaults,
        })
  return {
    worker,
    log,
    database,
    timeLimits: waits,
    memory,
    rateLimiter,
    counters,
    lastUse,
    usage,
    activity,
    stored,
    findCredentials: batchReads(database, credentialsRead),
    findFenced: batchReads(database, stored ? fencedCredentialsRead(stored) : credentialsRead),
    products: openProducts(database),
    adjustStock: stockAdjuster(database),
    rulesets: openRulesets(database, knownRulesets),
    largeProjects,
    watch,
    readFeed: openFeedReads(database, watch, memory.feedReads),
    sharedPages: sharePages(database),
    sharePage: shareReads<string | Buffer>(database.statementTimeoutSeconds),
    assets: openAssets(database, files, fetching),
    readLargePage: largePageReader(memory.pages),
    pushes: { reserveBodyMemory: bodyMemory(memory.bodies), atOnce: limitConcurrency(memory.pushes) },
    webhooks,
    models: openModels(models),
    aiAllow: models.allow,
    /** What jobs read on their own connections, so that requests never wait for them. */
    ofJobs: {
      rulesets: openRulesets(database.jobs, knownRulesets),
      cipher: secretCipher(database.deliveries, keys),
      media: openMediaStore(database.jobs, files),
    },
    runSecret: storedSecret(database, 'runs'),
    longVersions: limitConcurrency(memory.versions),
    expensiveReads: limitExpensiveReads(),
  }
}

/** The connections of a worker, by class. */
export function openServiceDatabase(
  { poolSize, workers, statementTimeoutSeconds }: Config,
  connection: pg.ClientConfig,
  log: FastifyBaseLogger,
  /** The data folder of the embedded server. */
  dataDirectory?: string,
  worker = 0,
): Database {
  return openDatabase({
    connection,
    poolSize: connectionsOfWorker(poolSize, workers, worker),
    statementTimeoutSeconds,
    ...(dataDirectory !== undefined && { refusesWrites: watchDiskSpace(dataDirectory) }),
    onBrokenConnection: (error) => log.warn({ reason: error.message }, 'a database connection broke'),
  })
}
