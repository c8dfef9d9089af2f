import type { Writable } from '../database/database.ts'
import {
  areRulesApplied,
  lockUnscored,
  markRulesApplied,
  type ProductScore,
  setScores,
} from './quality-score.sql.ts'
import { qualityRulesVersion, scoreProduct } from './quality-score.ts'

const portion = 500

/** After the rules changed, computes every stored score again, a portion a transaction. Several services share the work. */
export async function applyQualityRules(database: Writable, signal: AbortSignal): Promise<void> {
  if (await areRulesApplied(database, qualityRulesVersion)) return
  while (!signal.aborted) {
    const count = await database.transaction(async (tx) => {
      const rows = await lockUnscored(tx, qualityRulesVersion, portion)
      const scores = rows.map(
        (row): ProductScore => ({ project_id: row.project, id: row.id, ...scoreProduct(row) }),
      )
      await setScores(tx, qualityRulesVersion, scores)
      return rows.length
    })
    if (count === 0) return markRulesApplied(database, qualityRulesVersion)
  }
}
