/** Events */
export const eventLimits = {
  /** Events per page */
  pageEvents: 1_000,
  /** Events per page by default */
  pageEventsByDefault: 100,
  // Under what a page may be large without waiting for its turn.
  /** Size after which a page of events ends */
  pageBytes: 2 * 1024 * 1024,
  /** Time that a poll waits for an event */
  waitSeconds: 25,
  /** Types in one request */
  types: 100,
} as const

/** Webhooks */
export const subscriptionLimits = {
  /** Webhooks per project */
  webhooks: 20,
  /** Webhook URL */
  urlCharacters: 2_000,
  /** Events in one request to deliver again */
  retriedEvents: 1_000,
  /** Time past the event retention for which events wait for a webhook that is behind */
  graceDays: 30,
} as const
