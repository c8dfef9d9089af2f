import { kibibyte, mebibyte } from '../units.ts'

/** Responses */
export const responseLimits = {
  /** Items per page */
  pageItems: 500,
  /** Items per page by default */
  pageItemsByDefault: 20,
  /** Page */
  pageBytes: 8 * mebibyte,
  /** Response size that does not count toward memory limits */
  smallBytes: 64 * kibibyte,
  /** Size of the largest response that is stored in memory and sent again */
  storedBytes: 256 * kibibyte,
  /** Requests of a project for which the cache counts its hits */
  sampledRequests: 1_024,
  /** Hits among them; below this, the project does not use the cache for a while */
  leastHits: 102,
  /** Requests until it uses the cache again */
  skippedRequests: 8_192,
  /** Minimum size of compressed responses */
  compressedBytes: kibibyte,
  // An error must not be many times the size of its request, which it may quote.
  /** Errors in one response */
  errors: 100,
  /** Detail of an error response */
  detailCharacters: 1_000,
  /** Message of one error */
  errorCharacters: 300,
  /** `Retry-After` of a 503 response */
  retryAfterSeconds: 2,
  /** `Retry-After` of a 503 response when memory is short */
  memoryRetryAfterSeconds: 5,
  /** Time for which log lines are collected before they are written together */
  logMilliseconds: 10,
  /** Time that `GET /metrics` waits for the database */
  metricsWaitMilliseconds: 1_000,
  /** Interval at which a worker measures its event loop and its connections for metrics */
  metricsSampleMilliseconds: 100,
} as const
