import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { join, type Sql, sql } from '../../platform/database/sql.ts'
import { foldCase, likePattern, splitWords } from '../../platform/database/statements/search-text.ts'
import { type Page, type PageRequest, selectPage } from '../../platform/database/statements/select-page.ts'
import { textBytes } from '../../platform/database/statements/stored-bytes.ts'
import { notFound } from '../../platform/http/problems.ts'
import type { Prompt } from './prompt.schema.ts'
import { versionNumber } from './prompt-version.sql.ts'

const newestFirst = sql`
  where version.project_id = prompt.project_id and version.prompt_id = prompt.id
  order by version.major desc, version.minor desc, version.patch desc limit 1`

const columns = sql`
  prompt.id, prompt.project_id as project, prompt.name, prompt.description, prompt.created_at, prompt.updated_at,
  (select ${versionNumber} from prompt_versions as version ${newestFirst}) as latest_version,
  (select version.variables from prompt_versions as version ${newestFirst}) as variables,
  coalesce((
    select json_object_agg(version.label, ${versionNumber} order by version.label) from prompt_labels as version
    where version.project_id = prompt.project_id and version.prompt_id = prompt.id
  ), '{}') as labels`

const promptBytes = sql`(
  ${textBytes(sql`page.description`)} + octet_length(page.labels::text) + octet_length(to_json(page.variables)::text) + 1500)`

export function listPrompts(
  database: Queryable,
  projectId: number,
  search: string,
  orderBy: Sql,
  page: PageRequest,
  maxBytes = Number.MAX_SAFE_INTEGER,
): Promise<Page<Prompt>> {
  const where = matchingPrompts(projectId, search)
  const bound = { rowBytes: promptBytes, maxBytes }
  return selectPage(database, { columns, from: sql`prompts as prompt`, where, orderBy, page, bound })
}

function matchingPrompts(projectId: number, search: string): Sql {
  const found = splitWords(search).map((word) => sql`prompt.search_text like ${likePattern(word)}`)
  return join([sql`prompt.project_id = ${projectId}`, ...found], ' and ')
}

export async function requirePrompt(database: Queryable, projectId: number, id: number): Promise<Prompt> {
  const [row] = await database.query(sql<Prompt>`
    select ${columns} from prompts as prompt where prompt.project_id = ${projectId} and prompt.id = ${id}`)
  if (row === undefined) throw notFound('prompt', id)
  return row
}

export async function findPromptIdByName(
  database: Queryable,
  projectId: number,
  name: string,
): Promise<number | undefined> {
  const [row] = await database.query(
    sql<{ id: number }>`select id from prompts where project_id = ${projectId} and name = ${name}`,
  )
  return row?.id
}

type Described = { name: string; description: string }

function promptSearchText({ name, description }: Described): string {
  return `${foldCase(name)}\n${foldCase(description)}`
}

/** The new ID, or undefined if the project already has a prompt with this name. */
export async function insertPrompt(
  tx: Transaction,
  projectId: number,
  prompt: Described,
): Promise<number | undefined> {
  const [row] = await tx.query(sql<{ id: number }>`
    insert into prompts (project_id, name, description, search_text)
    values (${projectId}, ${prompt.name}, ${prompt.description}, ${promptSearchText(prompt)})
    on conflict (project_id, name) do nothing
    returning id`)
  return row?.id
}

export async function updatePromptRow(
  tx: Transaction,
  projectId: number,
  id: number,
  prompt: Described,
): Promise<void> {
  await tx.query(sql`
    update prompts
    set name = ${prompt.name}, description = ${prompt.description}, search_text = ${promptSearchText(prompt)},
        updated_at = clock_timestamp()
    where project_id = ${projectId} and id = ${id}`)
}

/** Every write to a prompt, its versions or its labels takes this lock first, which serializes them. */
export async function lockPrompt(tx: Transaction, projectId: number, id: number): Promise<void> {
  // Not "for update", so that foreign-key checks of other rows do not wait.
  const [row] = await tx.query(sql<{ id: number }>`
    select id from prompts where project_id = ${projectId} and id = ${id} for no key update`)
  if (row === undefined) throw notFound('prompt', id)
}

/** Uses clock_timestamp(), not now(): a transaction that waited for the lock began before the change that it follows. */
export async function touchPrompt(tx: Transaction, projectId: number, id: number): Promise<void> {
  await tx.query(sql`
    update prompts set updated_at = clock_timestamp() where project_id = ${projectId} and id = ${id}`)
}

/** Empty if the prompt does not exist. */
export async function findPromptName(database: Queryable, projectId: number, id: number): Promise<string> {
  const [row] = await database.query(
    sql<{ name: string }>`select name from prompts where project_id = ${projectId} and id = ${id}`,
  )
  return row?.name ?? ''
}
