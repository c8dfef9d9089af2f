import { kibibyte } from '../units.ts'

/** Self-signed certificate */
export const certificateLimits = {
  // Browsers reject certificates that are valid for more than 398 days.
  /** Validity */
  validityDays: 397,
  /** Remaining validity below which a start renews the certificate */
  renewalDays: 30,
} as const

/** Outgoing connections */
export const outboundLimits = {
  /** Connection attempt */
  connectMilliseconds: 15_000,
  /** Idle connection */
  idleMilliseconds: 30_000,
  /** Idle connections per host */
  idlePerHost: 8,
  /** Idle connections in total */
  idle: 64,
  /** Redirects that the service follows when it fetches a file */
  redirects: 3,
  /** Request to the OpenID provider */
  providerMilliseconds: 10_000,
  /** Response of the OpenID provider */
  providerBytes: 1_024 * kibibyte,
  /** One attempt to resolve a name */
  resolveMilliseconds: 2_000,
  /** Attempts to resolve a name */
  resolveAttempts: 2,
  /** Names in private networks that are resolved at once */
  systemResolutions: 1,
  /** Names in private networks that wait to be resolved */
  waitingResolutions: 100,
  /** Time that a name in a private network waits to be resolved */
  resolutionWaitSeconds: 10,
} as const

/** Secrets in files */
export const secretFileLimits = {
  /** File that a `_FILE` variable names */
  secretBytes: 64 * kibibyte,
} as const
