import {
  type ProductType,
  productTypes,
  type Status,
  statuses,
} from '../../../model/fields/product-fields.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { join, listing, raw, type Sql, sql } from '../../../platform/database/sql.ts'
import type { PageRequest } from '../../../platform/database/statements/select-page.ts'
import type { PageForm } from './page-form.ts'

/** A page of products whose filters the stored counts cover, in any order. */
export type CountedPage = { counted: Counted; page: PageRequest; ordering: string }

export function isByIds({ ordering }: CountedPage): boolean {
  return ordering === 'id' || ordering === '-id'
}

/** Any page ordered by ID, with the exact count. */
export async function selectCountedPage<Found>(
  database: Queryable,
  { counted, page, ordering }: CountedPage,
  form: PageForm<Found>,
): Promise<Found> {
  const statement = sql<never>`${countedPage(termsOf(counted, page), form, { isFirst: page.number === 1, descending: ordering === '-id' })}`
  return form.read(await database.query(form.isLarge ? listing(statement) : statement))
}

/**
 * Every page costs the same: the counts per ID range locate the start of the page to within 2,048 IDs. It is one statement, so that
 * everything comes from one snapshot.
 */
export function countedPage(
  terms: CountedTerms,
  form: PageForm<unknown>,
  { isFirst, descending }: { isFirst: boolean; descending: boolean },
): Sql {
  const order = raw(descending ? 'desc' : 'asc')
  const found = isFirst ? firstRows(terms, form.columns, order) : rowsFrom(terms, form.columns)
  return sql`
    with total as materialized (
      select coalesce(sum(${terms.count}), 0)::bigint as count from ${rangeCounts(terms, 16)}
    ) ${isFirst ? sql`` : pageStart(terms, descending)}
    ${form.select(found, sql`page.id ${order}`)}`
}

function firstRows(terms: CountedTerms, columns: Sql, order: Sql): Sql {
  return rows(terms, columns, sql`true`, sql`order by ${idOf(terms)} ${order} limit ${terms.size}`)
}

function rowsFrom(terms: CountedTerms, columns: Sql): Sql {
  const limit = sql`order by ${idOf(terms)} limit (select length from wanted)`
  return rows(terms, columns, sql`${idOf(terms)} >= (select id from start)`, limit)
}

/** Category links are read from their index alone, then the products of the page. */
function rows(terms: CountedTerms, columns: Sql, condition: Sql, limit: Sql): Sql {
  const found = sql`${countedProducts(terms)} and ${condition} ${limit}`
  if (!terms.isOfCategory) return sql`select ${columns} from ${found}`
  return sql`
    select ${columns} from (select link.product_id from ${found}) as link
    join products as product on product.project_id = ${terms.project} and product.id = link.product_id`
}

function idOf({ isOfCategory }: CountedTerms): Sql {
  return raw(isOfCategory ? 'link.product_id' : 'product.id')
}

/** The lowest ID of the page, also for a descending list, whose page has the same IDs in reverse. */
function pageStart(terms: CountedTerms, descending: boolean): Sql {
  const upTo = sql`sum(${terms.count}) over (order by counts.range)`
  const id = idOf(terms)
  const within = sql`${countedProducts(terms)} and ${id} >= fine.range << 11 and ${id} < (fine.range + 1) << 11`
  return sql`,
    wanted as materialized (
      select ${firstPosition(terms, descending)} as first, ${pageLength(terms, descending)} as length from total
    ), coarse as materialized (
      select min(range) filter (where up_to > first) as range,
             coalesce(max(up_to) filter (where up_to <= first), 0) as before
      from wanted, (select counts.range, ${upTo} as up_to from ${rangeCounts(terms, 16)}) as sums
    ), fine as materialized (
      select min(sums.range) filter (where up_to > first) as range, min(up_to) filter (where up_to > first) as up_to,
             coalesce(max(up_to) filter (where up_to <= first), min(before)) as before
      from wanted, (
        select counts.range, coarse.before, coarse.before + ${upTo} as up_to
        from coarse, ${rangeCounts(terms, 11)} and counts.range between coarse.range << 5 and (coarse.range << 5) + 31
      ) as sums
    ), start as materialized (
      select case when first - before < up_to - first
        then (select ${id} from ${within} order by ${id} limit 1 offset first - before)
        else (select ${id} from ${within} order by ${id} desc limit 1 offset up_to - first - 1)
      end as id
      from fine, wanted
    )`
}

/** Position of the lowest ID of the page, from 0. Can be past the end. */
function firstPosition(terms: CountedTerms, descending: boolean): Sql {
  return descending ? sql`greatest(0, ${endPosition(terms)} - ${terms.size})` : before(terms)
}

/** The number of products before the page. The statement is the same for the last page and any other. */
function before({ first, size }: CountedTerms): Sql {
  return sql`coalesce(${first}, greatest(0, (count - 1) / ${size} * ${size}))`
}

function pageLength(terms: CountedTerms, descending: boolean): Sql {
  if (!descending) return terms.size
  const end = endPosition(terms)
  return sql`greatest(0, ${end} - greatest(0, ${end} - ${terms.size}))`
}

/** For a descending page: the position after its highest ID. */
function endPosition(terms: CountedTerms): Sql {
  return sql`(count - ${before(terms)})`
}

/** A from clause with its condition: the products as `product`, or the category links as `link`. */
function countedProducts({ project, category, isOfCategory, hasStatus, hasType }: CountedTerms): Sql {
  if (!isOfCategory)
    return sql`products as product
      where product.project_id = ${project} and ${hasStatus('product.status')} and ${hasType('product.product_type')}`
  return sql`
    product_categories as link
    where link.project_id = ${project} and link.category_id = ${category}
      and ${hasStatus('link.status')} and ${hasType('link.product_type')}`
}

/** The filters that the counts of migrations/0006 cover. Category 0 is the entire project. */
export type Counted = { projectId: number; category: number; statuses: Status[]; types: ProductType[] }

/** The same in SQL with the requested page: as values, or as columns of `asked`. */
export type CountedTerms = {
  project: Sql
  category: Sql
  isOfCategory: boolean
  hasStatus: (column: string) => Sql
  hasType: (column: string) => Sql
  /** The status condition on `counts`. Always present, because the index starts with the status. */
  isCounted: Sql
  /** What one row of `counts` adds to the total. */
  count: Sql
  /** The number of products before the page; null for the last page. */
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

/** The same statement for all selections of types, so that few statements are prepared. */
function countOf({ types }: Counted): Sql {
  if (types.length === productTypes.length) return allTypes
  const terms = productTypes.map(
    (type) => sql`${raw(`counts.${type}`)} * ${types.includes(type) ? 1 : 0}::int`,
  )
  return join(terms, ' + ')
}

const allTypes = raw(productTypes.map((type) => `counts.${type}`).join(' + '))

/** The columns of `asked` that a statement for several pages uses. */
export type Shape = { isOfCategory: boolean; isOfStatus: boolean; isOfType: boolean }

/** Defined if a page filters by one status or none, and by one type or none. Pages of the same shape can share a statement. */
export function pageShape({ category, statuses: some, types }: Counted): Shape | undefined {
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

/** A from clause with its condition: the range counts of one scale, as `counts`. */
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
