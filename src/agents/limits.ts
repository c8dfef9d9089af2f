/** Agents */
export const agentLimits = {
  /** Size of the response to one message */
  responseBytes: 40_000,
  /** Items per page by default */
  pageItems: 20,
  /** Errors in one response */
  errors: 20,
  /** Lines that one call of `propose_changes` can contain */
  proposedLines: 500,
  /** Proposal lines that a response shows */
  shownLines: 10,
  /** Validity of the request state that a client sends when it repeats `request_apply` */
  requestStateSeconds: 3_600,
  /** Subscription streams, per worker. The service announces no changes, so clients need none */
  subscriptions: 0,
  /** Messages that `catalog mcp` forwards at the same time */
  forwardedMessages: 8,
  /** Messages at the same time, per worker. Further messages wait, because one message can call a dozen routes */
  messages: 4,
  /** Messages at the same time, per worker and project */
  messagesPerProject: 2,
  /** Messages that wait for their turn, per worker */
  waitingMessages: 200,
  /** Time that a message waits for its turn */
  waitSeconds: 20,
  /** Time limit of one message */
  messageMilliseconds: 60_000,
} as const
