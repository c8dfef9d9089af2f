import { type ChangeAuthor, recordEvents } from '../../model/events/record-events.sql.ts'
import { promptLimits } from '../../model/limits/prompts.ts'
import {
  bumpVersion,
  compareVersions,
  formatVersion,
  parseVersion,
  type VersionNumber,
  versionRule,
} from '../../model/prompts/version-number.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problems.ts'
import { lockPrompt, touchPrompt } from './prompt.sql.ts'
import type { NewPromptVersion, PromptVersionDetail } from './prompt-version.schema.ts'
import {
  findLatestNumber,
  findVersionWithText,
  insertPromptVersion,
  measureVersions,
} from './prompt-version.sql.ts'

/** If a version already has the text, returns that version, so that a request can be repeated. */
export async function addPromptVersion(
  tx: Transaction,
  projectId: number,
  promptId: number,
  author: ChangeAuthor,
  input: NewPromptVersion,
): Promise<{ version: PromptVersionDetail; added: boolean }> {
  const { prompt_text, message } = input
  await lockPrompt(tx, projectId, promptId)
  const latest = await findLatestNumber(tx, projectId, promptId)
  const number = wantedNumber(input, latest)
  const existing = await findVersionWithText(tx, projectId, promptId, prompt_text)
  if (existing !== undefined) return { version: existing, added: false }
  rejectOutdatedBase(input, formatVersion(latest))
  if (compareVersions(number, latest) <= 0)
    throw invalidVersion(`must be above the latest version, ${formatVersion(latest)}`, latest)
  await rejectTooMany(tx, projectId, promptId, prompt_text)
  const { actor } = author
  const version = await insertPromptVersion(tx, projectId, promptId, { number, prompt_text, message, actor })
  await touchPrompt(tx, projectId, promptId)
  const objects = [{ id: promptId, after: version }]
  await recordEvents(tx, projectId, { type: 'prompt.version_created', ...author, objects })
  return { version, added: true }
}

function rejectOutdatedBase({ based_on }: NewPromptVersion, latest: string): void {
  if (based_on === undefined || based_on === latest) return
  throw new Problem('newer_version', {
    detail: `The latest version is now ${latest}, not ${based_on}; check it, then send it in based_on.`,
  })
}

/** Versions are never deleted, and one response lists all of them, so their number and length are limited. */
async function rejectTooMany(
  tx: Transaction,
  projectId: number,
  promptId: number,
  text: string,
): Promise<void> {
  const { count, characters } = await measureVersions(tx, projectId, promptId)
  if (count < promptLimits.versions && characters + text.length <= promptLimits.versionsCharacters) return
  const message = `would exceed the limit of ${promptLimits.versions} versions or ${promptLimits.versionsCharacters} characters per prompt; create a new prompt`
  throw new Problem('invalid_body', { errors: [{ pointer: '/prompt_text', code: 'too_many', message }] })
}

function wantedNumber({ bump, version_number }: NewPromptVersion, latest: VersionNumber): VersionNumber {
  if (version_number === undefined) return bumpVersion(latest, bump ?? 'minor')
  if (bump !== undefined) throw contradiction()
  const wanted = parseVersion(version_number)
  if (wanted === undefined) throw invalidVersion(`must be ${versionRule}`, latest)
  if (wanted.some((part) => part > promptLimits.versionPart))
    throw invalidVersion(`must have no part above ${promptLimits.versionPart}`, latest)
  return wanted
}

function contradiction(): Problem {
  const message = 'cannot be combined with version_number; send one of them'
  return new Problem('invalid_body', { errors: [{ pointer: '/bump', code: 'contradiction', message }] })
}

function invalidVersion(rule: string, latest: VersionNumber): Problem {
  const [minor, major] = [bumpVersion(latest, 'minor'), bumpVersion(latest, 'major')].map(formatVersion)
  const room = latest.every((part) => part < promptLimits.versionPart)
  const message = room
    ? `${rule}; the next version would be ${minor}, or ${major} for a major change`
    : `${rule}; leave it out and send bump instead`
  return new Problem('invalid_body', {
    errors: [{ pointer: '/version_number', code: 'invalid_version', message }],
  })
}
