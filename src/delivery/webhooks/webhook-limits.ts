const seconds = 1_000
const minutes = 60 * seconds
const hours = 60 * minutes
const days = 24 * hours

/** All times and bounds of deliveries, in milliseconds and bytes. Tests shorten them. */
export const webhookLimits = {
  /** How long after a try that failed the next one comes, give or take the jitter. */
  pauses: [
    ...[5 * seconds, 30 * seconds, 5 * minutes, 30 * minutes],
    ...[2 * hours, 5 * hours, 10 * hours, 14 * hours, 20 * hours, 24 * hours],
  ],
  jitter: 0.2,
  /** Tries of an event that the receiver says is at fault itself. */
  triesOfRefused: 5,
  longestRetryAfter: 24 * hours,
  /** How long nothing succeeds before the project is told, each time, and before the webhook is disabled. */
  tellAfter: [1 * hours, 24 * hours, 4 * days],
  disableAfter: 5 * days,
  /** Of a whole exchange, from the name's lookup to the end of the answer. */
  timeout: 15 * seconds,
  answerBytes: 64 * 1024,
  /** A larger event goes without before and after. */
  bodyBytes: 20_000,
  /** How often cursors are kept. */
  saveEvery: 1 * seconds,
  /** How often events are numbered where a webhook is enabled. */
  lookEvery: 250,
  /** How often deliveries are looked for that nothing requested: of a project that got its API access back. */
  sweepEvery: 15 * seconds,
  /** How long a webhook may go on before others have their turn. */
  turn: 2 * seconds,
  tellEvery: 10 * seconds,
  /** Webhooks that a process delivers to at once: in all, of one project, and only to projects that have no other. */
  webhooksAtOnce: 64,
  webhooksOfProjectAtOnce: 8,
  webhooksReserved: 24,
  lanesOfWebhookAtOnce: 4,
  /** That a lane, or several at one place of the feed, read at once. */
  eventsRead: 100,
  bytesRead: 256 * 1024,
  /** A network that is not this machine's: with it allowed, the test at the start has both agents refuse this machine. */
  selfTestAllows: ['192.0.2.0/24'],
  daysOfAttempts: 30,
  attemptsOfWebhook: 10_000,
}
export type WebhookLimits = typeof webhookLimits
