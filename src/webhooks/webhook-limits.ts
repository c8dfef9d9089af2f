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
  /** How often cursors are kept and leases renewed, and how long a lease holds without. */
  saveEvery: 1 * seconds,
  lease: 10 * seconds,
  lookEvery: 250,
  /** How long a lane may go on before others have their turn. */
  turn: 2 * seconds,
  /** How long a process that ends waits for the answers of receivers. */
  stopWithin: 3 * seconds,
  tellEvery: 10 * seconds,
  lanesAtOnce: 16,
  lanesOfWebhookAtOnce: 4,
  lanesOfProjectAtOnce: 8,
  parkedAtOnce: 16,
  /** That a lane reads at once. */
  eventsRead: 100,
  bytesRead: 1024 * 1024,
  /** A network that is not this machine's: with it allowed, the test at the start has both agents refuse this machine. */
  selfTestAllows: ['192.0.2.0/24'],
  daysOfAttempts: 30,
  attemptsOfWebhook: 10_000,
}
export type WebhookLimits = typeof webhookLimits
