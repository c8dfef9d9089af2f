import { type ChangeAuthor, recordEvents } from '../../model/events/record-events.sql.ts'
import { firstVersion } from '../../model/prompts/version-number.ts'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problems.ts'
import type { NewPrompt, Prompt } from './prompt.schema.ts'
import { findPromptIdByName, insertPrompt, requirePrompt } from './prompt.sql.ts'
import { insertPromptVersion } from './prompt-version.sql.ts'

/** A prompt always has a version, so both are written together. */
export async function createPrompt(
  tx: Transaction,
  projectId: number,
  author: ChangeAuthor,
  { name, description, prompt_text }: NewPrompt,
): Promise<Prompt> {
  const id = await insertPrompt(tx, projectId, { name, description })
  if (id === undefined) throw await duplicatePromptName(tx, projectId, name)
  const { actor } = author
  await insertPromptVersion(tx, projectId, id, { number: firstVersion, prompt_text, message: '', actor })
  const prompt = await requirePrompt(tx, projectId, id)
  await recordEvents(tx, projectId, { type: 'prompt.created', ...author, objects: [{ id, after: prompt }] })
  return prompt
}

export async function duplicatePromptName(
  database: Queryable,
  projectId: number,
  name: string,
): Promise<Problem> {
  const existing = await findPromptIdByName(database, projectId, name)
  return new Problem('duplicate_name', {
    detail: `The name "${name}" belongs to prompt ${existing}; choose another, or add a version to that one.`,
    ...(existing !== undefined && { existing_id: existing }),
  })
}
