import { join, raw, type Sql, sql } from '../../../platform/database/sql.ts'
import { foldCase } from '../../../platform/database/statements/search-text.ts'
import type { Filters } from '../product-filters.ts'
import { longTexts, matchFields, matchKinds } from '../product-list.schema.ts'
import { beginningPattern, type SearchWord, searchWords, wholePattern } from '../search-words.ts'

/** How a search ranks its results. */
export type Ranking = { search: string; words: SearchWord[]; isInTexts: boolean; isClose: boolean }

export function rankingOf({ search = '', match, search_in }: Filters): Ranking {
  const isClose = match === 'close'
  return {
    search: foldCase(search),
    words: searchWords(search, isClose),
    isInTexts: search_in === 'all',
    isClose,
  }
}

const searched = sql`product.search_text`
/** The name is before the line break. */
const name = sql`split_part(product.search_text, chr(10), 1)`

/** Best results first, for rows of `rankColumns`. */
export const byRank = sql`product.level, product.distance, product.id`

/**
 * Among equal levels, the shortest name comes first, because less of it is not what was searched for. With typos, the words alone
 * say too little about the product that was meant, so names are compared with the entire search.
 */
export function rankColumns({ search, words, isInTexts, isClose }: Ranking): Sql {
  const levels = words.map((word) => levelOf(word, isInTexts))
  const distance = isClose ? sql`1 - similarity(${name}, ${search})` : sql`length(product.name)`
  return sql`product.id, ${join(levels, ' + ')} as level, ${distance} as distance`
}

/** The level of each word, for `explainMatch`. */
export function levelColumns({ words, isInTexts }: Ranking): Sql {
  return sql`array[${join(words.map((word) => levelOf(word, isInTexts)))}]::int[] as levels`
}

/** The level of a word that a product does not have. */
export const missing = matchKinds.length * matchFields.length

/** The place among kinds of matches first, then among fields. Most products need one or two patterns, which take most of the time. */
function levelOf(word: SearchWord, isInTexts: boolean): Sql {
  const part = (text: Sql) => sql`strpos(${text}, ${word.text}) > 0`
  const whole = (text: Sql) => sql`${part(text)} and ${text} ~ ${wholePattern(word)}`
  const beginning = (text: Sql) => sql`${part(text)} and ${text} ~ ${beginningPattern(word)}`
  const steps = [whole, beginning, part].flatMap((test, kind) => stepsOf(kind, test, isInTexts))
  return sql`case ${join([...steps, closeStep(word, isInTexts)], ' ')} else ${raw(String(missing))} end`
}

function stepsOf(kind: number, test: (text: Sql) => Sql, isInTexts: boolean): Sql[] {
  const inLong = (isInTexts ? longTexts : []).map(
    (field) => sql`when ${test(sql`attribute_text(${raw(`product.${field}`)})`)} then ${level(kind, field)}`,
  )
  return [sql`when ${test(searched)} then ${nameOrSku(kind, test)}`, ...inLong]
}

/** A product that lacks a required word has it with a typo, unless it has it in a long text. */
function closeStep(word: SearchWord, isInTexts: boolean): Sql {
  const close = (text: Sql) => sql`${text} ~ ${word.pattern}`
  const isFound = word.isRequired && !isInTexts ? sql`true` : close(searched)
  return sql`when ${isFound} then ${nameOrSku(matchKinds.indexOf('close'), close)}`
}

function nameOrSku(kind: number, test: (text: Sql) => Sql): Sql {
  return sql`case when ${test(name)} then ${level(kind, 'name')} else ${level(kind, 'sku')} end`
}

function level(kind: number, field: (typeof matchFields)[number]): Sql {
  return raw(String(kind * matchFields.length + matchFields.indexOf(field)))
}

/** The part of a long text around a word, so that `explainMatch` does not read the whole text. */
export function excerptColumns({ words }: Ranking): Sql {
  const columns = longTexts.map((field) => {
    const text = raw(`product.${field}`)
    const places = words.map((word) => sql`nullif(strpos(attribute_text(${text}), ${word.text}), 0)`)
    return sql`substr(${text}, greatest(1, least(${join(places)}) - 100), 400) as ${raw(field)}`
  })
  return join(columns)
}
