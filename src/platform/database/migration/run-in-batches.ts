import type pg from 'pg'
import { schemaUpgradeLimits } from '../../limits/database.ts'
import { walkInBatches } from '../../scheduling/walk-in-batches.ts'
import { sqlState } from '../failures.ts'
import { sqlStates } from '../sql-states.ts'
import { inTransaction, type MigrationLimits, type Retry } from './retries.ts'

/** After a batch that was quick enough the next one may be larger again. */
const growth = 1.1
const advice =
  'a batch takes longer than half a second, however few rows it has; give the server rest, or the statement an index, then start again'

/**
 * Runs a statement, each time in a transaction of its own, until it changes no row. $1 is how many rows it takes, fewer
 * after a batch that took too long; $2 is what it returned last (the first column of the last row), so that it need not look at rows
 * that are done.
 */
export async function runInBatches(
  client: pg.ClientBase,
  name: string,
  text: string,
  retry: Retry,
  { lockPatienceSeconds, report }: MigrationLimits,
): Promise<void> {
  const parameters = ['$1', '$2'].filter((parameter) => text.includes(parameter)).length
  const settings = [
    `statement_timeout = ${schemaUpgradeLimits.batchMilliseconds}`,
    `lock_timeout = ${schemaUpgradeLimits.rowLockMilliseconds}`,
    'plan_cache_mode = auto',
  ]
  let last: unknown = null
  let isTold = false
  const walk = {
    ...{
      first: schemaUpgradeLimits.batchRows,
      most: schemaUpgradeLimits.batchRows,
      // The statement timeout ends a batch that is too large, so each one that succeeds may be followed by a larger one.
      batchMilliseconds: 2 * schemaUpgradeLimits.batchMilliseconds,
      growth,
      isTooLarge,
    },
    patienceMilliseconds: lockPatienceSeconds * 1000,
  }
  await walkInBatches(walk, async (size, keepSize) => {
    if (size < schemaUpgradeLimits.batchRows && !isTold)
      report(`${name} takes fewer rows at a time, because a batch took too long`)
    isTold = size < schemaUpgradeLimits.batchRows
    const batch = () => client.query<Record<string, unknown>>(text, [size, last].slice(0, parameters))
    let tries = 0
    const { rowCount, rows } = await retry(() => {
      tries += 1
      return inTransaction(client, settings, batch)
    })
    // A wait for a row that somebody holds says nothing about the size.
    if (tries > 1) keepSize()
    if (rowCount === null || rowCount === 0) return true
    last = Object.values(rows.at(-1) ?? {})[0] ?? null
    return undefined
  }).catch((error) => {
    throw isTooLarge(error) ? new Error(`${name}: ${advice}: ${text.slice(0, 200)}`, { cause: error }) : error
  })
}

function isTooLarge(error: unknown): boolean {
  return sqlState(error) === sqlStates.queryCanceled
}
