import { Type } from 'typebox'

/** Of lists on the operator's desk and the like: every word must be found. */
export function searchParameter(where: string) {
  return Type.Optional(Type.String({ maxLength: 200, description: `Words that are found in ${where}` }))
}
