import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

/**
 * Views that have had another currency since a time: earlier amounts are not in the current one. Starts one minute before the time,
 * because a writer reads the currency before it stores an amount.
 */
export async function listChangedCurrencies(
  database: Queryable,
  projectId: number,
  since: string,
): Promise<ReadonlySet<string>> {
  const rows = await database.query(sql<{ code: string }>`
    with former as (
      select definition.code, definition.currency from rulesets as ruleset
      cross join jsonb_to_recordset(ruleset.views -> 'definitions') as definition (code text, currency text)
      where ruleset.project_id = ${projectId} and ruleset.version >= coalesce((
        select max(version) from rulesets
        where project_id = ${projectId} and created_at <= ${since}::timestamptz - interval '1 minute'), 0)
    )
    select distinct former.code from former
    join projects as project on project.id = ${projectId}
    join rulesets as ruleset on ruleset.project_id = project.id and ruleset.version = project.ruleset
    cross join jsonb_to_recordset(ruleset.views -> 'definitions') as current (code text, currency text)
    where current.code = former.code and current.currency <> former.currency`)
  return new Set(rows.map(({ code }) => code))
}
