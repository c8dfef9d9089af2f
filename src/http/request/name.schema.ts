import { Type } from 'typebox'

// Control characters would break lines and labels wherever the text is shown.
export const oneLine = {
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
  description: 'one line of text, without control characters',
}

// These characters turn the direction of what stands around the text too. Arabic and Hebrew need none of them: the marks U+200E and
// U+200F, and the directions of the letters themselves, are enough.
export const plainName = {
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069]*$',
  description: 'one line of text, without control characters and overrides of the direction of writing',
}

/** The name of a product, a category or the like: trimmed and composed before it is measured. */
export const NameSchema = Type.String({ minLength: 1, maxLength: 255, 'x-normalised': true, ...oneLine })

/** The name of a project or a program: it stands in lists beside the names of others. */
export const PlainNameSchema = Type.String({
  minLength: 1,
  maxLength: 255,
  'x-normalised': true,
  ...plainName,
})
