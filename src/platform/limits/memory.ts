import { mebibyte } from '../units.ts'

/** Memory and concurrency */
export const memoryLimits = {
  /** First mebibyte of all pushes, per process */
  pushStartBytes: 16 * mebibyte,
  /** Rest of all pushes, per process */
  pushRestBytes: 96 * mebibyte,
  /** Time that a push waits for memory; then 503 `too_busy` */
  pushWaitSeconds: 20,
  /** Pushes that are written at once, per worker */
  pushes: 4,
  /** Pushes that are written at once, per worker and project */
  pushesOfProject: 2,
  /** Responses to reads that wait for their clients, per process; half of it for writes, a quarter per project */
  responseBytes: 96 * mebibyte,
  /** Pages over 3 MiB that are created at once, per worker */
  largePages: 2,
  /** Long lists of prompt versions at once, per worker */
  versionLists: 8,
  /** Long lists of prompt versions at once, per worker and project */
  versionListsOfProject: 4,
  /** Event pages that are read at once, per worker */
  eventPages: 6,
  /** Event pages that are read at once, per worker and project */
  eventPagesOfProject: 2,
  /** Waiting polls and event streams, per worker; then 429 `rate_limited` */
  eventReaders: 256,
  /** Waiting polls and event streams, per worker and project */
  eventReadersOfProject: 20,
  /** Time that a large page, list or event page waits for its turn; then 503 `too_busy` */
  readWaitSeconds: 10,
} as const
