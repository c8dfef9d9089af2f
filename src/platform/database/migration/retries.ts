import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { isLockedOut, isRetryable } from '../failures.ts'

export type MigrationLimits = {
  /** How long a migration tries to get a lock that others hold. */
  lockPatienceSeconds: number
  /** Hears what takes long, for people. */
  tell: (line: string) => void
}

/** Runs work again while other transactions hold what it locks. */
export type Retry = <Result>(work: () => Promise<Result>) => Promise<Result>

// Writers queue behind a lock that is waited for: each try is shorter than they would notice.
export const lockTimeoutMilliseconds = 500
const firstPauseMilliseconds = 100
const longestPauseMilliseconds = 2_000

export function retryWhileLocked(name: string, { lockPatienceSeconds, tell }: MigrationLimits): Retry {
  return async (work) => {
    const end = Date.now() + lockPatienceSeconds * 1000
    for (let pause = firstPauseMilliseconds; ; pause = Math.min(pause * 2, longestPauseMilliseconds)) {
      try {
        return await work()
      } catch (error) {
        if (!isLockedOut(error) && !isRetryable(error)) throw error
        if (Date.now() >= end)
          throw new Error(
            `${name} could not lock what it changes within ${lockPatienceSeconds} s; end the transactions that pg_stat_activity shows as open for long, then start again`,
            { cause: error },
          )
        if (pause === firstPauseMilliseconds) tell(`${name} waits for a lock that another transaction holds`)
        await sleep(pause)
      }
    }
  }
}

export async function inTransaction<Result>(
  client: pg.ClientBase,
  settings: string[],
  work: () => Promise<Result>,
): Promise<Result> {
  const all = [`lock_timeout = ${lockTimeoutMilliseconds}`, ...settings].map((one) => `set local ${one}`)
  await client.query(['begin isolation level read committed', ...all].join('; '))
  try {
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}
