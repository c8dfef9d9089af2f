import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { broad, join, planEachTime, type Sql, sql } from '../../platform/database/sql.ts'
import { likePattern } from '../../platform/database/statements/search-text.ts'
import { type Page, type PageRequest, selectPage } from '../../platform/database/statements/select-page.ts'
import { orderBy } from '../../platform/http/query/ordering.ts'
import type {
  Category,
  CategoryDetail,
  CategoryInput,
  CategoryQuery,
  ListedCategory,
} from './category.schema.ts'
import { findPaths } from './look-up-categories.sql.ts'

const categoryColumns = sql`id, name, project_id as project, created_at, updated_at, parent_id as parent, position`
const columns = sql`${categoryColumns}, category_path(project_id, id) as path`

/** Pads numbers with zeros, so that they are compared by value. */
const naturalName = sql`
  regexp_replace(regexp_replace(lower(name), '(\\d+)', '000000000\\1', 'g'), '0*(\\d{10})(?!\\d)', '\\1', 'g')`

export async function listCategories(
  database: Queryable,
  projectId: number,
  filters: CategoryQuery,
  page: PageRequest,
): Promise<Page<ListedCategory>> {
  const { count, results } = await selectPage<Omit<Category, 'path'>>(database, {
    columns: categoryColumns,
    from: sql`(select *, ${naturalName} as natural_name from categories) as categories`,
    where: matchingCategories(projectId, filters),
    orderBy: orderBy('categories', filters.ordering),
    page,
  })
  const ids = results.map(({ id }) => id)
  const paths = await findPaths(database, projectId, ids)
  const counts = filters.expand && (await findCounts(database, projectId, ids))
  const sums =
    filters.expand === 'subtree_counts' ? await findSubtreeSums(database, projectId, ids) : undefined
  return {
    count,
    results: results.map((row) => ({
      ...row,
      // A category that is deleted or moved between the statements has only its name.
      path: paths.get(row.id) ?? [row.name],
      ...(counts && (counts.get(row.id) ?? { products: 0, children: 0 })),
      ...(sums && { subtree_products: sums.get(row.id) ?? 0 }),
    })),
  }
}

function matchingCategories(
  projectId: number,
  { id__in, parent, parent__isnull, search }: CategoryQuery,
): Sql {
  const conditions = [sql`project_id = ${projectId}`]
  if (id__in !== undefined) conditions.push(sql`id = any(${id__in}::bigint[])`)
  if (parent !== undefined) conditions.push(isBelow(parent))
  if (parent__isnull !== undefined)
    conditions.push(parent__isnull ? isBelow(null) : sql`parent_id is not null`)
  if (search !== undefined)
    conditions.push(sql`normalize(translate(lower(name), 'ς', 'σ'), nfc) like ${likePattern(search)}`)
  return join(conditions, ' and ')
}

/** Direct subcategories of a category, or root categories. */
export function isBelow(parent: number | null): Sql {
  return parent === null ? sql`parent_id is null` : sql`parent_id = ${parent}`
}

export async function findCategory(
  database: Queryable,
  projectId: number,
  id: number,
): Promise<Category | undefined> {
  const [row] = await database.query(
    sql<Category>`select ${columns} from categories where project_id = ${projectId} and id = ${id}`,
  )
  return row
}

/** The direct subcategories of a category. */
export function findCategoriesBelow(tx: Transaction, projectId: number, parent: number): Promise<Category[]> {
  return tx.query(sql<Category>`
    select ${columns} from categories where project_id = ${projectId} and ${isBelow(parent)} order by id`)
}

/** The number of products directly in a category, from the stored counts. */
export const ownProducts = sql`(
  select coalesce(sum(simple + configurable + virtual + bundle + grouped), 0)::int from product_counts as count
  where count.project_id = category.project_id and count.category_id = category.id and count.scale = 16)`

type Counts = { products: number; children: number }

/** The numbers of direct products and direct subcategories of each category. */
async function findCounts(
  database: Queryable,
  projectId: number,
  ids: number[],
): Promise<Map<number, Counts>> {
  if (ids.length === 0) return new Map()
  const rows = await database.query(
    planEachTime(sql<Counts & { id: number }>`
      select id, ${ownProducts} as products, (
        select count(*)::int from categories as child
        where child.project_id = category.project_id and child.parent_id = category.id) as children
      from categories as category where project_id = ${projectId} and id = any(${ids}::bigint[])`),
  )
  return new Map(rows.map(({ id, ...counts }) => [id, counts]))
}

/** The sum of the direct products of each category and all categories below it. Reads all of these categories. */
async function findSubtreeSums(
  database: Queryable,
  projectId: number,
  ids: number[],
): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map()
  const rows = await database.query(
    broad(
      planEachTime(sql<{ id: number; products: number }>`
        with recursive subtree as (
          select id as top, id, project_id, 1 as depth from categories
          where project_id = ${projectId} and id = any(${ids}::bigint[])
          union all
          select above.top, child.id, child.project_id, depth + 1
          from subtree as above
          join categories as child on child.project_id = above.project_id and child.parent_id = above.id
          where depth < 100
        )
        select top as id, sum(${ownProducts})::int as products from subtree as category group by top`),
    ),
  )
  return new Map(rows.map(({ id, products }) => [id, products]))
}

export async function findCategoryDetail(
  database: Queryable,
  projectId: number,
  id: number,
): Promise<CategoryDetail | undefined> {
  const statement = sql<CategoryDetail>`
    select ${columns}, ${ownProducts} as products, case
      when exists (select from categories as child where child.project_id = category.project_id and child.parent_id = category.id)
      then (
        select count(distinct link.product_id) from product_categories as link
        where link.project_id = ${projectId} and link.category_id = any((select categories_under(${projectId}, ${id}))::bigint[]))
      else ${ownProducts} end::int as products_under
    from categories as category where project_id = ${projectId} and id = ${id}`
  // There can be very many links below a category.
  const [row] = await database.query(broad(statement))
  return row
}

export async function insertCategory(
  tx: Transaction,
  projectId: number,
  { name, parent = null, position = 0 }: CategoryInput,
): Promise<Category | undefined> {
  const [row] = await tx.query(sql<{ id: number }>`
    insert into categories (project_id, parent_id, name, position)
    values (${projectId}, ${parent}, ${name}, ${position})
    on conflict (project_id, parent_id, name) do nothing returning id`)
  // A separate statement reads the path, because it sees the new row.
  return row && findCategory(tx, projectId, row.id)
}

/** Returns whether anything changed. If not, `updated_at` does not change either. */
export async function updateCategory(
  tx: Transaction,
  projectId: number,
  id: number,
  { name, parent, position }: Required<CategoryInput>,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update categories set name = ${name}, parent_id = ${parent}, position = ${position}, updated_at = clock_timestamp()
    where project_id = ${projectId} and id = ${id}
      and (name, parent_id, position) is distinct from (${name}::text, ${parent}::bigint, ${position}::integer)
    returning 1`)
  return rows.length > 0
}

/** False if it does not exist. No other writer changes it or creates one below it until the transaction ends. */
export async function lockCategory(tx: Transaction, projectId: number, id: number): Promise<boolean> {
  const rows = await tx.query(sql<{ id: number }>`
    select id from categories where project_id = ${projectId} and id = ${id} for update`)
  return rows.length > 0
}

export async function deleteCategoryRow(tx: Transaction, projectId: number, id: number): Promise<void> {
  await tx.query(sql`delete from categories where project_id = ${projectId} and id = ${id}`)
}

/** The attribute definition or quality rule in force that uses the category. */
export async function findRuleOf(
  database: Queryable,
  projectId: number,
  id: number,
): Promise<string | undefined> {
  const path = (list: string) => `$[*] ? (exists (@.${list}[*] ? (@ == $id)))`
  const variables = JSON.stringify({ id })
  const [row] = await database.query(sql<{ name: string | null }>`
    select coalesce(
      'attribute ' || (jsonb_path_query_first(definitions, ${path('required_for.categories')}::jsonpath, ${variables}::jsonb) ->> 'name'),
      'rule ' || (jsonb_path_query_first(rules, ${path('categories')}::jsonpath, ${variables}::jsonb) ->> 'code')) as name
    from projects as project
    join rulesets as ruleset on ruleset.project_id = project.id and ruleset.version = project.ruleset
    where project.id = ${projectId}`)
  return row?.name ?? undefined
}

export async function findSibling(
  database: Queryable,
  projectId: number,
  parent: number | null,
  name: string,
): Promise<number | undefined> {
  const [row] = await database.query(sql<{ id: number }>`
    select id from categories
    where project_id = ${projectId} and ${isBelow(parent)} and name = ${name}`)
  return row?.id
}
