import { kibibyte, secondsOf } from '../platform/units.ts'

/** Accounts and sessions */
export const accountLimits = {
  /** Shortest password */
  passwordLeastCharacters: 10,
  /** Longest password */
  passwordCharacters: 128,
  /** Email address */
  emailCharacters: 254,
  /** Projects per user */
  memberships: 1_000,
  /** Reason or purpose in an access request */
  reasonCharacters: 2_000,
  /** Session without use */
  sessionSeconds: 7 * secondsOf.day,
  /** Age at which a session in use is renewed */
  sessionRenewalSeconds: secondsOf.day,
  /** Interval at which the last use of a session is recorded */
  lastUseSeconds: 5 * secondsOf.minute,
  /** Validity of an invitation */
  invitationSeconds: 7 * secondsOf.day,
  /** Requests per second by one user of the console, per process */
  requestsPerSecond: 20,
  /** Burst of requests by one user of the console, per process */
  requestBurst: 100,
  // Every row of a list can show a private image.
  /** Media files per second that one user of the console reads, per process */
  downloadsPerSecond: 200,
  /** Burst of media files that one user of the console reads, per process */
  downloadBurst: 1_000,
  /** Period in which failed sign-ins are counted */
  failureWindowSeconds: secondsOf.minute,
  /** Failed sign-ins per minute from one address */
  failuresOfAddress: 30,
  /** Failed sign-ins per minute for one account from one address */
  failuresOfAccountAndAddress: 10,
  // High enough that a single attacker cannot lock the owner out.
  /** Failed sign-ins per minute for one account from all addresses */
  failuresOfAccount: 60,
  /** Wrong passwords per minute when a user changes the password */
  failuresOfPasswordChange: 10,
  /** Unknown invitations per minute from one address */
  failuresOfInvitation: 30,
  // A check takes 0.1 s of CPU time.
  /** Passwords that are checked at once, per worker */
  passwordChecks: 2,
  /** Sign-ins that wait for a check, per worker; then 503 `too_busy` */
  waitingSignIns: 200,
  /** Time that a sign-in waits for a check; then 503 `too_busy` */
  signInWaitSeconds: 10,
} as const

/** Members */
export const memberLimits = {
  /** Members and open invitations per project; then invitations return 409 `too_many_members` */
  members: 500,
  /** Invitations per project and hour; then 409 `too_many_invitations` */
  invitationsPerHour: 30,
  /** Validity of an invitation */
  invitationSeconds: 7 * secondsOf.day,
} as const

/** Second factors and company accounts */
export const secondFactorLimits = {
  /** Recovery codes per user */
  recoveryCodes: 10,
  /** Validity of an authenticator code; the service also accepts the previous and the next code */
  totpSeconds: 30,
  /** Passkeys per user */
  passkeys: 20,
  /** Time between the password, or the company account, and the second factor */
  stepSeconds: 10 * secondsOf.minute,
  /** Age of a session in which a user without a password can change second factors */
  freshSessionSeconds: 10 * secondsOf.minute,
  /** Wrong codes per minute for one user */
  failuresPerMinute: 5,
  // A client that knows the password could otherwise guess a code within months.
  /** Wrong codes per hour for one user */
  failuresPerHour: 20,
  /** Period in which wrong codes per hour are counted */
  hourSeconds: secondsOf.hour,
  /** File that `CATALOG_OIDC_GROUPS_FILE` names */
  groupsFileBytes: 1_024 * kibibyte,
  /** Time after which the settings of the OpenID provider are read again */
  discoverySeconds: secondsOf.hour,
  /** Time until the service calls an OpenID provider again that did not respond */
  discoveryRetrySeconds: 2,
  /** Sign-ins with a company account that call the provider at the same time, per worker */
  exchanges: 8,
  /** Sign-ins with a company account that wait for the provider, per worker; then 503 `too_busy` */
  waitingExchanges: 200,
  /** Time that a sign-in with a company account waits for its turn; then 503 `too_busy` */
  exchangeWaitSeconds: 10,
} as const

/** Tokens */
export const tokenLimits = {
  /** Self-service tokens per project */
  ownTokens: 50,
  /** Overlap of a rotated token by default */
  overlapSeconds: secondsOf.day,
  /** Requests per second with unknown, expired or revoked tokens, or unknown media keys, from one address, per process */
  unknownPerSecond: 50,
  /** Burst of requests with unknown, expired or revoked tokens, or unknown media keys, from one address, per process */
  unknownBurst: 500,
} as const

/** Notifications */
export const notificationLimits = {
  /** Days after which a notification is deleted */
  days: 90,
  /** Notifications of one kind per user; older ones are deleted */
  ofKind: 100,
  /** Users that one event notifies */
  recipients: 200,
  /** Notifications that one request marks as read by their IDs */
  readIds: 500,
} as const

/** Activity */
export const activityLimits = {
  /** Days of activity per user and token */
  days: 30,
  /** Users and tokens on the overview, most active first */
  shown: 20,
} as const
