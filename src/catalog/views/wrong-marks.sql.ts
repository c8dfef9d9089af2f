import { markUnrecordedChange } from '../../model/freshness/unrecorded-change.sql.ts'
import type { Database, Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { findProducts } from '../products/product.sql.ts'
import { type ComputedScore, computeScores, setScores } from '../quality/scores.sql.ts'
import type { Rulesets } from '../rulesets/rulesets.ts'

/** Projects that have or had a view, with their ruleset in force. */
export function listProjectsWithViews(
  database: Queryable,
): Promise<{ project_id: number; ruleset: number }[]> {
  return database.query(sql<{ project_id: number; ruleset: number }>`
    select project.id as project_id, project.ruleset from projects as project
    join rulesets on rulesets.project_id = project.id and rulesets.version = project.ruleset
    where rulesets.views is not null order by project.id`)
}

type Place = { project_id: number; ruleset: number; after: number }
const isWrong = sql`product.view_marks is distinct from computed.marks`

/**
 * Computes the marks of the next products, and returns those that differ; undefined after the last product. A product that another
 * ruleset scored is left out: scoring also marks it.
 */
export async function findWrongMarks(
  database: Database,
  rulesets: Rulesets,
  { project_id: projectId, ruleset: version, after }: Place,
  limit: number,
): Promise<{ wrong: ComputedScore[]; last: number } | undefined> {
  const keys = await database.query(sql<{ projectId: number; id: number }>`
    select project_id as "projectId", id from products
    where project_id = ${projectId} and id > ${after} order by id limit ${limit}`)
  const last = keys.at(-1)
  if (last === undefined) return undefined
  const ruleset = await rulesets.of({ project_id: projectId, ruleset: version })
  const rows = [...(await findProducts(database, keys)).values()]
  const own = rows.filter(({ quality_ruleset }) => quality_ruleset === version)
  const computed = await computeScores(own, () => ruleset)
  const marks = computed.map(({ id, version: of, marks: all }) => ({ id, version: of, marks: all }))
  const wrong = await database.query(sql<{ id: number }>`
    select product.id from json_to_recordset(${JSON.stringify(marks)}::json) as computed (id bigint, version integer, marks text[])
    join products as product on product.project_id = ${projectId} and product.id = computed.id and product.version = computed.version
    where ${isWrong}`)
  const ids = new Set(wrong.map(({ id }) => id))
  return { wrong: computed.filter(({ id }) => ids.has(id)), last: last.id }
}

export async function repairMarks(
  database: Database,
  projectId: number,
  wrong: readonly ComputedScore[],
): Promise<void> {
  await database.transaction(async (tx) => {
    await markUnrecordedChange(tx, [projectId])
    await setScores(tx, wrong, isWrong)
  })
}
