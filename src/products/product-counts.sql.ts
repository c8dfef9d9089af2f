import type { Queryable, Transaction } from '../database/database.ts'
import { join, raw, type Sql, sql } from '../database/sql.ts'
import { type ProductQuery, type ProductType, productTypes, type Status, statuses } from './product.schema.ts'

/** What the counts of migrations/0006 tell products apart by. Category 0 is the whole project. */
export type Counted = { projectId: number; category: number; statuses: Status[]; types: ProductType[] }

const ignored = new Set<string>(['page', 'page_size', 'ordering', 'expand'])

/** The filters in terms of the counts, or undefined where one of them is not counted by. */
export function countedBy(projectId: number, filters: ProductQuery): Counted | undefined {
  const counted: Counted = { projectId, category: 0, statuses: [...statuses], types: [...productTypes] }
  for (const [name, value] of Object.entries(filters)) {
    if (ignored.has(name) || value === undefined) continue
    if (name === 'project' && value === projectId) continue
    if (name === 'category' && value !== 0) counted.category = value as number
    else if (name === 'status' || name === 'status__in')
      counted.statuses = counted.statuses.filter((status) => [value].flat().includes(status))
    else if (name === 'product_type' || name === 'product_type__in')
      counted.types = counted.types.filter((type) => [value].flat().includes(type))
    else return undefined
  }
  return counted
}

/** The counts of ranges of one scale, as `counts`, in a from clause with their condition. */
export function rangeCounts({ projectId, category, statuses }: Counted, scale: number): Sql {
  return sql`
    product_counts as counts
    where counts.project_id = ${projectId} and counts.category_id = ${category} and counts.scale = ${raw(String(scale))}
      and ${isOneOf('counts.status', statuses, [])}`
}

/** What one row of `counts` adds to the whole. One text for all choices of types, so that few statements are prepared. */
export function countOf({ types }: Counted): Sql {
  if (types.length === productTypes.length)
    return raw(productTypes.map((type) => `counts.${type}`).join(' + '))
  const terms = productTypes.map(
    (type) => sql`${raw(`counts.${type}`)} * ${types.includes(type) ? 1 : 0}::int`,
  )
  return join(terms, ' + ')
}

/** All these products in a from clause with its condition: as `product`, or as `link` to it. */
export function countedProducts({ projectId, category, statuses: some, types }: Counted): Sql {
  const conditions = (table: string) =>
    sql`${isOneOf(`${table}.status`, some, statuses)} and ${isOneOf(`${table}.product_type`, types, productTypes)}`
  if (category === 0)
    return sql`products as product where product.project_id = ${projectId} and ${conditions('product')}`
  return sql`
    product_categories as link
    where link.project_id = ${projectId} and link.category_id = ${category} and ${conditions('link')}`
}

function isOneOf(column: string, values: readonly string[], all: readonly string[]): Sql {
  if (values.length === 0) return sql`false`
  if (values.length === all.length) return sql`true`
  if (values.length === 1) return sql`${raw(column)} = ${values[0]}`
  return sql`${raw(column)} = any(${values}::text[])`
}

/** Many writers at once leave a count in several rows; in few it is read faster. */
export async function mergeProductCounts(database: Queryable): Promise<void> {
  await database.query(sql`select merge_product_counts()`)
}

const rightLinks = sql`
  select project_id, id as product_id, unnest(category_ids) as category_id, status, product_type from products`

const wrongLinks = sql`
  (${rightLinks}) as wanted full join product_categories as link using (project_id, product_id, category_id)
  where link.status is distinct from wanted.status or link.product_type is distinct from wanted.product_type`

/** How many counts and links differ from the products: none, unless someone wrote past the triggers. */
export async function countWrongCounts(database: Queryable): Promise<number> {
  const [row] = await database.query(sql<{ count: number }>`
    select (select count(*) from product_count_differences) + (select count(*) from ${wrongLinks}) as count`)
  return row?.count ?? 0
}

/** Writers wait meanwhile; readers do not. Returns how many counts and links were wrong. */
export async function repairCounts(tx: Transaction): Promise<number> {
  await tx.script('lock table products, product_categories, product_counts in share row exclusive mode')
  const wrong = await countWrongCounts(tx)
  await tx.query(sql`
    delete from product_categories as link
    where not exists (
      select from products as product
      where product.project_id = link.project_id and product.id = link.product_id
        and link.category_id = any(product.category_ids))`)
  await tx.query(sql`
    insert into product_categories as link (project_id, product_id, category_id, status, product_type) ${rightLinks}
    on conflict (project_id, product_id, category_id) do update
    set status = excluded.status, product_type = excluded.product_type
    where link.status <> excluded.status or link.product_type <> excluded.product_type`)
  await tx.query(sql`
    insert into product_counts
    select project_id, category_id, scale, status, range, nextval('product_count_slots'),
           simple, configurable, virtual, bundle, grouped
    from product_count_differences`)
  return wrong
}
