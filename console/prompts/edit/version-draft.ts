import {
  type Bump,
  bumpVersion,
  formatVersion,
  parseVersion,
  type VersionNumber,
} from '../../../src/model/prompts/version-number.ts'
import type { PromptVersionDetail } from '../../wire.ts'
import { strings } from '../strings.ts'

/** An unsaved version. */
export type Draft = {
  /** The version that the text is based on. */
  base: { number: string; text: string; variables: string[] }
  /** The latest version that the user has seen. */
  latest: string
  text: string
  bump: Bump
  message: string
}

const baseOf = ({ version_number, prompt_text, variables }: PromptVersionDetail): Draft['base'] => ({
  number: version_number,
  text: prompt_text,
  variables,
})

export function beginDraft(version: PromptVersionDetail, latest: string): Draft {
  return { base: baseOf(version), latest, text: version.prompt_text, bump: 'minor', message: '' }
}

export function nextNumber(latest: string, bump: Bump): string {
  return formatVersion(bumpVersion(parseVersion(latest) as VersionNumber, bump))
}

/** What the user typed while the draft was being added. */
export function leftOf(now: Draft | undefined, sent: Draft, added: PromptVersionDetail): Draft | undefined {
  if (now === undefined || (now.text === sent.text && now.message === sent.message)) return undefined
  const message = now.message === sent.message ? '' : now.message
  return { ...now, base: baseOf(added), latest: added.version_number, message }
}

export function changedParts({ base, text, message }: Draft): string[] {
  return [
    ...(text === base.text ? [] : [strings.fields.text]),
    ...(message === '' ? [] : [strings.fields.message]),
  ]
}
