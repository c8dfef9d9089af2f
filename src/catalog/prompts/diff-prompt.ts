import { parseVersion, type VersionNumber, versionRule } from '../../model/prompts/version-number.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { type InputError, Problem } from '../../platform/http/problems.ts'
import { requirePrompt } from './prompt.sql.ts'
import { diffTexts } from './prompt-diff.ts'
import type { PromptDiff } from './prompt-version.schema.ts'
import { findVersionBefore, requirePromptVersion } from './prompt-version.sql.ts'

/** Compares two versions; by default the latest with the one before it. */
export async function diffPrompt(
  database: Queryable,
  projectId: number,
  promptId: number,
  { from, to }: { from?: string | undefined; to?: string | undefined },
): Promise<PromptDiff> {
  rejectMalformed({ from, to })
  const { latest_version } = await requirePrompt(database, projectId, promptId)
  const after = await requirePromptVersion(database, projectId, promptId, to ?? latest_version)
  const before =
    from === undefined
      ? await findVersionBefore(database, projectId, promptId, versionNumberOf(after))
      : await requirePromptVersion(database, projectId, promptId, from)
  return {
    from: before?.version_number ?? null,
    to: after.version_number,
    ...diffTexts(before?.prompt_text ?? '', after.prompt_text),
  }
}

function rejectMalformed(parameters: Record<string, string | undefined>): void {
  const errors = Object.entries(parameters).flatMap(([parameter, text]): InputError[] => {
    if (text === undefined || parseVersion(text) !== undefined) return []
    return [{ parameter, code: 'invalid_value', message: `must be ${versionRule}` }]
  })
  if (errors.length > 0) throw new Problem('invalid_parameters', { errors })
}

function versionNumberOf({ version_number }: { version_number: string }): VersionNumber {
  return parseVersion(version_number) as VersionNumber
}
