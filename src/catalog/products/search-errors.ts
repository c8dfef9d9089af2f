import type { InputError } from '../../platform/http/problems.ts'
import { listLimits } from '../limits.ts'
import type { ProductQuery } from './product-list.schema.ts'
import { searchWords } from './search-words.ts'

type SearchQuery = Pick<ProductQuery, 'search' | 'match' | 'ordering' | 'expand'>

/** Errors of the parameters that refine `search`. */
export function searchErrors({ search, match, ordering = '', expand }: SearchQuery): InputError[] {
  const isExplained = expand?.includes('match') === true
  const isRanked = /\brelevance\b/.test(ordering)
  const errors: InputError[] = []
  const reject = (parameter: string, code: string, message: string) =>
    void errors.push({ parameter, code, message })
  if (search === undefined) {
    if (match !== undefined) reject('match', 'required', `requires search, ${words}`)
    if (isRanked) reject('ordering', 'required', `relevance requires search, ${words}`)
    if (isExplained) reject('expand', 'required', `match requires search, ${words}`)
  } else if (isRanked || match === 'close' || isExplained) {
    const most = listLimits.searchWords
    if (searchWords(search, false).length > most)
      reject(
        'search',
        'too_long',
        `has more than ${most} different words; send at most ${most}, or omit ${omitted}`,
      )
  }
  if (isRanked && ordering !== 'relevance')
    reject('ordering', 'invalid_value', 'cannot combine relevance with other fields, or reverse it')
  return errors
}

const words = 'the words to find'
const omitted = 'match=close, ordering=relevance and expand=match'
