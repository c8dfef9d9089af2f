import type { Transaction, Writable } from '../database/database.ts'
import { Problem } from '../http/problems.ts'
import { lockPrompt, touchPrompt } from './prompt.sql.ts'
import { labelRule, labelShape, type PromptLabel } from './prompt-label.schema.ts'
import { deleteLabel, findLabel, insertLabelMove, requireLabel, upsertLabel } from './prompt-label.sql.ts'
import { findPromptVersion } from './prompt-version.sql.ts'
import { parseVersion, type VersionNumber } from './version-number.ts'

type Place = { projectId: number; promptId: number; label: string; actor: string }

/** Points the label at a version, and stores the move. Pointing a label at its own version is no move. */
export function labelPrompt(
  database: Writable,
  { projectId, promptId, label, actor }: Place,
  versionNumber: string,
): Promise<{ label: PromptLabel; made: boolean }> {
  if (!labelShape.test(label)) throw unusable()
  return database.transaction(async (tx) => {
    await lockPrompt(tx, projectId, promptId)
    const number = await requireNumber(tx, projectId, promptId, versionNumber)
    const before = await findLabel(tx, projectId, promptId, label)
    if (before?.version_number === versionNumber) return { label: before, made: false }
    const after = await upsertLabel(tx, projectId, promptId, label, number)
    const move = { label, from_version: before?.version_number ?? null, to_version: versionNumber, actor }
    await insertLabelMove(tx, projectId, promptId, move)
    await touchPrompt(tx, projectId, promptId)
    return { label: after, made: before === undefined }
  })
}

export function removeLabel(database: Writable, { projectId, promptId, label, actor }: Place): Promise<void> {
  return database.transaction(async (tx) => {
    await lockPrompt(tx, projectId, promptId)
    const before = await requireLabel(tx, projectId, promptId, label)
    await deleteLabel(tx, projectId, promptId, label)
    const move = { label, from_version: before.version_number, to_version: null, actor }
    await insertLabelMove(tx, projectId, promptId, move)
    await touchPrompt(tx, projectId, promptId)
  })
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

function unusable(): Problem {
  return new Problem('invalid_parameters', {
    detail: 'Correct the label in the address.',
    errors: [{ parameter: 'label', code: 'invalid_value', message: `must be ${labelRule}` }],
  })
}
