import { contentOf } from '../../model/product/product-content.ts'
import type { ProductRow } from '../../model/product/product-row.ts'
import { defaultRulesVersion } from '../../model/quality/default-rules.ts'
import { scoreProduct } from '../../model/quality/quality-score.ts'
import type { Ruleset } from '../../model/quality/ruleset.ts'
import { marksOf } from '../../model/views/view-marks.ts'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { mapInTurns } from '../../platform/scheduling/map-in-turns.ts'
import type { ProductKey } from '../products/product.sql.ts'

/** A product on a walk. Its score is outdated if other rules computed it. */
export type VisitedProduct = ProductKey & { outdated: boolean }

/** A score with the marks of views, and the product version that they belong to. */
export type ComputedScore = {
  project_id: number
  id: number
  version: number
  ruleset: number
  score: number
  failed: string[]
  /** Null if there are none. */
  marks: string[] | null
}

/** Computes scores without locks and without a connection: an expensive pattern can take milliseconds per product. */
export function computeScores(
  rows: readonly ProductRow[],
  rulesetOf: (row: ProductRow) => Ruleset,
): Promise<ComputedScore[]> {
  const compute = (row: ProductRow): ComputedScore => {
    const ruleset = rulesetOf(row)
    const { score, failed } = scoreProduct(row, ruleset)
    const marks = ruleset.views === undefined ? [] : marksOf(contentOf(row), ruleset.views)
    return {
      project_id: row.project,
      id: row.id,
      version: row.version,
      ruleset: ruleset.version,
      score,
      failed,
      marks: marks.length === 0 ? null : marks,
    }
  }
  return mapInTurns(rows, compute, { rests: true })
}

/**
 * Stores scores, and returns their number. Skips products that changed since their score was computed, because they have a newer one,
 * and locked products. The version and time of a product do not change.
 */
export async function setScores(
  tx: Transaction,
  scores: readonly ComputedScore[],
  isOutdated: Sql,
): Promise<number> {
  if (scores.length === 0) return 0
  const updated = await tx.query(sql`
    with computed as materialized (
      select * from json_to_recordset(${JSON.stringify(scores)}::json)
        as computed (project_id bigint, id bigint, version integer, ruleset integer, score smallint, failed text[], marks text[])
    ), free as materialized (
      select product.project_id, product.id from computed
      join products as product on product.project_id = computed.project_id and product.id = computed.id
        and product.version = computed.version
      where ${isOutdated}
      for no key update of product skip locked
    )
    update products as product
    set quality_score = computed.score, quality_failed = computed.failed, quality_ruleset = computed.ruleset,
        view_marks = computed.marks,
        quality_rules_version = ${defaultRulesVersion}, quality_computed_at = clock_timestamp()
    from free join computed using (project_id, id)
    where product.project_id = free.project_id and product.id = free.id
    returning 1`)
  return updated.length
}

/** The versions in force for the projects of the rows. */
export async function currentVersions(
  database: Queryable,
  rows: readonly ProductRow[],
): Promise<{ project_id: number; ruleset: number }[]> {
  const projects = [...new Set(rows.map(({ project }) => project))]
  return database.query(sql<{ project_id: number; ruleset: number }>`
    select id as project_id, ruleset from projects where id = any(${projects}::bigint[])`)
}
