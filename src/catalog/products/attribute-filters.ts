import { containing } from '../../platform/database/search-text.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import type { KeyedFilter } from '../../platform/http/request/keyed-parameters.ts'

/** Products, as `product`, of whose attribute any value holds. The functions stand in migrations/0029_attribute_values.sql. */
export function attributeCondition({ key, operator, value }: KeyedFilter): Sql {
  switch (operator) {
    case 'exact':
    case 'in':
      return sql`product.attributes @@ ${valuePath(key, value)}::jsonpath`
    case 'isnull':
      // No index serves what is not there, and the row itself is quicker to ask.
      return value ? sql`not product.attributes ? ${key}` : has(key)
    case 'icontains':
      return contains(key, containing(value))
    case 'gte':
    case 'lte':
      return typeof value === 'number' ? numberWithin(key, operator, value) : dateWithin(key, operator, value)
  }
}

function has(key: string): Sql {
  return sql`attribute_names(product.attributes) collate "C" @> array[${key}]::text[]`
}

const numberShape = /^-?(0|[1-9][0-9]{0,24})(\.[0-9]{1,25})?(e[+-]?[0-9]{1,3})?$/i

/**
 * A path to any of the values: 42 matches the number and the text, true the boolean and the text. A path looks into a list by itself,
 * and the index of names and values finds single values and those of lists at once.
 */
export function valuePath(key: string, texts: string | string[]): string {
  const literals = [texts].flat().flatMap((text) =>
    // As it was written: a double would lose digits that the stored number has.
    text === 'true' || text === 'false' || numberShape.test(text)
      ? [JSON.stringify(text), text]
      : [JSON.stringify(text)],
  )
  return literals.map((literal) => `$.${JSON.stringify(key)} == ${literal}`).join(' || ')
}

function contains(key: string, pattern: string): Sql {
  const one = sql`attribute_text(product.attributes ->> ${key}) like ${pattern}`
  return holds(key, sql`attribute_texts_contain(product.attributes -> ${key}, ${pattern})`, one)
}

/** Numbers and numeric text; anything else compares as null. */
function numberWithin(key: string, operator: 'gte' | 'lte', bound: number): Sql {
  const list = sql`attribute_numbers(product.attributes -> ${key})`
  const text = sql`attribute_number(product.attributes ->> ${key})`
  const number = sql`(product.attributes -> ${key})::numeric`
  return operator === 'gte'
    ? holds(key, sql`${bound}::numeric <= any(${list})`, sql`${text} >= ${bound}`, sql`${number} >= ${bound}`)
    : holds(key, sql`${bound}::numeric >= any(${list})`, sql`${text} <= ${bound}`, sql`${number} <= ${bound}`)
}

/** Days, and times in UTC; anything else compares as null. */
function dateWithin(key: string, operator: 'gte' | 'lte', date: string): Sql {
  const longest = date.replace(/Z$/, '')
  const bound = operator === 'gte' ? shortest(date) : longest
  const one = sql`attribute_date(product.attributes ->> ${key}, ${longest.length}) collate "C"`
  const list = sql`attribute_dates(product.attributes -> ${key}, ${longest.length}) collate "C"`
  return operator === 'gte'
    ? holds(key, sql`${bound}::text <= any(${list})`, sql`${one} >= ${bound}`)
    : holds(key, sql`${bound}::text >= any(${list})`, sql`${one} <= ${bound}`)
}

/** As text, the shortest of all that mean the same time: a day stands before its midnight, a second before its first millisecond. */
function shortest(date: string): string {
  return date.replace(/\.?0*Z$/, '').replace(/T00:00:00$/, '')
}

/** What must hold of a list, of a text, and of a number where that is not the same. */
function holds(key: string, list: Sql, text: Sql, number = text): Sql {
  return sql`(${has(key)} and case jsonb_typeof(product.attributes -> ${key})
    when 'array' then ${list} when 'number' then ${number} else ${text} end)`
}
