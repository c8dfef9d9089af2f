import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { raw, sql } from '../../platform/database/sql.ts'
import { matchesWords } from '../../platform/database/statements/matches-words.ts'
import { type Page, type PageRequest, selectPage } from '../../platform/database/statements/select-page.ts'
import type { AuditEntry } from './audit.schema.ts'

/** Who acts: the email of a console user, the user of the command line, or the demo. */
export type Actor = { name: string }

export type NewAuditEntry = {
  /** `noun.verb`, such as `token.revoke`. */
  action: string
  projectId?: number
  target: string
  details?: object
}

/** Shares the transaction of the action, so that neither exists without the other. */
export async function insertAuditEntry(
  tx: Transaction,
  { name }: Actor,
  { action, projectId, target, details = {} }: NewAuditEntry,
): Promise<void> {
  await tx.query(sql`
    insert into audit_entries (actor, action, project_id, target, details)
    values (${name}, ${action}, ${projectId ?? null}, ${target}, ${JSON.stringify(details)})`)
}

/** The name of a deleted project, from the audit entry of its deletion. */
const deletedProjectName = sql`(
  select deletion.details ->> 'name' from audit_entries as deletion
  where deletion.project_id = entry.project_id and deletion.action = 'project.delete')`

/** The nouns of actions. */
export const auditNouns = [
  'access_request',
  'ai_provider',
  'asset',
  'job',
  'member',
  'plan',
  'project',
  'run',
  'token',
  'user',
  'webhook',
] as const

type AuditFilters = { search?: string | undefined; noun?: string | undefined; project?: number | undefined }

export function listAuditEntries(
  database: Queryable,
  { search, noun, project }: AuditFilters,
  page: PageRequest,
): Promise<Page<AuditEntry>> {
  const searched = ['actor', 'action', 'target', 'details'].map((column) => sql`entry.${raw(column)}`)
  return selectPage(database, {
    columns: sql`entry.id, entry.at, entry.actor, entry.action, entry.target, entry.details,
      case when entry.project_id is not null then json_build_object(
        'id', entry.project_id, 'name', coalesce(project.name, ${deletedProjectName}, '')) end as project`,
    from: sql`audit_entries as entry left join projects as project on project.id = entry.project_id`,
    where: sql`${matchesWords([...searched, sql`project.name`], search)}
      ${noun === undefined ? sql`` : sql`and entry.action like ${`${noun.replaceAll('_', '\\_')}.%`}`}
      ${project === undefined ? sql`` : sql`and entry.project_id = ${project}`}`,
    isBroad: search !== undefined,
    orderBy: sql`entry.id desc`,
    page,
  })
}
