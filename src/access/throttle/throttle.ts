import { createHash } from 'node:crypto'
import type { Queryable } from '../../platform/database/database.ts'
import type { Buckets } from '../../platform/http/limits/token-buckets.ts'
import { problems } from '../../platform/http/problem-catalog.ts'
import { Problem } from '../../platform/http/problems.ts'
import { clientNetwork } from '../../platform/http/request/client-network.ts'
import { type ConcurrencyLimits, limitConcurrency } from '../../platform/scheduling/concurrency-limit.ts'
import { accountLimits, secondFactorLimits } from '../limits.ts'
import { countFailure, findLockoutSeconds, forgiveFailures } from './throttle.sql.ts'

/** What is counted, and its limit of failures per period: a minute by default. */
type Counted = { name: string; most: number; windowSeconds?: number }

export type Throttle = ReturnType<typeof openThrottle>

/**
 * Limits for wrong passwords. The address comes first, so that a blocked address costs no further lookups. The limit per account over
 * all addresses is high enough that a single attacker cannot lock the owner out.
 */
export function signInLimits(email: string, address: string): Counted[] {
  const from = clientNetwork(address)
  return [
    { name: `address ${from}`, most: accountLimits.failuresOfAddress },
    { name: `account ${email.toLowerCase()} from ${from}`, most: accountLimits.failuresOfAccountAndAddress },
    { name: `account ${email.toLowerCase()}`, most: accountLimits.failuresOfAccount },
  ]
}

/** For a signed-in user who enters the current password to change it. */
export function passwordLimits(userId: number): Counted[] {
  return [{ name: `password of user ${userId}`, most: accountLimits.failuresOfPasswordChange }]
}

/** For codes and passkeys of one user. The limit per hour prevents clients from guessing a six-digit code. */
export function secondFactorLimitsOf(userId: number): Counted[] {
  const { failuresPerMinute, failuresPerHour, hourSeconds } = secondFactorLimits
  return [
    { name: `second factor of user ${userId}`, most: failuresPerMinute },
    { name: `second factor of user ${userId}, hourly`, most: failuresPerHour, windowSeconds: hourSeconds },
  ]
}

/** For a sign-in by passkey or company account, where the user is not known beforehand. */
export function addressLimits(address: string): Counted[] {
  return [{ name: `address ${clientNetwork(address)}`, most: accountLimits.failuresOfAddress }]
}

/** For unknown invitation secrets. */
export function invitationLimits(address: string): Counted[] {
  return [{ name: `invitation from ${clientNetwork(address)}`, most: accountLimits.failuresOfInvitation }]
}

const checksAtOnce = {
  most: accountLimits.passwordChecks,
  maxWaitSeconds: accountLimits.signInWaitSeconds,
  maxWaiting: accountLimits.waitingSignIns,
}

/** For checks that wait for the OpenID provider: a slow provider must not delay passwords, which operators then need. */
export const exchangesAtOnce = {
  most: secondFactorLimits.exchanges,
  maxWaitSeconds: secondFactorLimits.exchangeWaitSeconds,
  maxWaiting: secondFactorLimits.waitingExchanges,
}

/**
 * Rejects clients after too many failures, with the least expensive check first: shared memory, then a database read. An attempt is counted
 * before its password is checked, so that concurrent guesses cannot bypass the limit; a correct password undoes the count.
 */
export function openThrottle(
  database: Queryable,
  memory: Pick<Buckets, 'take' | 'giveBack'>,
  atOnce: ConcurrencyLimits = checksAtOnce,
) {
  const checks = limitConcurrency(atOnce)

  async function count(limits: readonly Keyed[]): Promise<void> {
    for (const { key, most, windowSeconds } of limits) {
      const { failures, seconds } = await countFailure(database, key, windowSeconds)
      if (failures > most) throw tooManyAttempts(seconds)
    }
  }

  const forgive = (limits: readonly Keyed[]) =>
    forgiveFailures(
      database,
      limits.map(({ key }) => key),
    )

  return async function throttled<Result>(
    counted: readonly Counted[],
    check: () => Promise<Result>,
  ): Promise<Result> {
    const limits = counted.map(({ name, ...limit }) => ({ key: hashKey(name), ...limit }))
    const giveBack = takeFromMemory(memory, limits)
    try {
      const lockoutSeconds = await findLockoutSeconds(database, limits)
      if (lockoutSeconds !== undefined) throw tooManyAttempts(lockoutSeconds)
      const result = await checks.run(async () => {
        await count(limits)
        return check()
      })
      giveBack()
      await forgive(limits)
      return result
    } catch (error) {
      // Other errors are not caused by the client, such as an unavailable database or provider.
      const status = error instanceof Problem ? problems[error.problemCode].status : undefined
      if (status === undefined || status >= 500) giveBack()
      if (status !== undefined && status >= 500) await forgive(limits)
      throw error
    }
  }
}

type Keyed = { key: Buffer; most: number; windowSeconds?: number }

/** Counts the first limit only: it bounds how many of the other keys one client can create. */
function takeFromMemory(
  { take, giveBack }: Pick<Buckets, 'take' | 'giveBack'>,
  [first]: Keyed[],
): () => void {
  if (first === undefined) return () => {}
  const owner = first.key.readBigInt64LE() || 1n
  const limit = { requestsPerSecond: first.most / accountLimits.failureWindowSeconds, burst: first.most }
  const { allowed, retryAfterSeconds } = take(owner, limit)
  if (!allowed) throw tooManyAttempts(retryAfterSeconds)
  return () => giveBack(owner, limit)
}

function tooManyAttempts(seconds: number): Problem {
  return new Problem('too_many_attempts', { headers: { 'retry-after': String(Math.max(1, seconds)) } })
}

function hashKey(name: string): Buffer {
  return createHash('sha256').update(name).digest()
}
