import { kibibyte, mebibyte } from '../units.ts'

/** Requests */
export const requestLimits = {
  /** Body, after decompression */
  bodyBytes: mebibyte,
  /** Nested levels of a JSON body */
  levels: 32,
  /** Members of one JSON object or array */
  members: 1_000,
  /** Body of a push or proposal, after decompression */
  pushBytes: 64 * mebibyte,
  /** Lines of a push or proposal */
  pushLines: 10_000,
  /** Line of a push or proposal */
  lineBytes: mebibyte,
  /** Minimum speed of a push, proposal or upload, per second */
  pushPaceBytes: 128 * kibibyte,
  /** Parameter in the path */
  pathParameterCharacters: 16_384,
  /** Values in a query parameter */
  parameterValues: 500,
  /** Search text */
  searchCharacters: 200,
  /** Name */
  nameCharacters: 255,
  /** Retention of the response to an `Idempotency-Key` */
  idempotencyHours: 24,
  /** Connections that wait to be accepted, per worker */
  backlog: 4_096,
  /** Time that the service reads the rest of a rejected push, so that the client gets its response */
  lingerMilliseconds: 10_000,
  /** Interval at which processes on one database find each other to share rate limits */
  rateLimitPresenceMilliseconds: 2_000,
} as const
