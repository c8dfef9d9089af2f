import type pg from 'pg'
import { schemaUpgradeLimits } from '../../limits/database.ts'
import { walkInBatches } from '../../scheduling/walk-in-batches.ts'
import { sqlState } from '../failures.ts'
import { sqlStates } from '../sql-states.ts'
import { inTransaction, type MigrationLimits, type Retry } from './retries.ts'

/** The factor by which batches grow after a fast one. */
const growth = 1.1
const advice =
  'even a batch of one row takes longer than half a second; reduce the load on the server or add an index for the statement, then start again'

/**
 * Repeats a statement, each time in its own transaction, until it changes no row. $1 is the number of rows, which shrinks after
 * a batch that took too long. $2 is the first column of the last returned row, so that the statement can skip finished rows.
 */
export async function runInBatches(
  client: pg.ClientBase,
  name: string,
  text: string,
  retry: Retry,
  { maxLockWaitSeconds, report }: MigrationLimits,
): Promise<void> {
  const parameters = ['$1', '$2'].filter((parameter) => text.includes(parameter)).length
  const settings = [
    `statement_timeout = ${schemaUpgradeLimits.batchMilliseconds}`,
    `lock_timeout = ${schemaUpgradeLimits.rowLockMilliseconds}`,
    'plan_cache_mode = auto',
  ]
  let last: unknown = null
  let isReported = false
  const walk = {
    ...{
      first: schemaUpgradeLimits.batchRows,
      most: schemaUpgradeLimits.batchRows,
      // The statement timeout ends a batch that is too large, so the next batch after a success can be larger.
      batchMilliseconds: 2 * schemaUpgradeLimits.batchMilliseconds,
      growth,
      isTooLarge,
    },
    maxRetryMilliseconds: maxLockWaitSeconds * 1000,
  }
  await walkInBatches(walk, async (size, keepSize) => {
    if (size < schemaUpgradeLimits.batchRows && !isReported)
      report(`${name} takes fewer rows per batch, because a batch took too long`)
    isReported = size < schemaUpgradeLimits.batchRows
    const batch = () => client.query<Record<string, unknown>>(text, [size, last].slice(0, parameters))
    let attempts = 0
    const { rowCount, rows } = await retry(() => {
      attempts += 1
      return inTransaction(client, settings, batch)
    })
    // A wait for a locked row says nothing about the size.
    if (attempts > 1) keepSize()
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
