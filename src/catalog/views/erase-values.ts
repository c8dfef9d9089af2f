import { viewKey } from '../../model/fields/view-paths.ts'
import { contentOf, differences } from '../../model/product/product-content.ts'
import type { Ruleset } from '../../model/quality/ruleset.ts'
import type { Database, Transaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { Problem } from '../../platform/http/problems.ts'
import { walkInBatches } from '../../platform/scheduling/walk-in-batches.ts'
import { writeLimits } from '../limits.ts'
import { findProducts } from '../products/product.sql.ts'
import type { Returned } from '../products/write-products.sql.ts'
import { type Author, writeChanges } from '../products/write-products.ts'
import { lockProductsInView } from './view.sql.ts'

export type Erasure = { projectId: number; author: Author; ruleset: Ruleset; code: string }

const returnNothing: Returned<object> = { names: [], columns: sql`1 as written`, read: (row) => row }

/** Removes the values of a view from all products, each with a version. Each batch is a transaction, so the same request continues. */
export async function eraseValues(database: Database, erasure: Erasure): Promise<void> {
  const limits = {
    statementTimeoutSeconds: writeLimits.mergeStatementSeconds,
    bulk: true,
    project: erasure.projectId,
  }
  await walkInBatches({}, async () => {
    const batch = await database.transaction((tx) => eraseBatch(tx, erasure), limits)
    return batch < writeLimits.mergedProducts || undefined
  })
}

/** Removes the values of a view, then the view. Other clients can add values meanwhile. */
export async function eraseView(
  database: Database,
  erasure: Erasure,
  remove: () => Promise<void>,
): Promise<void> {
  for (let left: number = writeLimits.mergeRounds; left > 0; left -= 1) {
    await eraseValues(database, erasure)
    try {
      return await remove()
    } catch (error) {
      if (!(error instanceof Problem) || error.problemCode !== 'view_in_use' || left === 1) throw error
    }
  }
}

async function eraseBatch(tx: Transaction, { projectId, author, ruleset, code }: Erasure): Promise<number> {
  const ids = await lockProductsInView(tx, projectId, code, writeLimits.mergedProducts)
  // Two statements: a single one would read from the snapshot before the wait for the lock.
  const rows = await findProducts(
    tx,
    ids.map((id) => ({ projectId, id })),
  )
  const changes = [...rows.values()].flatMap((row) => {
    const before = contentOf(row)
    const content = { ...before, [viewKey(code)]: null }
    const step = differences(before, content)
    return step === undefined
      ? []
      : [{ row, content, steps: [step], levels: undefined, adjustments: [], author, ruleset }]
  })
  if (changes.length > 0) await writeChanges(tx, projectId, changes, returnNothing)
  return ids.length
}
