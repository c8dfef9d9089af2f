import { kibibyte, mebibyte, millisecondsOf } from '../platform/units.ts'

const { second, minute, hour, day } = millisecondsOf

/** Events */
export const eventLimits = {
  /** Events per page */
  pageEvents: 1_000,
  /** Events per page by default */
  pageEventsByDefault: 100,
  // Less than the size from which a response waits for memory.
  /** Size after which a page of events ends */
  pageBytes: 2 * mebibyte,
  /** Time that a poll waits for an event */
  waitSeconds: 25,
  /** Types in one request */
  types: 100,
  // Stays within the limit of one statement, however large the events are.
  /** Events whose data one statement reads */
  readEvents: 200,
  /** Recorded events that a page searches, however few of them match */
  searchedEvents: 10_000,
  /** Events in one batch of a stream */
  streamedEvents: 100,
  /** Pause after which a stream asks its client to connect again */
  reconnectMilliseconds: 2_000,
  /** Pause that a response asks for when too many readers wait (`Retry-After`) */
  retryAfterSeconds: 5,
  /** Interval at which the service checks for new events while readers wait */
  pollMilliseconds: 250,
  /** Time for which the service collects writes before their events enter the feed */
  gatherMilliseconds: 50,
  /** Events that one statement adds to the feed */
  numberedEvents: 5_000,
  /** Time that a check for new events waits while another process adds events */
  numberingWaitMilliseconds: 500,
} as const

/** Webhooks */
export const subscriptionLimits = {
  /** Webhooks per project */
  webhooks: 20,
  /** Webhook URL */
  urlCharacters: 2_000,
  /** Failed deliveries in one retry request */
  retriedEvents: 1_000,
  /** Time past the event retention for which events wait for a webhook that is behind */
  graceDays: 30,
  /** Concurrent tests per worker */
  tests: 16,
  /** Concurrent tests per worker and project */
  testsPerProject: 2,
  /** Tests that wait for their turn, per worker; then 503 `too_busy` */
  waitingTests: 100,
  /** Time that a test waits for its turn; then 503 `too_busy` */
  testWaitSeconds: 1,
} as const

/** Webhook deliveries */
export const webhookLimits = {
  /** Pauses after failed attempts */
  pauseMilliseconds: [
    ...[5 * second, 30 * second, 5 * minute, 30 * minute],
    ...[2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour],
  ],
  /** Random variation of pauses, as a fraction */
  pauseJitter: 0.2,
  /** Attempts for an event that the receiver rejects with a 4xx status */
  rejectedAttempts: 5,
  /** Longest `Retry-After` that the service honors */
  retryAfterMilliseconds: 24 * hour,
  /** Times without a successful delivery after which the project is notified */
  noticeMilliseconds: [1 * hour, 24 * hour, 4 * day],
  /** Time without a successful delivery after which the webhook is disabled */
  disableMilliseconds: 5 * day,
  /** Request to a receiver, from the DNS lookup to the end of the response */
  exchangeMilliseconds: 15 * second,
  /** Size of the receiver response that the service reads */
  responseBytes: 64 * kibibyte,
  /** Size of the receiver response that a test shows */
  shownResponseBytes: kibibyte,
  /** Event; a larger one is sent without `before` and `after` */
  bodyBytes: 20_000,
  /** Interval at which progress is saved */
  saveMilliseconds: 1 * second,
  /** Interval at which events enter the feed while a webhook is enabled */
  pollMilliseconds: 250,
  // Nothing requests them when a project regains its API access.
  /** Interval at which the service checks for missing deliveries */
  sweepMilliseconds: 15 * second,
  /** Interval at which the service checks for failing webhooks */
  checkMilliseconds: 10 * second,
  /** Time after which a webhook yields to other webhooks */
  turnMilliseconds: 2 * second,
  /** Webhooks that receive events concurrently, per process */
  webhooksAtOnce: 64,
  /** Webhooks that receive events concurrently, per process and project */
  webhooksPerProject: 8,
  /** Part of the limit per process that is reserved for projects without a delivery in progress */
  webhooksReserved: 24,
  /** Concurrent partitions per webhook */
  partitionsAtOnce: 4,
  /** Events that are read at once */
  readEvents: 100,
  /** Size of events that are read at once */
  readBytes: 256 * kibibyte,
  /** Attempts of a delivery job */
  jobAttempts: 10,
  /** Longest pause between attempts of a delivery job */
  jobPauseSeconds: 300,
  /** Retention of delivery attempts */
  attemptRetentionDays: 30,
  /** Stored delivery attempts, per webhook */
  storedAttempts: 10_000,
} as const

/** A service starts with one such value; only tests pass other ones. */
export type WebhookLimits = {
  readonly [Name in keyof typeof webhookLimits]: (typeof webhookLimits)[Name] extends number
    ? number
    : readonly number[]
} & {
  /** Networks that the startup self-test allows instead of an unused one. */
  readonly selfTestAllows?: readonly string[]
}
