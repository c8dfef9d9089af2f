import { Type } from 'typebox'
import { requestLimits } from '../../limits/requests.ts'
import { Problem } from '../problems.ts'

// Control characters would break lines and labels wherever the text is shown.
export const oneLine = {
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
  description: 'one line of text, without control characters',
}

// These characters turn the direction of what stands around the text too. Arabic and Hebrew need none of them: the marks U+200E and
// U+200F, and the directions of the letters themselves, are enough.
export const plainName = {
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069]*$',
  description: 'one line of text, without control characters or bidirectional control characters',
}

/** For attributes, whose names may have control characters. */
export const withoutDirectionControls = '^[^\\u202a-\\u202e\\u2066-\\u2069]*$'

export const directionControls = /[\u202a-\u202e\u2066-\u2069]/

const named = { minLength: 1, maxLength: requestLimits.nameCharacters, 'x-normalised': true }

/** The name of a category, a prompt, a project, a token or the like: trimmed and composed before it is measured. */
export const NameSchema = Type.String({ ...named, ...plainName })

/** A name that may be older than the rule of plainName, which is checked where it is found to be new. */
export const StoredNameSchema = Type.String({ ...named, ...oneLine })

/** Of a name that is new. */
export function rejectDirectionControls(name: string | undefined): void {
  if (name === undefined || !directionControls.test(name)) return
  const message = `must be ${plainName.description}`
  throw new Problem('invalid_body', { errors: [{ pointer: '/name', code: 'invalid_format', message }] })
}
