import type pg from 'pg'
import { sqlState } from '../failures.ts'
import { inTransaction, type Retry } from './retries.ts'

/** A batch holds its rows until it ends, and whoever writes one of them waits. */
const batchMilliseconds = 500
/** Less than the batch has, so that a row which somebody holds is not taken for a batch that is too large. */
const lockMilliseconds = 200
const batchRows = 500
const queryCanceled = '57014'

/**
 * Runs a statement, each time in a transaction of its own, until it changes no row. $1 is how many rows it takes, fewer
 * when these took too long; $2 is what it returned last (the first column of the last row), so that it need not look at rows
 * that are done.
 */
export async function runInBatches(client: pg.ClientBase, text: string, retry: Retry): Promise<void> {
  const parameters = ['$1', '$2'].filter((parameter) => text.includes(parameter)).length
  const settings = [
    `statement_timeout = ${batchMilliseconds}`,
    `lock_timeout = ${lockMilliseconds}`,
    'plan_cache_mode = auto',
  ]
  let last: unknown = null
  for (let size = batchRows; ; ) {
    const values = [size, last].slice(0, parameters)
    try {
      const batch = () => client.query<Record<string, unknown>>(text, values)
      const { rowCount, rows } = await retry(() => inTransaction(client, settings, batch))
      if (rowCount === null || rowCount === 0) return
      last = Object.values(rows.at(-1) ?? {})[0] ?? null
    } catch (error) {
      if (sqlState(error) !== queryCanceled || parameters === 0 || size === 1) throw error
      size = Math.ceil(size / 4)
    }
  }
}
