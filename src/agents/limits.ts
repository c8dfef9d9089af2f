/** Agents */
export const agentLimits = {
  /** Response to one message */
  responseBytes: 40_000,
  /** Items per page by default */
  pageItems: 20,
  /** Lines of one proposed change */
  proposedLines: 500,
  /** Lines that the response about a proposal shows */
  shownLines: 10,
  /** Time for which a request to apply a proposal can be repeated with its state */
  requestStateSeconds: 3_600,
  /** Subscription streams, per worker. The service announces no changes, so clients need none */
  subscriptions: 0,
  /** Messages that `catalog mcp` forwards at the same time */
  forwardedMessages: 8,
  /** Time limit of one message */
  messageMilliseconds: 60_000,
} as const
