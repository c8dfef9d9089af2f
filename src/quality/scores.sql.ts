import type { Queryable, Transaction } from '../database/database.ts'
import { mapInTurns } from '../database/scheduling/map-in-turns.ts'
import { type Sql, sql } from '../database/sql.ts'
import type { ProductRow } from '../products/describe-product.ts'
import { findProducts, type ProductKey } from '../products/product.sql.ts'
import { defaultRulesVersion } from './default-rules.ts'
import { scoreProduct } from './quality-score.ts'
import type { Ruleset } from './ruleset.ts'

/** A product that a walk meets. Its score is outdated where other rules made it. */
export type Met = ProductKey & { outdated: boolean }

/** How many products a statement looks at, and how many a transaction scores: those may be large. */
export const batchSizes = { looked: 1000, scored: 100 }

/** Those whose score is still of other rules; those that another process works on are left to it. */
export async function lockOutdated(
  tx: Transaction,
  keys: readonly ProductKey[],
  isOutdated: Sql,
): Promise<ProductRow[]> {
  if (keys.length === 0) return []
  const projects = keys.map(({ projectId }) => projectId)
  const ids = keys.map(({ id }) => id)
  const locked = await tx.query(sql<ProductKey>`
    select product.project_id as "projectId", product.id
    from unnest(${projects}::bigint[], ${ids}::bigint[]) as wanted (project_id, id)
    join products as product on product.project_id = wanted.project_id and product.id = wanted.id
    where ${isOutdated}
    for no key update of product skip locked`)
  return [...(await findProducts(tx, locked)).values()]
}

/** The score is derived: neither version nor time of the product changes. */
export async function setScores(
  tx: Transaction,
  rows: readonly ProductRow[],
  rulesetOf: (row: ProductRow) => Ruleset,
): Promise<void> {
  const scores = await mapInTurns(rows, (row) => {
    const ruleset = rulesetOf(row)
    return { project_id: row.project, id: row.id, ruleset: ruleset.version, ...scoreProduct(row, ruleset) }
  })
  if (scores.length === 0) return
  await tx.query(sql`
    update products as product
    set quality_score = computed.score, quality_failed = computed.failed, quality_ruleset = computed.ruleset,
        quality_rules_version = ${defaultRulesVersion}, quality_computed_at = clock_timestamp()
    from json_to_recordset(${JSON.stringify(scores)}::json)
      as computed (project_id bigint, id bigint, ruleset integer, score smallint, failed text[])
    where product.project_id = computed.project_id and product.id = computed.id`)
}

/** The rulesets in force of the rows' projects. */
export async function currentVersions(
  tx: Queryable,
  rows: readonly ProductRow[],
): Promise<{ project_id: number; ruleset: number }[]> {
  const projects = [...new Set(rows.map(({ project }) => project))]
  return tx.query(sql<{ project_id: number; ruleset: number }>`
    select id as project_id, ruleset from projects where id = any(${projects}::bigint[])`)
}
