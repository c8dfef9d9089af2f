import type { VersionNumber } from '../../model/prompts/version-number.ts'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { join, sql } from '../../platform/database/sql.ts'
import { type Page, type PageRequest, selectPage } from '../../platform/database/statements/select-page.ts'
import { notFound } from '../../platform/http/problems.ts'
import { labelShape, type PromptLabel, type PromptLabelMove } from './prompt-label.schema.ts'
import { versionNumber } from './prompt-version.sql.ts'

// The alias is `version`, because `versionNumber` reads the three numbers from there.
const columns = sql`version.label, ${versionNumber} as version_number, version.updated_at`

export async function findLabel(
  database: Queryable,
  projectId: number,
  promptId: number,
  label: string,
): Promise<PromptLabel | undefined> {
  const [row] = await database.query(sql<PromptLabel>`
    select ${columns} from prompt_labels as version
    where version.project_id = ${projectId} and version.prompt_id = ${promptId} and version.label = ${label}`)
  return row
}

/** Finds a label from the URL; a malformed label is not found. */
export async function requireLabel(
  database: Queryable,
  projectId: number,
  promptId: number,
  label: string,
): Promise<PromptLabel> {
  const found = labelShape.test(label) ? await findLabel(database, projectId, promptId, label) : undefined
  if (found === undefined) throw notFound('such label on prompt', promptId)
  return found
}

export async function upsertLabel(
  tx: Transaction,
  projectId: number,
  promptId: number,
  label: string,
  [major, minor, patch]: VersionNumber,
): Promise<PromptLabel> {
  const [row] = await tx.query(sql<PromptLabel>`
    insert into prompt_labels as version (project_id, prompt_id, label, major, minor, patch)
    values (${projectId}, ${promptId}, ${label}, ${major}, ${minor}, ${patch})
    on conflict (project_id, prompt_id, label) do update
    set major = excluded.major, minor = excluded.minor, patch = excluded.patch, updated_at = excluded.updated_at
    returning ${columns}`)
  return row as PromptLabel
}

export async function deleteLabel(
  tx: Transaction,
  projectId: number,
  promptId: number,
  label: string,
): Promise<void> {
  await tx.query(sql`
    delete from prompt_labels
    where project_id = ${projectId} and prompt_id = ${promptId} and label = ${label}`)
}

export async function insertLabelMove(
  tx: Transaction,
  projectId: number,
  promptId: number,
  move: Omit<PromptLabelMove, 'moved_at'>,
): Promise<void> {
  await tx.query(sql`
    insert into prompt_label_moves (project_id, prompt_id, label, from_version, to_version, actor)
    values (${projectId}, ${promptId}, ${move.label}, ${move.from_version}, ${move.to_version}, ${move.actor})`)
}

/** Newest first. */
export function listLabelMoves(
  database: Queryable,
  projectId: number,
  promptId: number,
  label: string | undefined,
  page: PageRequest,
): Promise<Page<PromptLabelMove>> {
  const conditions = [sql`project_id = ${projectId}`, sql`prompt_id = ${promptId}`]
  if (label !== undefined) conditions.push(sql`label = ${label}`)
  return selectPage(database, {
    columns: sql`label, from_version, to_version, actor, moved_at`,
    from: sql`prompt_label_moves`,
    where: join(conditions, ' and '),
    orderBy: sql`id desc`,
    page,
  })
}
