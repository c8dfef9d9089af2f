import type { AttributeDefinition } from '../attributes/attribute-definition.schema.ts'
import type { Queryable, Transaction } from '../database/database.ts'
import { sql } from '../database/sql.ts'

/** A ruleset as it is kept. Rules are null where the project has none of its own. */
export type StoredRuleset = { rules: readonly object[] | null; definitions: readonly AttributeDefinition[] }

const none: StoredRuleset = { rules: null, definitions: [] }

export async function findRuleset(
  database: Queryable,
  projectId: number,
  version: number,
): Promise<StoredRuleset | undefined> {
  const [row] = await database.query(sql<StoredRuleset>`
    select rules, definitions from rulesets where project_id = ${projectId} and version = ${version}`)
  return row
}

/** Puts a new version in force, made from the one before. Nobody else makes one until the transaction ends. */
export async function changeRuleset(
  tx: Transaction,
  projectId: number,
  change: (current: StoredRuleset) => StoredRuleset,
): Promise<number> {
  // This lock lets others write products meanwhile.
  const [project] = await tx.query(sql<{ ruleset: number }>`
    select ruleset from projects where id = ${projectId} for no key update`)
  const version = project?.ruleset ?? 0
  const current = (await findRuleset(tx, projectId, version)) ?? none
  const { rules, definitions } = change(current)
  await tx.query(sql`
    insert into rulesets (project_id, version, rules, definitions)
    values (${projectId}, ${version + 1}, ${rules === null ? null : JSON.stringify(rules)}::jsonb, ${JSON.stringify(definitions)}::jsonb)`)
  await tx.query(sql`update projects set ruleset = ${version + 1} where id = ${projectId}`)
  return version + 1
}
