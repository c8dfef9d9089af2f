import type { Queryable, Transaction } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { ProductRow } from './describe-product.ts'
import { findProducts } from './product.sql.ts'

export type ProductScore = { project_id: number; id: number; score: number; failed: string[] }

export async function areRulesApplied(database: Queryable, version: number): Promise<boolean> {
  const rows = await database.query(sql`select from applied_quality_rules where version = ${version}`)
  return rows.length > 0
}

/** Not while another process still works on some. */
export async function markRulesApplied(database: Queryable, version: number): Promise<void> {
  await database.query(sql`
    insert into applied_quality_rules (version)
    select ${version}::smallint where not exists (select from products where quality_rules_version <> ${version})
    on conflict do nothing`)
}

/** Products whose score is of other rules; those that another process works on are left to it. */
export async function lockUnscored(tx: Transaction, version: number, limit: number): Promise<ProductRow[]> {
  const keys = await tx.query(sql<{ project_id: number; id: number }>`
    select project_id, id from products where quality_rules_version <> ${version}
    limit ${limit} for no key update skip locked`)
  const found = await findProducts(
    tx,
    keys.map(({ project_id, id }) => ({ projectId: project_id, id })),
  )
  return [...found.values()]
}

/** The score is derived: neither version nor time of the product changes. */
export async function setScores(tx: Transaction, version: number, scores: ProductScore[]): Promise<void> {
  await tx.query(sql`
    update products as product
    set quality_score = computed.score, quality_failed = computed.failed, quality_rules_version = ${version},
        quality_computed_at = clock_timestamp()
    from json_to_recordset(${JSON.stringify(scores)}::json) as computed (project_id bigint, id bigint, score smallint, failed text[])
    where product.project_id = computed.project_id and product.id = computed.id`)
}
