import { variablesOf } from '../../model/prompts/prompt-template.ts'
import { parseVersion, type VersionNumber } from '../../model/prompts/version-number.ts'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { listing, sql } from '../../platform/database/sql.ts'
import { textBytes } from '../../platform/database/statements/stored-bytes.ts'
import { notFound } from '../../platform/http/problems.ts'
import type { PromptVersion, PromptVersionDetail } from './prompt-version.schema.ts'

export const versionNumber = sql`concat_ws('.', version.major, version.minor, version.patch)`

const columns = sql`
  ${versionNumber} as version_number, version.prompt_text, version.message, version.variables, version.actor, version.created_at`

const roundVersionBytes = 100

/**
 * The versions after a number, oldest first, up to `maxBytes` and at least one. 1.10.0 comes after 1.9.0. An empty first result means
 * that the prompt does not exist.
 */
export async function listVersionsAfter(
  database: Queryable,
  projectId: number,
  promptId: number,
  [major, minor, patch]: VersionNumber,
  maxBytes: number,
): Promise<{ versions: PromptVersion[]; areAll: boolean }> {
  const statement = sql<PromptVersion & { left: number }>`
    select version.version_number, version.prompt_text, version.created_at, version.left
    from (
      select version.major, version.minor, version.patch, ${versionNumber} as version_number, version.prompt_text,
             version.created_at, size.bytes, count(*) over () as left,
             sum(size.bytes) over (order by version.major, version.minor, version.patch) as bytes_up_to
      from prompt_versions as version
      cross join lateral (select ${textBytes(sql`version.prompt_text`)} + ${roundVersionBytes}::int as bytes) as size
      where version.project_id = ${projectId} and version.prompt_id = ${promptId}
        and (version.major, version.minor, version.patch) > (${major}::int, ${minor}::int, ${patch}::int)
    ) as version
    where version.bytes_up_to <= ${maxBytes} or version.bytes_up_to = version.bytes
    order by version.major, version.minor, version.patch`
  const rows = await database.query(listing(statement))
  const versions = rows.map(({ left: _left, ...version }) => version)
  return { versions, areAll: versions.length === (rows[0]?.left ?? 0) }
}

export async function findPromptVersion(
  database: Queryable,
  projectId: number,
  promptId: number,
  [major, minor, patch]: VersionNumber,
): Promise<PromptVersionDetail | undefined> {
  const [row] = await database.query(sql<PromptVersionDetail>`
    select ${columns} from prompt_versions as version
    where version.project_id = ${projectId} and version.prompt_id = ${promptId}
      and version.major = ${major} and version.minor = ${minor} and version.patch = ${patch}`)
  return row
}

/** Finds a version from the URL or a query; a malformed number is not found. */
export async function requirePromptVersion(
  database: Queryable,
  projectId: number,
  promptId: number,
  text: string,
): Promise<PromptVersionDetail> {
  const number = parseVersion(text)
  if (number === undefined) throw notFound('such version of prompt', promptId)
  const version = await findPromptVersion(database, projectId, promptId, number)
  if (version === undefined) throw notFound(`version ${text} of prompt`, promptId)
  return version
}

/** The named versions whose prompt exists, with the latest version of the prompt. */
export function findVersions(
  database: Queryable,
  projectId: number,
  named: readonly { prompt_id: number; version_number: string }[],
): Promise<{ prompt_id: number; version_number: string; is_known: boolean; latest: string }[]> {
  const ids = named.map(({ prompt_id }) => prompt_id)
  const numbers = named.map(({ version_number }) => version_number)
  return database.query(sql<{ prompt_id: number; version_number: string; is_known: boolean; latest: string }>`
    select named.prompt_id, named.version_number, exists (
             select from prompt_versions as version
             where version.project_id = prompt.project_id and version.prompt_id = prompt.id
               and version.major = split_part(named.version_number, '.', 1)::int
               and version.minor = split_part(named.version_number, '.', 2)::int
               and version.patch = split_part(named.version_number, '.', 3)::int) as is_known,
           (select ${versionNumber} from prompt_versions as version
            where version.project_id = prompt.project_id and version.prompt_id = prompt.id
            order by version.major desc, version.minor desc, version.patch desc limit 1) as latest
    from unnest(${ids}::bigint[], ${numbers}::text[]) as named (prompt_id, version_number)
    join prompts as prompt on prompt.project_id = ${projectId} and prompt.id = named.prompt_id`)
}

export async function listNumbersBelow(
  database: Queryable,
  projectId: number,
  promptId: number,
  [major, minor, patch]: VersionNumber,
): Promise<string[]> {
  const rows = await database.query(sql<{ number: string }>`
    select ${versionNumber} as number from prompt_versions as version
    where version.project_id = ${projectId} and version.prompt_id = ${promptId}
      and (version.major, version.minor, version.patch) < (${major}, ${minor}, ${patch})`)
  return rows.map(({ number }) => number)
}

export async function findVersionBefore(
  database: Queryable,
  projectId: number,
  promptId: number,
  [major, minor, patch]: VersionNumber,
): Promise<PromptVersionDetail | undefined> {
  const [row] = await database.query(sql<PromptVersionDetail>`
    select ${columns} from prompt_versions as version
    where version.project_id = ${projectId} and version.prompt_id = ${promptId}
      and (version.major, version.minor, version.patch) < (${major}, ${minor}, ${patch})
    order by version.major desc, version.minor desc, version.patch desc limit 1`)
  return row
}

export async function findVersionWithText(
  tx: Transaction,
  projectId: number,
  promptId: number,
  text: string,
): Promise<PromptVersionDetail | undefined> {
  // The hash uses the index prompt_versions_by_text.
  const [row] = await tx.query(sql<PromptVersionDetail>`
    select ${columns} from prompt_versions as version
    where version.project_id = ${projectId} and version.prompt_id = ${promptId}
      and hashtextextended(version.prompt_text, 0) = hashtextextended(${text}, 0) and version.prompt_text = ${text}
    order by version.major desc, version.minor desc, version.patch desc limit 1`)
  return row
}

/** The number of versions of a prompt, and the total length of their texts. */
export async function measureVersions(
  tx: Transaction,
  projectId: number,
  promptId: number,
): Promise<{ count: number; characters: number }> {
  const [row] = await tx.query(sql<{ count: number; characters: number }>`
    select count(*) as count, coalesce(sum(length(prompt_text)), 0) as characters from prompt_versions
    where project_id = ${projectId} and prompt_id = ${promptId}`)
  return row as { count: number; characters: number }
}

export async function findLatestNumber(
  tx: Transaction,
  projectId: number,
  promptId: number,
): Promise<VersionNumber> {
  const [row] = await tx.query(sql<{ number: VersionNumber }>`
    select array[major, minor, patch] as number from prompt_versions
    where project_id = ${projectId} and prompt_id = ${promptId}
    order by major desc, minor desc, patch desc limit 1`)
  return (row as { number: VersionNumber }).number
}

export type VersionToInsert = {
  number: VersionNumber
  prompt_text: string
  message: string
  actor: string
  /** When it was added; the current time by default. It cannot be changed later. */
  at?: Date
}

/** Uses clock_timestamp(), not now(), so that a later number never has an earlier time. */
export async function insertPromptVersion(
  tx: Transaction,
  projectId: number,
  promptId: number,
  { number: [major, minor, patch], prompt_text, message, actor, at }: VersionToInsert,
): Promise<PromptVersionDetail> {
  const [row] = await tx.query(sql<PromptVersionDetail>`
    insert into prompt_versions as version
      (project_id, prompt_id, major, minor, patch, prompt_text, message, variables, actor, created_at)
    values (${projectId}, ${promptId}, ${major}, ${minor}, ${patch}, ${prompt_text}, ${message},
            ${variablesOf(prompt_text)}, ${actor}, coalesce(${at ?? null}::timestamptz, clock_timestamp()))
    returning ${columns}`)
  return row as PromptVersionDetail
}
