import { createHash } from 'node:crypto'
import type { Queryable } from '../database/database.ts'
import { sql, write } from '../database/sql.ts'
import { Problem } from '../http/problems.ts'
import { networkOf } from '../http/request/network-of.ts'

const windowSeconds = 60

type Counted = { key: string; most: number }

/**
 * Wrong passwords a minute. The first limit stops a guesser long before the last, which holds for one account over all
 * addresses: one guesser alone cannot keep the owner out.
 */
export function signInLimits(email: string, address: string): Counted[] {
  const from = networkOf(address)
  return [
    { key: `account ${email.toLowerCase()} from ${from}`, most: 10 },
    { key: `address ${from}`, most: 30 },
    { key: `account ${email.toLowerCase()}`, most: 60 },
  ]
}

/** For a user who is signed in and gives the password again to change it. */
export function passwordLimits(userId: number): Counted[] {
  return [{ key: `password of user ${userId}`, most: 10 }]
}

/** Secrets of invitations that nobody has made. */
export function invitationLimits(address: string): Counted[] {
  return [{ key: `invitation from ${networkOf(address)}`, most: 30 }]
}

/** Counts a failure before the check, so that many guesses at once do not slip through; a right password takes it back. */
export async function throttled<Result>(
  database: Queryable,
  limits: Counted[],
  check: () => Promise<Result>,
): Promise<Result> {
  for (const { key, most } of limits) {
    const { failures, seconds } = await countFailure(database, key)
    if (failures > most)
      throw new Problem('too_many_attempts', { headers: { 'retry-after': String(Math.max(1, seconds)) } })
  }
  const result = await check()
  await forgive(
    database,
    limits.map(({ key }) => key),
  )
  return result
}

async function countFailure(
  database: Queryable,
  key: string,
): Promise<{ failures: number; seconds: number }> {
  const statement = sql<{ failures: number; seconds: number }>`
    insert into sign_in_failures as counted (key, failures, expires_at)
    values (${hashed(key)}, 1, now() + make_interval(secs => ${windowSeconds}))
    on conflict (key) do update
    set failures = case when counted.expires_at <= now() then 1 else counted.failures + 1 end,
        expires_at = case when counted.expires_at <= now() then excluded.expires_at else counted.expires_at end
    returning failures, ceil(extract(epoch from expires_at - now()))::int as seconds`
  const [row] = await database.query(write(statement))
  return row as { failures: number; seconds: number }
}

async function forgive(database: Queryable, keys: string[]): Promise<void> {
  const statement = sql`
    update sign_in_failures set failures = greatest(failures - 1, 0) where key = any(${keys.map(hashed)}::bytea[])`
  await database.query(write(statement))
}

function hashed(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}
