import { defaultRulesVersion } from '../src/model/quality/default-rules.ts'
import type { Database } from '../src/platform/database/database.ts'
import { raw, type Sql, sql } from '../src/platform/database/sql.ts'

const categories = 50
const batch = 200_000

/** Expressions of the product's number `n`. */
type Content = { name: Sql; attributes: Sql }
const plainContent: Content = { name: sql`'Product ' || md5(n::text)`, attributes: sql`'{}'::jsonb` }

/**
 * Fills a project with products: 70 % active, 60 % simple, 8 attributes and 2 of 50 categories each. Indexing and counting
 * them afterward is much faster. A lean project has only the indexes for lists with stored counts.
 */
export async function fillProject(
  database: Database,
  project: number,
  size: number,
  isLean: boolean,
  content: Content = plainContent,
): Promise<void> {
  const [{ id: firstCategory } = { id: 0 }] = await database.query(sql<{ id: number }>`
    insert into categories (project_id, name)
    select ${project}, 'Category ' || n from generate_series(1, ${categories}::int) as n returning id`)
  const indexes = await database.query(sql<{ name: string; definition: string }>`
    select indexname as name, indexdef as definition from pg_indexes
    where indexname like 'products_by_%' or indexname like 'product_categories_by_%'`)
  await database.query(raw(`drop index ${indexes.map(({ name }) => name).join(', ')}`))
  // Also disables foreign key checks, which hold by construction.
  await withoutTriggers(
    database,
    async () => {
      for (let from = 0; from < size; from += batch)
        await insertProducts(
          database,
          { project, firstCategory, content },
          from,
          Math.min(size, from + batch),
        )
      await insertLinks(database, project)
    },
    'all',
  )
  const leanNames = /^(products_by_(status|type|status_and_type)|product_categories_by_.*)$/
  for (const { definition } of indexes.filter(({ name }) => !isLean || leanNames.test(name)))
    await database.transaction((tx) => tx.script(`set local maintenance_work_mem = '1GB'; ${definition}`))
  await database.query(sql`
    insert into product_counts
    select project_id, category_id, scale, status, range, 0, simple, configurable, virtual, bundle, grouped
    from product_count_differences where project_id = ${project}`)
  for (const table of ['products', 'product_categories', 'product_counts'])
    await database.query(raw(`vacuum analyze ${table}`))
}

/** Triggers by purpose. */
const triggers = {
  counting: {
    tables: ['products', 'product_categories'],
    names: ['count_inserted', 'count_updated', 'count_deleted'],
  },
  events: { tables: ['product_history', 'inventory_adjustments'], names: ['tell_changes'] },
  all: { tables: ['products', 'product_categories'], names: ['all'] },
}

/** Runs the work without triggers. Counts are wrong until they are repaired, and the feed misses events. */
export async function withoutTriggers(
  database: Database,
  work: () => Promise<void>,
  which: keyof typeof triggers = 'counting',
): Promise<void> {
  const { tables, names } = triggers[which]
  const turn = (word: string) => {
    const actions = names.map((name) => `${word} trigger ${name}`).join(', ')
    return database.transaction((tx) =>
      tx.script(tables.map((table) => `alter table ${table} ${actions}`).join(';')),
    )
  }
  await turn('disable')
  await work()
  await turn('enable')
}

async function insertProducts(
  database: Database,
  { project, firstCategory, content }: { project: number; firstCategory: number; content: Content },
  from: number,
  upTo: number,
): Promise<void> {
  await database.query(sql`
    insert into products (project_id, sku, name, search_text, description, short_description, price, status, product_type,
                          attributes, tracked, quantity, quality_score, quality_failed, quality_rules_version, category_ids)
    select ${project}, 'SKU-' || n, ${content.name}, lower(${content.name}) || chr(10) || 'sku-' || n,
           repeat('A sentence that describes it. ', 8), 'A short description', n % 5000,
           (array['active', 'active', 'active', 'active', 'active', 'active', 'active', 'inactive', 'pending', 'archived'])[1 + h % 10],
           (array['simple', 'simple', 'simple', 'simple', 'simple', 'simple', 'configurable', 'virtual', 'bundle', 'grouped'])[1 + h / 10 % 10],
           (select jsonb_object_agg('attribute' || a, 'value ' || (n::bigint * 31 % (a * 100))) from generate_series(1, 8) as a)
             || ${content.attributes},
           true, n % 50, n % 101, case when n % 5 = 0 then array['price_present'] else array[]::text[] end, ${defaultRulesVersion},
           array[${firstCategory}::bigint + h % ${categories}::int, ${firstCategory}::bigint + (h + 17) % ${categories}::int]
    from (
      select n, abs(hashint4(n) % 1000000) as h from generate_series(${from + 1}::int, ${upTo}::int) as n
    ) as numbers`)
}

async function insertLinks(database: Database, project: number): Promise<void> {
  await database.query(sql`
    insert into product_categories (project_id, product_id, category_id, status, product_type)
    select project_id, id, unnest(category_ids), status, product_type from products where project_id = ${project}`)
}
