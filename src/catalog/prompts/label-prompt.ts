import { type ChangeAuthor, recordEvents } from '../../model/events/record-events.sql.ts'
import { parseVersion, type VersionNumber } from '../../model/prompts/version-number.ts'
import type { Transaction, Writable } from '../../platform/database/database.ts'
import { readOnlyOf, rejectChangedReadOnly } from '../../platform/http/body/read-only-fields.ts'
import { Problem } from '../../platform/http/problems.ts'
import { lockPrompt, touchPrompt } from './prompt.sql.ts'
import { type LabelTarget, labelRule, labelShape, type PromptLabel } from './prompt-label.schema.ts'
import { deleteLabel, findLabel, insertLabelMove, requireLabel, upsertLabel } from './prompt-label.sql.ts'
import { findPromptVersion } from './prompt-version.sql.ts'

type Place = { projectId: number; promptId: number; label: string; author: ChangeAuthor }

/** Points the label to a version and records the move. Nothing is recorded if it already points there. */
export function labelPrompt(
  database: Writable,
  place: Place,
  target: LabelTarget,
): Promise<{ label: PromptLabel; created: boolean }> {
  const { projectId, promptId, label } = place
  const { version_number: versionNumber } = target
  if (!labelShape.test(label)) throw invalidLabel()
  return database.transaction(async (tx) => {
    await lockPrompt(tx, projectId, promptId)
    const number = await requireNumber(tx, projectId, promptId, versionNumber)
    const before = await findLabel(tx, projectId, promptId, label)
    rejectChangedReadOnly(readOnlyOf(target), before ?? {})
    if (before?.version_number === versionNumber) return { label: before, created: false }
    const after = await upsertLabel(tx, projectId, promptId, label, number)
    await recordMove(tx, place, before ?? null, after)
    return { label: after, created: before === undefined }
  })
}

export function removeLabel(database: Writable, place: Place): Promise<void> {
  const { projectId, promptId, label } = place
  return database.transaction(async (tx) => {
    await lockPrompt(tx, projectId, promptId)
    const before = await requireLabel(tx, projectId, promptId, label)
    await deleteLabel(tx, projectId, promptId, label)
    await recordMove(tx, place, before, null)
  })
}

async function recordMove(
  tx: Transaction,
  { projectId, promptId, label, author }: Place,
  before: PromptLabel | null,
  after: PromptLabel | null,
): Promise<void> {
  await insertLabelMove(tx, projectId, promptId, {
    label,
    from_version: before?.version_number ?? null,
    to_version: after?.version_number ?? null,
    actor: author.actor,
  })
  await touchPrompt(tx, projectId, promptId)
  const objects = [{ id: promptId, before, after }]
  await recordEvents(tx, projectId, { type: 'prompt.label_moved', ...author, objects })
}

async function requireNumber(
  tx: Transaction,
  projectId: number,
  promptId: number,
  text: string,
): Promise<VersionNumber> {
  const number = parseVersion(text)
  if (number !== undefined && (await findPromptVersion(tx, projectId, promptId, number))) return number
  const message = `there is no version ${text} of this prompt`
  throw new Problem('invalid_body', {
    errors: [{ pointer: '/version_number', code: 'unknown_version', message }],
  })
}

function invalidLabel(): Problem {
  return new Problem('invalid_parameters', {
    detail: 'Correct the label in the URL.',
    errors: [{ parameter: 'label', code: 'invalid_value', message: `must be ${labelRule}` }],
  })
}
