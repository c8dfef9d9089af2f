import { Type } from 'typebox'
import { requestLimits } from '../../limits/requests.ts'
import { Problem } from '../problems.ts'

// Control characters would break lines and labels.
export const oneLine = {
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
  description: 'one line of text, without control characters',
}

// These characters also change the direction of surrounding text. Arabic and Hebrew do not need them: the marks U+200E and
// U+200F and the directions of the letters are enough.
export const plainName = {
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069]*$',
  description: 'one line of text, without control characters or bidirectional control characters',
}

/** For attributes, whose names can contain control characters. */
export const withoutDirectionControls = '^[^\\u202a-\\u202e\\u2066-\\u2069]*$'

export const directionControls = /[\u202a-\u202e\u2066-\u2069]/

const named = { minLength: 1, maxLength: requestLimits.nameCharacters, 'x-normalised': true }

/** The name of an object such as a category or a token: trimmed and normalized before its length is measured. */
export const NameSchema = Type.String({ ...named, ...plainName })

/** A name that may be older than the rule for direction controls, which applies to new names only. */
export const StoredNameSchema = Type.String({ ...named, ...oneLine })

/** For a new name. */
export function rejectDirectionControls(name: string | undefined): void {
  if (name === undefined || !directionControls.test(name)) return
  const message = `must be ${plainName.description}`
  throw new Problem('invalid_body', { errors: [{ pointer: '/name', code: 'invalid_format', message }] })
}
