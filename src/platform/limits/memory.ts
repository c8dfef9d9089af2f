import { mebibyte } from '../units.ts'

/** Memory and concurrency */
export const memoryLimits = {
  /** Memory for the first mebibyte of all pushes, per process */
  pushStartBytes: 16 * mebibyte,
  /** Memory for the rest of all pushes, per process */
  pushRestBytes: 96 * mebibyte,
  /** Time that a push waits for memory; then 503 `too_busy` */
  pushWaitSeconds: 20,
  /** Concurrent pushes, per worker */
  pushes: 4,
  /** Concurrent pushes, per worker and project */
  pushesOfProject: 2,
  /** Memory for read responses that clients have not received, per process; half of it for writes, a quarter per project */
  responseBytes: 96 * mebibyte,
  /** Concurrent pages over 3 MiB, per worker */
  largePages: 2,
  /** Concurrent long lists of prompt versions, per worker */
  versionLists: 8,
  /** Concurrent long lists of prompt versions, per worker and project */
  versionListsOfProject: 4,
  /** Concurrent event pages, per worker */
  eventPages: 6,
  /** Concurrent event pages, per worker and project */
  eventPagesOfProject: 2,
  /** Waiting polls and event streams, per worker; then 429 `rate_limited` */
  eventReaders: 256,
  /** Waiting polls and event streams, per worker and project */
  eventReadersOfProject: 20,
  /** Time that a large page, list or event page waits for its turn; then 503 `too_busy` */
  readWaitSeconds: 10,
} as const
