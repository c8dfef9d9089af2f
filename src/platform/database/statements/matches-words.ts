import { join, type Sql, sql } from '../sql.ts'
import { likePattern, splitWords } from './search-text.ts'

/** Matches if each search word is in one of the columns. For tables without a column of folded text. */
export function matchesWords(columns: Sql[], search = ''): Sql {
  // Columns with different collations have no common collation.
  const text = sql`lower(concat_ws(' ', ${join(columns)}) collate "default")`
  const found = splitWords(search).map((word) => sql`${text} like ${likePattern(word)}`)
  return join([sql`true`, ...found], ' and ')
}
