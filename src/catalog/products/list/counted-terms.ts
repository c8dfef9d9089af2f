import {
  type ProductType,
  productTypes,
  type Status,
  statuses,
} from '../../../model/fields/product-fields.ts'
import type { PageRequest } from '../../../platform/database/select-page.ts'
import { join, raw, type Sql, sql } from '../../../platform/database/sql.ts'

/** What the counts of migrations/0006 tell products apart by. Category 0 is the whole project. */
export type Counted = { projectId: number; category: number; statuses: Status[]; types: ProductType[] }

/** The same in SQL, with the page that is asked for: by values, or by the columns of `asked`. */
export type CountedTerms = {
  project: Sql
  category: Sql
  isOfCategory: boolean
  hasStatus: (column: string) => Sql
  hasType: (column: string) => Sql
  /** How a row of the counts is found by its status: always said, because their index begins with it. */
  isCounted: Sql
  /** What one row of `counts` adds to the whole. */
  count: Sql
  /** How many products stand before the page; null for the last page. */
  first: Sql
  size: Sql
}

export function termsOf(counted: Counted, { number, size }: PageRequest): CountedTerms {
  const { projectId, category, types, statuses: some } = counted
  return {
    project: sql`${projectId}`,
    category: sql`${category}`,
    isOfCategory: category !== 0,
    hasStatus: (column) => isOneOf(column, some, statuses),
    hasType: (column) => isOneOf(column, types, productTypes),
    isCounted: isOneOf('counts.status', some, []),
    count: countOf(counted),
    first: sql`${number === 'last' ? null : (number - 1) * size}::bigint`,
    size: sql`${size}::bigint`,
  }
}

/** One text for all choices of types, so that few statements are prepared. */
function countOf({ types }: Counted): Sql {
  if (types.length === productTypes.length) return allTypes
  const terms = productTypes.map(
    (type) => sql`${raw(`counts.${type}`)} * ${types.includes(type) ? 1 : 0}::int`,
  )
  return join(terms, ' + ')
}

const allTypes = raw(productTypes.map((type) => `counts.${type}`).join(' + '))

/** Which of the columns of `asked` a statement for several pages looks at. */
export type Shape = { isOfCategory: boolean; isOfStatus: boolean; isOfType: boolean }

/** A page whose products are of one status or of any, of one type or of any: pages of the same shape can be asked for together. */
export function shapeOf({ category, statuses: some, types }: Counted): Shape | undefined {
  const isOneOrAll = (chosen: readonly string[], all: readonly string[]) =>
    chosen.length === 1 || chosen.length === all.length
  if (!isOneOrAll(some, statuses) || !isOneOrAll(types, productTypes)) return undefined
  return { isOfCategory: category !== 0, isOfStatus: some.length === 1, isOfType: types.length === 1 }
}

export function termsOfAsked({ isOfCategory, isOfStatus, isOfType }: Shape): CountedTerms {
  const anyStatus = raw(`= any('{${statuses.join(',')}}')`)
  const ofType = productTypes.map((type) => `when '${type}' then counts.${type}`).join(' ')
  return {
    project: raw('asked.project_id'),
    category: raw(isOfCategory ? 'asked.category_id' : '0'),
    isOfCategory,
    hasStatus: (column) => raw(isOfStatus ? `${column} = asked.status` : 'true'),
    hasType: (column) => raw(isOfType ? `${column} = asked.product_type` : 'true'),
    isCounted: isOfStatus ? raw('counts.status = asked.status') : sql`counts.status ${anyStatus}`,
    count: isOfType ? raw(`case asked.product_type ${ofType} end`) : allTypes,
    first: raw('asked.first'),
    size: raw('asked.size'),
  }
}

/** The counts of ranges of one scale, as `counts`, in a from clause with their condition. */
export function rangeCounts(
  { project, category, isCounted }: Pick<CountedTerms, 'project' | 'category' | 'isCounted'>,
  scale: number,
): Sql {
  return sql`
    product_counts as counts
    where counts.project_id = ${project} and counts.category_id = ${category} and counts.scale = ${raw(String(scale))}
      and ${isCounted}`
}

function isOneOf(column: string, values: readonly string[], all: readonly string[]): Sql {
  if (values.length === 0) return sql`false`
  if (values.length === all.length) return sql`true`
  if (values.length === 1) return sql`${raw(column)} = ${values[0]}`
  return sql`${raw(column)} = any(${values}::text[])`
}
