import type pg from 'pg'
import { schemaUpgradeLimits } from '../../limits/database.ts'
import { doublingPauses, retry } from '../../scheduling/retry.ts'
import { isLockedOut, isRetryable } from '../failures.ts'

export type MigrationLimits = {
  /** How long a migration tries to get a lock that other transactions hold. */
  maxLockWaitSeconds: number
  /** Receives messages about steps that take long. */
  report: (line: string) => void
}

/** Repeats work while other transactions hold its locks. */
export type Retry = <Result>(work: () => Promise<Result>) => Promise<Result>

const { firstPauseMilliseconds, maxPauseMilliseconds, lockMilliseconds } = schemaUpgradeLimits
const pauses = doublingPauses(firstPauseMilliseconds, maxPauseMilliseconds)

export function retryWhileLocked(name: string, { maxLockWaitSeconds, report }: MigrationLimits): Retry {
  const policy = {
    pauses,
    withinMilliseconds: maxLockWaitSeconds * 1000,
    isRetryable: (error: unknown) => isLockedOut(error) || isRetryable(error),
    exhausted: (cause: unknown) =>
      new Error(
        `${name} could not lock its tables within ${maxLockWaitSeconds} s; end the long transactions that pg_stat_activity shows, then start again`,
        { cause },
      ),
  }
  return (work) =>
    retry(policy, (failures) => {
      if (failures === 1) report(`${name} is waiting for a lock that another transaction holds`)
      return work()
    })
}

export async function inTransaction<Result>(
  client: pg.ClientBase,
  settings: string[],
  work: () => Promise<Result>,
): Promise<Result> {
  const all = [`lock_timeout = ${lockMilliseconds}`, ...settings].map((one) => `set local ${one}`)
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
