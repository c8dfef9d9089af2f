import type { Transaction } from '../database/database.ts'
import { Problem } from '../http/problems.ts'
import { lockPrompt, touchPrompt } from './prompt.sql.ts'
import type { NewPromptVersion, PromptVersionDetail } from './prompt-version.schema.ts'
import { findLatestNumber, findVersionWithText, insertPromptVersion } from './prompt-version.sql.ts'
import {
  bumpVersion,
  compareVersions,
  formatVersion,
  parseVersion,
  type VersionNumber,
  versionRule,
} from './version-number.ts'

// A number that was given leaves room above it: the parts that follow from it have to stay readable too.
const largestGivenPart = 999_999

/** A text that is there already is not added again: its version is returned, so a repeated call does no harm. */
export async function addPromptVersion(
  tx: Transaction,
  projectId: number,
  promptId: number,
  actor: string,
  input: NewPromptVersion,
): Promise<{ version: PromptVersionDetail; added: boolean }> {
  const { prompt_text, message } = input
  await lockPrompt(tx, projectId, promptId)
  const latest = await findLatestNumber(tx, projectId, promptId)
  const number = wantedNumber(input, latest)
  const existing = await findVersionWithText(tx, projectId, promptId, prompt_text)
  if (existing !== undefined) return { version: existing, added: false }
  if (compareVersions(number, latest) <= 0)
    throw unacceptable(`must be above the latest, ${formatVersion(latest)}`, latest)
  const version = await insertPromptVersion(tx, projectId, promptId, { number, prompt_text, message, actor })
  await touchPrompt(tx, projectId, promptId)
  return { version, added: true }
}

function wantedNumber({ bump, version_number }: NewPromptVersion, latest: VersionNumber): VersionNumber {
  if (version_number === undefined) return bumpVersion(latest, bump ?? 'minor')
  if (bump !== undefined) throw contradiction()
  const wanted = parseVersion(version_number)
  if (wanted === undefined) throw unacceptable(`must be ${versionRule}`, latest)
  if (wanted.some((part) => part > largestGivenPart))
    throw unacceptable(`must have no part above ${largestGivenPart}`, latest)
  return wanted
}

function contradiction(): Problem {
  const message = 'cannot be given together with version_number; give one of them'
  return new Problem('invalid_body', { errors: [{ pointer: '/bump', code: 'contradiction', message }] })
}

function unacceptable(rule: string, latest: VersionNumber): Problem {
  const [minor, major] = [bumpVersion(latest, 'minor'), bumpVersion(latest, 'major')].map(formatVersion)
  const message = `${rule}; the next would be ${minor}, or ${major} for a larger change`
  return new Problem('invalid_body', {
    errors: [{ pointer: '/version_number', code: 'invalid_version', message }],
  })
}
