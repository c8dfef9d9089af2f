/**
 * How long the service waits for a client. A server is made with one such value; docs/operations.md tells the sums. Only
 * tests make it with shorter ones.
 */
export type TimeLimits = {
  /** TLS. Shorter than the time that a stopping service waits: nothing else ends a connection that never shook hands. */
  handshakeMilliseconds: number
  headersMilliseconds: number
  /** Headers and body. */
  requestMilliseconds: number
  /** Node looks for overdue requests only this often. */
  checkMilliseconds: number
  /** An idle socket is cut after the request's own limit has had its say, and its answer. */
  idleMilliseconds: number
  /** A client has so long to take a large answer. */
  answerMilliseconds: number
  /** A stream that has nothing to tell says so, so that nobody takes its connection for dead. */
  heartbeatMilliseconds: number
  /** A push may be slower than its least pace for so long. */
  pushGraceMilliseconds: number
  /** A service that stops gives proxies and clients so long to notice it, and then idle connections so long to be used. */
  politeMilliseconds: number
  /** A service that stops waits so long for what is under way. */
  drainMilliseconds: number
}

export const timeLimits: TimeLimits = {
  handshakeMilliseconds: 8_000,
  headersMilliseconds: 9_000,
  requestMilliseconds: 28_000,
  checkMilliseconds: 1_000,
  idleMilliseconds: 40_000,
  answerMilliseconds: 28_000,
  heartbeatMilliseconds: 15_000,
  pushGraceMilliseconds: 30_000,
  politeMilliseconds: 500,
  drainMilliseconds: 8_000,
}
