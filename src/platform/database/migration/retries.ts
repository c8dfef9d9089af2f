import type pg from 'pg'
import { schemaUpgradeLimits } from '../../limits/database.ts'
import { doublingPauses, retry } from '../../scheduling/retry.ts'
import { isLockedOut, isRetryable } from '../failures.ts'

export type MigrationLimits = {
  /** How long a migration tries to get a lock that others hold. */
  lockPatienceSeconds: number
  /** Hears what takes long, for people. */
  report: (line: string) => void
}

/** Runs work again while other transactions hold what it locks. */
export type Retry = <Result>(work: () => Promise<Result>) => Promise<Result>

const pauses = doublingPauses(100, 2_000)

export function retryWhileLocked(name: string, { lockPatienceSeconds, report }: MigrationLimits): Retry {
  const policy = {
    pauses,
    withinMilliseconds: lockPatienceSeconds * 1000,
    isRetryable: (error: unknown) => isLockedOut(error) || isRetryable(error),
    exhausted: (cause: unknown) =>
      new Error(
        `${name} could not lock what it changes within ${lockPatienceSeconds} s; end the transactions that pg_stat_activity shows as open for long, then start again`,
        { cause },
      ),
  }
  return (work) =>
    retry(policy, (failures) => {
      if (failures === 1) report(`${name} waits for a lock that another transaction holds`)
      return work()
    })
}

export async function inTransaction<Result>(
  client: pg.ClientBase,
  settings: string[],
  work: () => Promise<Result>,
): Promise<Result> {
  const all = [`lock_timeout = ${schemaUpgradeLimits.lockMilliseconds}`, ...settings].map(
    (one) => `set local ${one}`,
  )
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
