import type { Queryable, Transaction } from '../database/database.ts'
import { type Page, type PageRequest, selectPage } from '../database/paged.ts'
import { sql } from '../database/sql.ts'
import type { Prompt, PromptVersion } from './prompt.schema.ts'

const versionNumber = sql`concat_ws('.', version.major, version.minor, version.patch)`

const columns = sql`
  prompt.id, prompt.project_id as project, prompt.name, prompt.description, prompt.created_at, prompt.updated_at,
  (select ${versionNumber} from prompt_versions as version
   where version.project_id = prompt.project_id and version.prompt_id = prompt.id
   order by major desc, minor desc, patch desc limit 1) as latest_version`

export function listPrompts(
  database: Queryable,
  projectId: number,
  page: PageRequest,
): Promise<Page<Prompt>> {
  const where = sql`prompt.project_id = ${projectId}`
  return selectPage(database, { columns, from: sql`prompts as prompt`, where, orderBy: sql`prompt.id`, page })
}

/** Oldest first, by number and not by text: 1.10.0 comes after 1.9.0. A prompt always has a version; none means no prompt. */
export function listPromptVersions(
  database: Queryable,
  projectId: number,
  promptId: number,
): Promise<PromptVersion[]> {
  return database.query(sql<PromptVersion>`
    select ${versionNumber} as version_number, version.prompt_text, version.created_at
    from prompt_versions as version
    where version.project_id = ${projectId} and version.prompt_id = ${promptId}
    order by version.major, version.minor, version.patch`)
}

export async function insertPrompt(
  tx: Transaction,
  projectId: number,
  prompt: { name: string; description: string },
): Promise<number> {
  const [row] = await tx.query(sql<{ id: number }>`
    insert into prompts (project_id, name, description) values (${projectId}, ${prompt.name}, ${prompt.description})
    returning id`)
  return (row as { id: number }).id
}

export type NewPromptVersion = {
  number: readonly [number, number, number]
  prompt_text: string
  message: string
  actor: string
}

export async function insertPromptVersion(
  tx: Transaction,
  projectId: number,
  promptId: number,
  version: NewPromptVersion,
): Promise<void> {
  const [major, minor, patch] = version.number
  await tx.query(sql`
    insert into prompt_versions (project_id, prompt_id, major, minor, patch, prompt_text, message, actor)
    values (${projectId}, ${promptId}, ${major}, ${minor}, ${patch}, ${version.prompt_text}, ${version.message}, ${version.actor})`)
}
