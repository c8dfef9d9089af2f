import { openRulesets } from '../../catalog/rulesets/rulesets.ts'
import { findWrongMarks, listProjectsWithViews, repairMarks } from '../../catalog/views/wrong-marks.sql.ts'
import type { Database } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { type Check, failure, ok, onDatabase } from './check.ts'

const checkedPerStatement = 100

/** Compares the stored view marks, which filters use, with the products. */
export const viewsCheck: Check = onDatabase('views', async (database, { repair }) => {
  const [column] = await database.query(sql`
    select from information_schema.columns where table_name = 'scoring_jobs' and column_name = 'is_marking'`)
  if (column === undefined) return ok('not checked until the migrations are applied')
  const wrong = await walk(database, repair)
  if (wrong === 0) return ok('all stored view marks match the products')
  if (repair) return ok(`fixed the view marks of ${wrong} products`)
  return failure(
    `the stored view marks of ${wrong} products do not match their values`,
    'run "catalog doctor --repair", and find out whether an older release writes to the database',
  )
})

async function walk(database: Database, repair: boolean): Promise<number> {
  const rulesets = openRulesets(database)
  let count = 0
  for (const project of await listProjectsWithViews(database)) {
    let after = 0
    for (;;) {
      const found = await findWrongMarks(database, rulesets, { ...project, after }, checkedPerStatement)
      if (found === undefined) break
      count += found.wrong.length
      if (repair && found.wrong.length > 0) await repairMarks(database, project.project_id, found.wrong)
      after = found.last
    }
  }
  return count
}
