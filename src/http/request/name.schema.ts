import { Type } from 'typebox'

// Control characters would break lines and labels wherever the text is shown.
export const oneLine = {
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
  description: 'one line of text, without control characters',
}

/** The name of a product, a category or the like: trimmed and composed before it is measured. */
export const NameSchema = Type.String({ minLength: 1, maxLength: 255, 'x-normalised': true, ...oneLine })
