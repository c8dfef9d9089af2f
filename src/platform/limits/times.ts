/** Times */
export const timeLimits = {
  // Shorter than the time that a stopping service waits, because nothing else ends a connection without a handshake.
  /** TLS handshake */
  handshakeMilliseconds: 8_000,
  /** Receiving request headers, plus the check interval */
  headersMilliseconds: 9_000,
  /** Receiving request headers and body, plus the check interval */
  requestMilliseconds: 28_000,
  /** Check interval for overdue requests */
  checkMilliseconds: 1_000,
  // After the limit of the request, so that the client gets its response.
  /** Idle connection during a request */
  idleMilliseconds: 40_000,
  /** Idle connection between requests */
  keepAliveMilliseconds: 75_000,
  /** Sending a large response */
  responseMilliseconds: 28_000,
  /** Heartbeat interval of event streams */
  heartbeatMilliseconds: 15_000,
  /** Push or upload below its minimum speed */
  pushGraceMilliseconds: 30_000,
  /** `/readyz` returns 503 at shutdown before connections close */
  politeMilliseconds: 500,
  /** Wait for requests in progress at shutdown */
  drainMilliseconds: 8_000,
} as const

/** A server starts with one such value; only tests pass shorter times. */
export type TimeLimits = { readonly [Name in keyof typeof timeLimits]: number }
