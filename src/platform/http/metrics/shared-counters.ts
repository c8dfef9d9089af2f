import { problems } from '../problem-catalog.ts'

/** Upper bounds of the buckets in seconds; one more bucket is for values above the last bound. */
export const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** The statuses that are counted separately; all others count as "other". */
export const countedStatuses = [
  ...new Set([
    200,
    201,
    202,
    204,
    206,
    301,
    302,
    304,
    ...Object.values(problems).map(({ status }) => status),
  ]),
].sort()

/** Results of delivery attempts: 2xx, an error of the endpoint, an error of the event, and 410. */
export const attemptResults = ['delivered', 'failed', 'refused', 'gone'] as const
export type AttemptResult = (typeof attemptResults)[number]

/** Results of job runs: done, continued in another run, failed attempt, and failed permanently. */
export const runResults = ['done', 'again', 'failed', 'ended'] as const
export type RunResult = (typeof runResults)[number]
/** Results of calls to AI models: values, a refusal, no JSON, an error, 429, and no response in time. */
export const callResults = ['values', 'refused', 'unreadable', 'failed', 'rate_limited', 'timed_out'] as const
export type CallResult = (typeof callResults)[number]
/** Requests that the cache can serve: served from it; not in it; changed since then; and changes that are not known. */
export const cacheResults = ['hit', 'absent', 'changed', 'unknown', 'skipped'] as const
export type CacheResult = (typeof cacheResults)[number]
const kindLimit = 16

const poolSlots = 3
const backupSlots = 2
/** Bytes and evictions. */
const cacheSlots = 2 + cacheResults.length
const histogramSlots = bounds.length + 2
const rowSlots = countedStatuses.length + 1 + histogramSlots
const rowLimit = 700
const runSlots = kindLimit * runResults.length
const regionSlots =
  1 +
  poolSlots +
  backupSlots +
  cacheSlots +
  attemptResults.length +
  callResults.length +
  runSlots +
  histogramSlots +
  rowLimit * rowSlots

export type Histogram = { buckets: Float64Array; sum: number }
type Row = { byStatus: Float64Array; duration: Histogram }
export type Totals = {
  startedAtSeconds: number
  pool: { total: number; idle: number; waiting: number }
  /** Unix times. Only one thread sets them, so the sum over all threads is its value. */
  backups: { success: number; failure: number }
  /** `results` in the order of `cacheResults`. */
  cache: { bytes: number; evictions: number; results: Float64Array }
  /** In the order of `attemptResults`. */
  tries: Float64Array
  /** In the order of `callResults`. */
  calls: Float64Array
  /** Job runs, for each kind in the order of `runResults`. */
  runs: { kind: string; counts: Float64Array }[]
  lag: Histogram
  row(index: number): Row
}
export type SharedCounters = ReturnType<typeof openSharedCounters>

/** One region per worker, which only that worker writes to, so that no locks are needed. A replaced worker continues counting. */
export function sharedCountersMemory(workers: number): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(workers * regionSlots * Float64Array.BYTES_PER_ELEMENT)
  new Float64Array(memory)[0] = Date.now() / 1000
  return memory
}

export function openSharedCounters(
  memory: SharedArrayBuffer,
  worker: number,
  jobKinds: readonly string[] = [],
) {
  if (jobKinds.length > kindLimit)
    throw new Error(`there are ${jobKinds.length} job kinds; increase kindLimit in shared-counters.ts`)
  const bytes = regionSlots * Float64Array.BYTES_PER_ELEMENT
  const own = split(new Float64Array(memory, worker * bytes, regionSlots))
  const statusSlot = new Map(countedStatuses.map((status, slot) => [status, slot]))

  return {
    workers: memory.byteLength / bytes,
    countRequest(row: number, status: number, seconds: number): void {
      const start = row * rowSlots
      add(own.rows, start + (statusSlot.get(status) ?? countedStatuses.length))
      observe(own.rows, start + countedStatuses.length + 1, seconds)
    },
    countRun: (kind: string, result: RunResult) =>
      add(own.runs, jobKinds.indexOf(kind) * runResults.length + runResults.indexOf(result)),
    countAttempt: (outcome: AttemptResult) => add(own.tries, attemptResults.indexOf(outcome)),
    countCall: (result: CallResult) => add(own.calls, callResults.indexOf(result)),
    sampleLag: (seconds: number) => observe(own.lag, 0, seconds),
    samplePool: (total: number, idle: number, waiting: number) => own.pool.set([total, idle, waiting]),
    countCached: (result: CacheResult) => add(own.cache, 2 + cacheResults.indexOf(result)),
    sampleCache: (bytes: number, evictions: number) => own.cache.set([bytes, evictions]),
    sampleBackups: (success: number, failure: number) => own.backups.set([success, failure]),
    /** The sum over all workers. Any worker can read it. */
    totals: () => describe(split(sumOfRegions(new Float64Array(memory))), jobKinds),
  }
}

export function requireFreeRows(count: number): void {
  if (count > rowLimit)
    throw new Error(`there are ${count} routes to measure; increase rowLimit in shared-counters.ts`)
}

type Region = Record<
  'start' | 'pool' | 'backups' | 'cache' | 'tries' | 'calls' | 'runs' | 'lag' | 'rows',
  Float64Array
>

function split(region: Float64Array): Region {
  const backupsAt = 1 + poolSlots
  const cacheAt = backupsAt + backupSlots
  const triesAt = cacheAt + cacheSlots
  const callsAt = triesAt + attemptResults.length
  const runsAt = callsAt + callResults.length
  const lagAt = runsAt + runSlots
  const rowsAt = lagAt + histogramSlots
  return {
    start: region.subarray(0, 1),
    pool: region.subarray(1, backupsAt),
    backups: region.subarray(backupsAt, cacheAt),
    cache: region.subarray(cacheAt, triesAt),
    tries: region.subarray(triesAt, callsAt),
    calls: region.subarray(callsAt, runsAt),
    runs: region.subarray(runsAt, lagAt),
    lag: region.subarray(lagAt, rowsAt),
    rows: region.subarray(rowsAt),
  }
}

function add(slots: Float64Array, slot: number, amount = 1): void {
  slots[slot] = (slots[slot] as number) + amount
}

function observe(slots: Float64Array, start: number, seconds: number): void {
  let bucket = 0
  while (bucket < bounds.length && seconds > (bounds[bucket] as number)) bucket += 1
  add(slots, start + bucket)
  add(slots, start + bounds.length + 1, seconds)
}

function sumOfRegions(all: Float64Array): Float64Array {
  const sum = new Float64Array(regionSlots)
  for (let slot = 0; slot < all.length; slot += 1) add(sum, slot % regionSlots, all[slot])
  return sum
}

function describe(
  { start, pool, backups, cache, tries, calls, runs, lag, rows }: Region,
  jobKinds: readonly string[],
): Totals {
  const [total = 0, idle = 0, waiting = 0] = pool
  const [success = 0, failure = 0] = backups
  const [bytes = 0, evictions = 0] = cache
  return {
    startedAtSeconds: start[0] as number,
    pool: { total, idle, waiting },
    backups: { success, failure },
    cache: { bytes, evictions, results: cache.subarray(2) },
    tries,
    calls,
    runs: jobKinds.map((kind, place) => ({
      kind,
      counts: runs.subarray(place * runResults.length, (place + 1) * runResults.length),
    })),
    lag: histogram(lag),
    row(index) {
      const row = rows.subarray(index * rowSlots, (index + 1) * rowSlots)
      const byStatus = row.subarray(0, countedStatuses.length + 1)
      return { byStatus, duration: histogram(row.subarray(countedStatuses.length + 1)) }
    },
  }
}

function histogram(slots: Float64Array): Histogram {
  return { buckets: slots.subarray(0, -1), sum: slots.at(-1) as number }
}
