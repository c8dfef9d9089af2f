import type { Writable } from '../database/database.ts'
import { defaultRulesVersion } from './default-rules.ts'
import type { ProductKey } from './product.sql.ts'
import {
  areRulesApplied,
  listProductsAfter,
  lockOutdated,
  markRulesApplied,
  type ProductScore,
  setScores,
} from './quality-score.sql.ts'
import { scoreProduct } from './quality-score.ts'
import { defaultRuleset } from './ruleset.ts'

/** How many products a statement looks at, and how many a transaction computes: those may be large. */
const batch = { looked: 1000, computed: 100 }

/** After the rules changed, computes every stored score again, in short transactions. Several services share the work. */
export async function applyQualityRules(database: Writable, signal: AbortSignal): Promise<void> {
  if (await areRulesApplied(database, defaultRulesVersion)) return
  while (!signal.aborted) {
    const { outdated, computed } = await computeOutdated(database, signal)
    // Only after a walk that met none: an older service may have written behind the one before.
    if (outdated === 0 && !signal.aborted) return markRulesApplied(database, defaultRulesVersion)
    if (computed === 0) return
  }
}

/** Walks through all products once, by their key: no index names those whose score is of older rules. */
async function computeOutdated(
  database: Writable,
  signal: AbortSignal,
): Promise<{ outdated: number; computed: number }> {
  const result = { outdated: 0, computed: 0 }
  let after: ProductKey | undefined = { projectId: 0, id: 0 }
  while (after !== undefined && !signal.aborted) {
    const looked = await listProductsAfter(database, defaultRulesVersion, after, batch.looked)
    const outdated = looked.filter((product) => product.outdated)
    result.outdated += outdated.length
    for (let start = 0; start < outdated.length && !signal.aborted; start += batch.computed)
      result.computed += await compute(database, outdated.slice(start, start + batch.computed))
    after = looked.length < batch.looked ? undefined : looked.at(-1)
  }
  return result
}

function compute(database: Writable, keys: ProductKey[]): Promise<number> {
  return database.transaction(async (tx) => {
    const rows = await lockOutdated(tx, defaultRulesVersion, keys)
    const scores = rows.map(
      (row): ProductScore => ({ project_id: row.project, id: row.id, ...scoreProduct(row, defaultRuleset) }),
    )
    await setScores(tx, defaultRulesVersion, scores)
    return rows.length
  })
}
