import type { Queryable, Transaction } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { ProductRow } from './describe-product.ts'
import { findProducts, type ProductKey } from './product.sql.ts'

export type ProductScore = { project_id: number; id: number; score: number; failed: string[] }

export async function areRulesApplied(database: Queryable, version: number): Promise<boolean> {
  const rows = await database.query(sql`select from applied_quality_rules where version = ${version}`)
  return rows.length > 0
}

export async function markRulesApplied(database: Queryable, version: number): Promise<void> {
  await database.query(sql`
    insert into applied_quality_rules (version) values (${version}) on conflict do nothing`)
}

/** The next products in the order of their key: as many are looked at as are returned, whatever their rules. */
export async function listProductsAfter(
  database: Queryable,
  version: number,
  { projectId, id }: ProductKey,
  limit: number,
): Promise<(ProductKey & { outdated: boolean })[]> {
  return database.query(sql<ProductKey & { outdated: boolean }>`
    select project_id as "projectId", id, quality_rules_version <> ${version} as outdated from products
    where (project_id, id) > (${projectId}, ${id}) order by project_id, id limit ${limit}`)
}

/** Those whose score is still of other rules; those that another process works on are left to it. */
export async function lockOutdated(
  tx: Transaction,
  version: number,
  keys: ProductKey[],
): Promise<ProductRow[]> {
  const projects = keys.map(({ projectId }) => projectId)
  const ids = keys.map(({ id }) => id)
  const locked = await tx.query(sql<ProductKey>`
    select product.project_id as "projectId", product.id
    from unnest(${projects}::bigint[], ${ids}::bigint[]) as wanted (project_id, id)
    join products as product on product.project_id = wanted.project_id and product.id = wanted.id
    where product.quality_rules_version <> ${version}
    for no key update of product skip locked`)
  return [...(await findProducts(tx, locked)).values()]
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
