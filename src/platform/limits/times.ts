/** Times */
export const timeLimits = {
  // Shorter than the time that a stopping service waits: nothing else ends a connection without a handshake.
  /** TLS handshake */
  handshakeMilliseconds: 8_000,
  /** Request headers; add the interval of the check */
  headersMilliseconds: 9_000,
  /** Request headers and body; add the interval of the check */
  requestMilliseconds: 28_000,
  /** Interval at which the service looks for overdue requests */
  checkMilliseconds: 1_000,
  // After the limit of the request, so that the client gets its response.
  /** Idle connection within a request */
  idleMilliseconds: 40_000,
  /** Idle connection between requests */
  keepAliveMilliseconds: 75_000,
  /** Client takes a large response */
  answerMilliseconds: 28_000,
  /** Interval of heartbeats in an event stream */
  heartbeatMilliseconds: 15_000,
  /** A push stays below its slowest pace */
  pushGraceMilliseconds: 30_000,
  /** A stopping service reports that it is not ready before it closes connections */
  politeMilliseconds: 500,
  /** A stopping service waits for requests in progress */
  drainMilliseconds: 8_000,
} as const

/** A server starts with one such value; only tests pass shorter times. */
export type TimeLimits = { readonly [Name in keyof typeof timeLimits]: number }
