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
  /** Time for which a client can repeat `request_apply` with the state of its request */
  requestStateSeconds: 3_600,
  /** Subscription streams, per worker. The service announces no changes, so clients need none */
  subscriptions: 0,
  /** Messages that `catalog mcp` forwards at the same time */
  forwardedMessages: 8,
  /** Messages at the same time, per worker. A message can call a dozen routes, so others wait */
  messages: 4,
  /** How many of these can belong to one project */
  messagesPerProject: 2,
  /** Messages that wait */
  waitingMessages: 200,
  /** How long they wait */
  waitSeconds: 20,
  /** Time limit of one message */
  messageMilliseconds: 60_000,
} as const
