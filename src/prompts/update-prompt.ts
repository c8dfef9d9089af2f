import type { Database } from '../database/database.ts'
import { sqlState } from '../database/failures.ts'
import { duplicateName } from './create-prompt.ts'
import type { Prompt, PromptChanges } from './prompt.schema.ts'
import { lockPrompt, requirePrompt, updatePromptRow } from './prompt.sql.ts'

const uniqueViolation = '23505'

/** Changes name and description; the text changes by new versions. */
export async function updatePrompt(
  database: Database,
  projectId: number,
  id: number,
  changes: PromptChanges,
): Promise<Prompt> {
  try {
    return await database.transaction(async (tx) => {
      await lockPrompt(tx, projectId, id)
      const before = await requirePrompt(tx, projectId, id)
      const after = { ...before, ...changes }
      if (after.name === before.name && after.description === before.description) return before
      await updatePromptRow(tx, projectId, id, after)
      return requirePrompt(tx, projectId, id)
    })
  } catch (error) {
    if (sqlState(error) !== uniqueViolation || changes.name === undefined) throw error
    throw await duplicateName(database, projectId, changes.name)
  }
}
