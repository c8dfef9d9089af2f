import { isDeepStrictEqual } from 'node:util'
import { type ChangeAuthor, recordEvents } from '../../model/events/record-events.sql.ts'
import { type StoredRuleset, serviceRuleset } from '../../model/quality/ruleset.ts'
import { rulesetChanges } from '../../model/quality/ruleset-changes.ts'
import type { StoredViews } from '../../model/views/views.ts'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { requestJob } from '../../platform/jobs/job.sql.ts'
import { scoringJob } from './scoring-job.ts'

export async function findRuleset(
  database: Queryable,
  projectId: number,
  version: number,
): Promise<StoredRuleset | undefined> {
  const [row] = await database.query(sql<StoredRuleset>`
    select rules, definitions, views from rulesets where project_id = ${projectId} and version = ${version}`)
  return row
}

/**
 * Creates a new version from the current one, requests scoring, and records events. If the change returns its argument, nothing
 * happens. No other request creates a version until the transaction ends.
 */
export async function changeRuleset(
  tx: Transaction,
  projectId: number,
  author: ChangeAuthor,
  change: (current: StoredRuleset, version: number) => StoredRuleset,
): Promise<number> {
  // This lock does not block product writes.
  const [project] = await tx.query(sql<{ ruleset: number }>`
    select ruleset from projects where id = ${projectId} for no key update`)
  const version = project?.ruleset ?? 0
  const current = (await findRuleset(tx, projectId, version)) ?? serviceRuleset
  const changed = change(current, version)
  if (changed === current) return version
  const { rules, definitions, views } = changed
  await tx.query(sql`
    insert into rulesets (project_id, version, rules, definitions, views)
    values (${projectId}, ${version + 1}, ${rules === null ? null : JSON.stringify(rules)}::jsonb, ${JSON.stringify(definitions)}::jsonb,
            ${views === null ? null : JSON.stringify(views)}::jsonb)`)
  await tx.query(sql`update projects set ruleset = ${version + 1} where id = ${projectId}`)
  await startScoring(tx, projectId, version + 1, areMarksChanged(current.views, changed.views))
  await recordEvents(tx, projectId, ...rulesetChanges(author, version, current, changed))
  return version + 1
}

/** A label or a locale has no marks. */
function areMarksChanged(before: StoredViews | null, after: StoredViews | null): boolean {
  const marked = (views: StoredViews | null) =>
    views?.definitions.map(({ label: _label, locale: _locale, ...own }) => own) ?? []
  return !isDeepStrictEqual(marked(before), marked(after))
}

/** Restarts scoring that an older ruleset had begun. */
async function startScoring(
  tx: Transaction,
  projectId: number,
  version: number,
  isMarking: boolean,
): Promise<void> {
  await tx.query(sql`
    insert into scoring_jobs as job (project_id, version, is_marking) values (${projectId}, ${version}, ${isMarking})
    on conflict (project_id) do update set is_marking = excluded.is_marking or (job.is_marking and job.completed_at is null),
      (version, changed_at, walks, walk_began_at, after_id, outdated, scored, completed_at, due_at)
      = (excluded.version, excluded.changed_at, excluded.walks, excluded.walk_began_at, excluded.after_id, excluded.outdated,
         excluded.scored, excluded.completed_at, excluded.due_at)`)
  await requestJob(tx, scoringJob(projectId))
}
