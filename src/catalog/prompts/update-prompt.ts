import { type ChangeAuthor, recordEvents } from '../../model/events/record-events.sql.ts'
import type { Database } from '../../platform/database/database.ts'
import { sqlState } from '../../platform/database/failures.ts'
import { sqlStates } from '../../platform/database/sql-states.ts'
import { readOnlyOf, rejectChangedReadOnly } from '../../platform/http/body/read-only-fields.ts'
import { rejectDirectionControls } from '../../platform/http/request/name.schema.ts'
import { duplicatePromptName } from './create-prompt.ts'
import type { Prompt, PromptChanges } from './prompt.schema.ts'
import { lockPrompt, requirePrompt, updatePromptRow } from './prompt.sql.ts'

/** Updates name and description. Only new versions change the text. */
export async function updatePrompt(
  database: Database,
  projectId: number,
  author: ChangeAuthor,
  id: number,
  changes: PromptChanges,
): Promise<Prompt> {
  try {
    return await database.transaction(async (tx) => {
      await lockPrompt(tx, projectId, id)
      const before = await requirePrompt(tx, projectId, id)
      rejectChangedReadOnly(readOnlyOf(changes), before)
      const wanted = { ...before, ...changes }
      if (wanted.name !== before.name) rejectDirectionControls(wanted.name)
      if (wanted.name === before.name && wanted.description === before.description) return before
      await updatePromptRow(tx, projectId, id, wanted)
      const after = await requirePrompt(tx, projectId, id)
      await recordEvents(tx, projectId, {
        type: 'prompt.updated',
        ...author,
        objects: [{ id, before, after }],
      })
      return after
    })
  } catch (error) {
    if (sqlState(error) !== sqlStates.uniqueViolation || changes.name === undefined) throw error
    throw await duplicatePromptName(database, projectId, changes.name)
  }
}
