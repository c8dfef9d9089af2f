import type { Queryable, Transaction } from '../database/database.ts'
import { raw, type Sql, sql } from '../database/sql.ts'
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

/** The number of products among the ids of each range, as rows (range, count). */
export function rangeCounts({ projectId, category, statuses, types }: Counted, scale: number): Sql {
  const counted = raw(types.length === 0 ? '0' : types.join(' + '))
  return sql`
    select range, sum(${counted})::int as count from product_counts
    where project_id = ${projectId} and category_id = ${category} and scale = ${raw(String(scale))}
      and ${isOneOf('status', statuses, [])}`
}

/** The ids of all these products, as rows (id): from an index alone. */
export function countedIds({ projectId, category, statuses: some, types }: Counted): Sql {
  const conditions = sql`and ${isOneOf('status', some, statuses)} and ${isOneOf('product_type', types, productTypes)}`
  if (category === 0) return sql`select id from products where project_id = ${projectId} ${conditions}`
  return sql`
    select product_id as id from product_categories
    where project_id = ${projectId} and category_id = ${category} ${conditions}`
}

function isOneOf(column: string, values: readonly string[], all: readonly string[]): Sql {
  if (values.length === all.length) return sql`true`
  if (values.length === 1) return sql`${raw(column)} = ${values[0]}`
  return sql`${raw(column)} = any(${values}::text[])`
}

/** Many writers at once leave a count in several rows; in few it is read faster. */
export async function mergeProductCounts(database: Queryable): Promise<void> {
  await database.query(sql`select merge_product_counts()`)
}

/** How many counts differ from what they count: none, unless someone wrote past the triggers. */
export async function countWrongCounts(database: Queryable): Promise<number> {
  const [row] = await database.query(sql<{ count: number }>`select count(*) from product_count_differences`)
  return row?.count ?? 0
}

/** Writers wait meanwhile; readers do not. Returns how many counts were wrong. */
export async function repairCounts(tx: Transaction): Promise<number> {
  await tx.script('lock table products, product_categories, product_counts in share row exclusive mode')
  await tx.query(sql`
    update product_categories as link set status = product.status, product_type = product.product_type
    from products as product
    where product.project_id = link.project_id and product.id = link.product_id
      and (link.status <> product.status or link.product_type <> product.product_type)`)
  const repaired = await tx.query(sql<{ range: number }>`
    insert into product_counts
    select project_id, category_id, scale, status, range, nextval('product_count_slots'),
           simple, configurable, virtual, bundle, grouped
    from product_count_differences
    returning range`)
  return repaired.length
}
