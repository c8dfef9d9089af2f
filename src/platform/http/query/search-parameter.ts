import { Type } from 'typebox'
import { requestLimits } from '../../limits/requests.ts'

/** For lists such as those of the admin area: each word must match. */
export function searchParameter(where: string) {
  return Type.Optional(
    Type.String({
      maxLength: requestLimits.searchCharacters,
      description: `Words to search for in ${where}`,
    }),
  )
}
