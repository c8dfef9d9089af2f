import { createHash } from 'node:crypto'
import type { Queryable } from '../../platform/database/database.ts'
import type { Buckets } from '../../platform/http/limits/token-buckets.ts'
import { Problem } from '../../platform/http/problems.ts'
import { clientNetwork } from '../../platform/http/request/client-network.ts'
import { limitConcurrency } from '../../platform/scheduling/concurrency-limit.ts'
import { accountLimits } from '../limits.ts'
import { countFailure, findRefusal, forgiveFailures } from './throttle.sql.ts'

/** Who is counted, and the failures per minute that they may have. */
type Counted = { name: string; most: number }

export type Throttle = ReturnType<typeof openThrottle>

/**
 * Wrong passwords a minute. An address comes first: where it is refused, its emails are not even looked at. The last limit holds for one
 * account over all addresses, and is so high that one guesser alone cannot keep the owner out.
 */
export function signInLimits(email: string, address: string): Counted[] {
  const from = clientNetwork(address)
  return [
    { name: `address ${from}`, most: accountLimits.failuresOfAddress },
    { name: `account ${email.toLowerCase()} from ${from}`, most: accountLimits.failuresOfAccountAndAddress },
    { name: `account ${email.toLowerCase()}`, most: accountLimits.failuresOfAccount },
  ]
}

/** For a user who is signed in and gives the password again to change it. */
export function passwordLimits(userId: number): Counted[] {
  return [{ name: `password of user ${userId}`, most: accountLimits.failuresOfPasswordChange }]
}

/** Secrets of invitations that nobody has made. */
export function invitationLimits(address: string): Counted[] {
  return [{ name: `invitation from ${clientNetwork(address)}`, most: accountLimits.failuresOfInvitation }]
}

/** Further checks wait. */
const checksAtOnce = {
  most: accountLimits.passwordChecks,
  patienceSeconds: accountLimits.signInWaitSeconds,
  maxWaiting: accountLimits.waitingSignIns,
}

/**
 * Refuses whoever failed too often, at the least cost first: by the memory that the workers share, then by a read. Only an attempt that
 * is checked writes. It is counted before the check, so that many guesses at once do not slip through; a right password takes it back.
 */
export function openThrottle(database: Queryable, memory: Pick<Buckets, 'take' | 'giveBack'>) {
  const checks = limitConcurrency(checksAtOnce)

  async function count(limits: readonly Keyed[]): Promise<void> {
    for (const { key, most } of limits) {
      const { failures, seconds } = await countFailure(database, key)
      if (failures > most) throw tooManyAttempts(seconds)
    }
  }

  return async function throttled<Result>(
    counted: readonly Counted[],
    check: () => Promise<Result>,
  ): Promise<Result> {
    const limits = counted.map(({ name, most }) => ({ key: hashed(name), most }))
    const giveBack = takeFromMemory(memory, limits)
    try {
      const refusedSeconds = await findRefusal(database, limits)
      if (refusedSeconds !== undefined) throw tooManyAttempts(refusedSeconds)
      const result = await checks.run(async () => {
        await count(limits)
        return check()
      })
      giveBack()
      await forgiveFailures(
        database,
        limits.map(({ key }) => key),
      )
      return result
    } catch (error) {
      // Anything else is no fault of the client, such as a database that is away.
      if (!(error instanceof Problem)) giveBack()
      throw error
    }
  }
}

type Keyed = { key: Buffer; most: number }

/** Counts the first limit, which bounds how many of the others one client can make up. */
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

function hashed(name: string): Buffer {
  return createHash('sha256').update(name).digest()
}
