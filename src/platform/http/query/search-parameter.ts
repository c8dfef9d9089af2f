import { Type } from 'typebox'
import { requestLimits } from '../../limits/requests.ts'

/** Of lists on the operator's desk and the like: every word must be found. */
export function searchParameter(where: string) {
  return Type.Optional(
    Type.String({
      maxLength: requestLimits.searchCharacters,
      description: `Words that are found in ${where}`,
    }),
  )
}
