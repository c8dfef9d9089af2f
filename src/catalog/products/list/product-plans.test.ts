import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ownDatabase } from '../../../../test/database/test-database.ts'
import { productTypes, statuses } from '../../../model/fields/product-fields.ts'
import {
  type Database,
  openDatabase,
  type Queryable,
  type Transaction,
} from '../../../platform/database/database.ts'
import { planEachTime, raw, type Statement, sql } from '../../../platform/database/sql.ts'
import type { KeyedFilter } from '../../../platform/http/query/keyed-parameters.ts'
import { promptWrites } from '../../prompts/outcomes/prompt-outcomes.sql.ts'
import type { Filters } from '../product-filters.ts'
import { orderingFields, type ProductQuery } from '../product-list.schema.ts'
import { watchLargeProjects } from './large-projects.ts'
import { listProductDetails, listProducts, sharePages } from './product-list.sql.ts'

// A separate database: the products of one project among as many of other projects, with statistics. A larger table only makes
// a scan more expensive, so a query that uses an index here uses it there.
let database: Database
let hasGenericPlans: boolean
const size = 2_500

beforeAll(async () => {
  database = openDatabase({
    connection: await ownDatabase('plans'),
    poolSize: 1,
    statementTimeoutSeconds: 0,
  })
  const [server] = await database.query(
    sql<{ number: number }>`select current_setting('server_version_num')::int as number`,
  )
  hasGenericPlans = (server?.number ?? 0) >= 160_000
  await database.query(sql`insert into projects (name) select 'p' from generate_series(1, 11)`)
  await database.query(
    sql`insert into categories (project_id, name) select 1, 'c' || n from generate_series(1, 40) as n`,
  )
  await database.query(sql`
    insert into products (project_id, sku, name, search_text, description, price, status, product_type, attributes, media,
                          created_at, updated_at, inventory_updated_at, tracked, quantity, quality_score, quality_failed, quality_rules_version, category_ids)
    select case when n <= ${size} then 1 else 2 + n % 10 end, 'SKU-' || n, 'Name ' || md5(n::text), 'name ' || md5(n::text) || chr(10) || 'sku-' || n,
           repeat('A description. ', 20), case when n % 20 = 0 then null else n % 5000 end,
           (array['active', 'inactive', 'pending', 'archived'])[1 + n % 4],
           (array['simple', 'configurable', 'virtual', 'bundle', 'grouped'])[1 + n % 5],
           jsonb_build_object('color', 'c' || n % 200, 'size', n % 60, 'a' || n % 50, 'x'),
           case when n % 10 = 0 then '[{"url": "https://a.example", "kind": "image"}]'::jsonb else '[]' end,
           now() - n * interval '1 minute', now() - (n * 7919 % 100000) * interval '1 minute',
           now() - (n * 6007 % 100000) * interval '1 minute',
           true, n % 3, n % 101, case when n % 50 = 0 then array['sku_form'] else array[]::text[] end, 1,
           case when n <= ${size} then array[1 + n % 40] else array[]::bigint[] end
    from generate_series(1, ${size * 2}::int) as n`)
  await database.query(sql`
    insert into product_categories (project_id, product_id, category_id, status, product_type)
    select project_id, id, unnest(category_ids), status, product_type from products`)
  await database.query(raw('vacuum analyze products'))
  await database.query(raw('vacuum analyze product_categories'))
}, 120_000)

afterAll(async () => {
  await database?.close()
})

type Node = {
  'Node Type': string
  'Parent Relationship'?: string
  'Join Type'?: string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Filter?: string
  'Plan Rows': number
  Plans?: Node[]
}

/** Planned with its values, or without them if the statement is prepared once for all values. */
function explained(statement: Statement<unknown>): Statement<{ 'QUERY PLAN': [{ Plan: Node }] }> {
  return planEachTime(
    statement.planEachTime === true || !hasGenericPlans
      ? sql`explain (format json) ${statement}`
      : sql`explain (format json, generic_plan) ${raw(statement.text)}`,
  )
}

/** The plan of the statement that the list runs. */
function planOf(filters: Filters, ordering?: string, on: Queryable = database): Promise<Node[]> {
  const list = { filters, ordering, page: { number: 1, size: 20 } }
  return planned((explaining) => listProducts(explaining, sharePages(explaining), 1, list), on)
}

async function planned(run: (explaining: Queryable) => Promise<unknown>, on: Queryable): Promise<Node[]> {
  const nodes: Node[] = []
  const explaining: Queryable = {
    async query<Row>(statement: Statement<Row>) {
      const [row] = await on.query(explained(statement))
      const collect = (node: Node): void => {
        nodes.push(node)
        for (const child of node.Plans ?? []) collect(child)
      }
      if (row !== undefined) collect(row['QUERY PLAN'][0].Plan)
      return []
    },
  }
  await run(explaining)
  return nodes
}

function scansAll(nodes: Node[]): boolean {
  return nodes.some((node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] === 'products')
}

function readsProducts(node: Node): boolean {
  return node['Relation Name'] === 'products' || (node.Plans ?? []).some(readsProducts)
}

/** Sorting the page itself, a few hundred matches, or the links of a category is acceptable. */
function sortsProject(nodes: Node[]): boolean {
  return nodes.some(
    (node) =>
      node['Node Type'] === 'Sort' &&
      readsProducts(node) &&
      Math.max(0, ...(node.Plans ?? []).map((child) => child['Plan Rows'])) > size / 8,
  )
}

/** Rolls the work back, and removes its dead rows, which would change the plans of other tests. */
async function undone(work: (tx: Transaction) => Promise<void>): Promise<void> {
  const end = new Error('undone')
  const undoing = database.transaction(async (tx) => {
    await work(tx)
    throw end
  })
  await expect(undoing).rejects.toBe(end)
  await database.query(raw('vacuum full analyze products'))
}

const attribute = (filter: KeyedFilter): ProductQuery => ({ attributes: [filter] })

const filters: [string, Filters][] = [
  ['no filter', {}],
  ['project', { project: 1 }],
  ['status', { status: 'active' }],
  ['product_type', { product_type: 'virtual' }],
  ['status and product_type', { status: 'active', product_type: 'simple' }],
  ['category', { category: 7 }],
  ['category__under', { category__under: 7 }],
  ['category and status', { category: 7, status: 'active' }],
  ['sku', { sku: 'SKU-77' }],
  ['search', { search: 'abc12 sku-77' }],
  ['search with typos', { search: 'abc12d sku-77', match: 'close' }],
  ['name__icontains', { name__icontains: 'ABC12' }],
  ['in_stock', { in_stock: false }],
  ['low_stock=true', { low_stock: true }],
  ['low_stock=false', { low_stock: false }],
  ['has_image=true', { has_image: true }],
  ['has_image=false', { has_image: false }],
  ['price__gte and __lte', { price__gte: 100, price__lte: 120 }],
  ['created_at', { created_at__gte: new Date(Date.now() - 864e5).toISOString() }],
  ['updated_at', { updated_at__lt: new Date(Date.now() - 68 * 864e5).toISOString() }],
  ['inventory_updated_at', { inventory_updated_at__gte: new Date(Date.now() - 864e5).toISOString() }],
  ['quality_score', { quality_score__lte: 5 }],
  ['quality_rule', { quality_rule: 'sku_form' }],
  ['written_by_prompt', { written_by: ['2'] }],
  ['id__in', { id__in: [1, 2, 3] }],
  ['sku__in', { sku__in: ['SKU-1', 'SKU-2'] }],
  ['status__in', { status__in: ['inactive', 'archived'] }],
  ['product_type__in', { product_type__in: ['bundle', 'grouped'] }],
  ['category__in', { category__in: [3, 4] }],
  ['attributes__color', attribute({ key: 'color', operator: 'exact', value: 'c7' })],
  ['attributes__size (a number)', attribute({ key: 'size', operator: 'exact', value: '42' })],
  ['attributes__color__in', attribute({ key: 'color', operator: 'in', value: ['c7', 'c8'] })],
  ['attributes__a7__isnull=false', attribute({ key: 'a7', operator: 'isnull', value: false })],
  ['attributes__a7__icontains', attribute({ key: 'a7', operator: 'icontains', value: 'x' })],
  ['attributes__a7__gte', attribute({ key: 'a7', operator: 'gte', value: 5 })],
  ['attributes__a7__lte (a date)', attribute({ key: 'a7', operator: 'lte', value: '2026-01-31' })],
]

describe('in a project with thousands of products', () => {
  test('an ordering without its index fails this test', async () => {
    await undone(async (tx) => {
      await tx.query(raw('drop index products_by_price, products_by_price_down'))
      expect(sortsProject(await planOf({}, 'price', tx))).toBe(true)
      expect(sortsProject(await planOf({}, '-price', tx))).toBe(true)
    })
  })

  test('in_stock uses its own index and does not scan the project', async () => {
    for (const in_stock of [true, false]) {
      const used = (await planOf({ in_stock })).map((node) => node['Index Name'])
      expect(used).toContain('products_by_stock')
    }
  })

  test('low_stock uses its own small index', async () => {
    const used = (await planOf({ low_stock: true })).map((node) => node['Index Name'])
    expect(used).toContain('products_low_in_stock')
  })

  test('an attribute value is found by one index on name and value, alone or in a list', async () => {
    for (const filter of [
      attribute({ key: 'color', operator: 'exact', value: 'c7' }),
      attribute({ key: 'size', operator: 'in', value: ['42', '43'] }),
    ]) {
      const used = (await planOf(filter)).flatMap((node) => node['Index Name'] ?? [])
      expect(used.filter((index) => index === 'products_by_attribute')).toHaveLength(1)
    }
  })

  test('a search in a very large project does not read the list of its products from the index', async () => {
    for (const filters of [{ search: 'abc12' }, attribute({ key: 'color', operator: 'exact', value: 'c7' })])
      for (const isLargeProject of [false, true]) {
        const list = { filters, ordering: undefined, page: { number: 1, size: 20 }, isLargeProject }
        const nodes = await planned((on) => listProducts(on, sharePages(on), 1, list), database)
        const [scan] = nodes.filter((node) => node['Node Type'] === 'Bitmap Index Scan')
        expect(scan?.['Index Name']).toMatch(/^products_by_(words|attribute)$/)
        if (isLargeProject) expect(scan?.['Index Cond']).not.toContain('project_id')
      }
  })

  test('a search by relevance uses the word index, with and without typos', async () => {
    for (const match of ['exact', 'close'] as const) {
      const nodes = await planOf({ search: 'abc12d', ...(match === 'close' && { match }) }, 'relevance')
      expect(nodes.map((node) => node['Index Name'])).toContain('products_by_words')
      expect([scansAll(nodes), sortsProject(nodes)]).toEqual([false, false])
    }
  })

  test('searches are planned once, regardless of how many share a statement', async () => {
    if (!hasGenericPlans) return
    const [plans] = await database.transaction(async (tx) => {
      await tx.script('set local plan_cache_mode = auto')
      const shared = sharePages(tx)
      for (const many of [1, 8, 2, 1, 5, 1, 1, 3, 1, 8, 1, 1]) {
        const searches = Array.from({ length: many }, (_, n) => ({ filters: { search: `abc${n}` } }))
        const lists = searches.map((list) => ({ ...list, ordering: 'id', page: { number: 1, size: 20 } }))
        await Promise.all(lists.map((list) => listProducts(tx, shared, 1, list)))
      }
      return tx.query(sql<{ custom: number; generic: number }>`
        select custom_plans as custom, generic_plans as generic from pg_prepared_statements where statement like ${'%asked.term_1%'}`)
    })
    // The server creates five custom plans before it considers a generic one.
    expect(plans).toEqual({ custom: 5, generic: 7 })
  })

  test.each(['---', 'лампа', '日本語'])(
    'a search for %s without a trigram does not read the entire word index',
    async (search) => {
      const [known] = await database.query(
        sql<{ trigrams: string[] }>`select show_trgm(${search}) as trigrams`,
      )
      const used = (await planOf({ search })).map((node) => node['Index Name'])
      expect(used.includes('products_by_words') && known?.trigrams.length === 0).toBe(false)
    },
  )

  test('large projects are detected from the statistics', async () => {
    const projects = watchLargeProjects()
    expect(projects.has(1)).toBe(false)
    await projects.refresh(database)
    expect([1, 2, 11].map(projects.has)).toEqual([true, false, false])
  })

  test('filters by view use the index of marks', { tags: 'slow' }, async () => {
    await undone(async (tx) => {
      await tx.query(sql`update products set view_marks = array['missing:v' || id % 50]`)
      await tx.query(raw('analyze products'))
      const nodes = await planOf({ marks: ['missing:v7'] }, undefined, tx)
      expect(nodes.map((node) => node['Index Name'])).toContain('products_by_view_mark')
      expect(scansAll(nodes)).toBe(false)
    })
  })

  test('provenance filters use their own index, before and after the statistics are updated', {
    tags: 'slow',
  }, async () => {
    await undone(async (tx) => {
      for (const written_by of [['2'], ['2/1.1.0'], ['2/1.0.0', '2/1.1.0']]) {
        const used = (await planOf({ written_by }, undefined, tx)).map((node) => node['Index Name'])
        expect(used).toContain('products_by_provenance')
      }
      await tx.query(sql`
        update products set provenance = jsonb_build_object('description',
          jsonb_build_object('prompt_id', id % 5, 'version_number', '1.' || id % 7 || '.0', 'version', 1))
        where id % 3 = 0`)
      await tx.query(raw('analyze products'))
      const nodes = await planOf({ written_by: ['2/1.1.0'] }, '-price', tx)
      expect(nodes.map((node) => node['Index Name'])).toContain('products_by_provenance')
      expect([scansAll(nodes), sortsProject(nodes)]).toEqual([false, false])
      await tx.query(sql`
        insert into product_history (project_id, product_id, version, changed_at, actor, source, after, provenance)
        select project_id, id, 1, now(), 'a', 'api', '{}', nullif(provenance, '{}') from products`)
      await tx.query(raw('analyze product_history'))
      const outcomes = await planned((explaining) => explaining.query(planEachTime(promptWrites(1, 2))), tx)
      expect(outcomes.map((node) => node['Index Name'])).toContain('product_history_by_provenance')
      // Changes first, then each product by ID. The reverse order would compute the keys of every change.
      expect(scansAll(outcomes)).toBe(false)
    })
  })

  test('has_image uses its own index', async () => {
    const used = (await planOf({ has_image: true })).map((node) => node['Index Name'])
    expect(new Set(used.filter((name) => name !== undefined))).toEqual(new Set(['products_with_image']))
  })

  test('category__under reads the tree once, not for every product', async () => {
    const nodes = await planOf({ category__under: 7 })
    // A subplan that runs once is an InitPlan, and no condition calls it.
    expect(nodes.map((node) => node['Parent Relationship'])).toContain('InitPlan')
    expect(JSON.stringify(nodes)).not.toContain('categories_under(')
  })

  test('a filter by stock time uses its own index', async () => {
    const since = new Date(Date.now() - 864e5).toISOString()
    const used = (await planOf({ inventory_updated_at__gte: since })).map((node) => node['Index Name'])
    expect(used).toContain('products_by_stock_change')
    expect(used).toContain('products_by_creation')
  })

  test.each(filters)('the filter %s neither scans the table nor sorts the project', async (_name, filter) => {
    const nodes = await planOf(filter)
    expect(
      [scansAll(nodes), sortsProject(nodes)],
      JSON.stringify(nodes.map((node) => node['Node Type'])),
    ).toEqual([false, false])
  })

  test.each(orderingFields.flatMap((field) => [field, `-${field}`]))(
    'ordering=%s neither scans the table nor sorts the project',
    async (ordering) => {
      const nodes = await planOf({}, ordering)
      expect(
        [scansAll(nodes), sortsProject(nodes)],
        JSON.stringify(nodes.map((node) => node['Node Type'])),
      ).toEqual([false, false])
    },
  )
})

describe('right after a large push, before the tables are analyzed', () => {
  let fresh: Database

  beforeAll(async () => {
    fresh = openDatabase({
      connection: await ownDatabase('fresh_plans'),
      poolSize: 1,
      statementTimeoutSeconds: 0,
    })
    for (const table of ['products', 'product_references'])
      await fresh.query(raw(`alter table ${table} set (autovacuum_enabled = off)`))
    await fresh.query(sql`insert into projects (name) values ('p')`)
    await fresh.query(sql`
      insert into products (project_id, sku, name, search_text, product_type, components, quality_score, quality_failed, quality_rules_version)
      select 1, 'SKU-' || n, 'Name', 'name', case when n % 4 = 0 then 'bundle' else 'simple' end,
             case when n % 4 = 0 then jsonb_build_array(jsonb_build_object('id', n - 1, 'sku', 'SKU-' || n - 1, 'quantity', 1)) else '[]' end,
             50, array[]::text[], 1
      from generate_series(1, ${size}::int) as n`)
    await fresh.query(sql`
      insert into product_references (project_id, product_id, kind, reference_id, reference_sku)
      select 1, id, 'component', id - 1, 'SKU-' || id - 1 from products where product_type = 'bundle'`)
  })
  afterAll(() => fresh?.close())

  test.each<[string, Filters]>([
    ['parent', { parent: 8 }],
    ['component', { component: 7 }],
    ['linked_to', { linked_to: 8 }],
    ['unbound', { unbound: true }],
    ['unbound=false', { unbound: false }],
  ])('the filter %s reads references once, not for every product', async (_name, filters) => {
    const nodes = await planOf(filters, undefined, fresh)
    const joins = nodes.map((node) => node['Join Type'])
    expect(joins).not.toContain('Inner')
    expect(joins).not.toContain('Semi')
    // Read once into a hash table. An array would be scanned for every product.
    const asked = nodes.filter((node) => node['Parent Relationship'] === 'SubPlan').length
    const conditions = nodes.map((node) => node.Filter ?? '')
    expect(conditions.filter((condition) => condition.includes('hashed SubPlan'))).toHaveLength(asked)
    expect(conditions.join()).not.toContain('<> ALL')
  })

  test('computed stock reads components by key, and does not scan the project for every bundle', async () => {
    for (const in_stock__computed of [true, false]) {
      const nodes = await planOf({ in_stock__computed }, undefined, fresh)
      expect(nodes.map((node) => node['Node Type'])).not.toContain('Hash Join')
    }
  })
  test.each(orderingFields.flatMap((field) => [field, `-${field}`]))(
    'pages by %s share a statement that reads them along an index, products by their ID, without statistics',
    async (ordering) => {
      const list = { filters: {}, ordering, page: { number: 50, size: 20 } }
      const nodes = await planned((on) => listProducts(on, sharePages(on), 1, list), fresh)
      expect([scansAll(nodes), sortsProject(nodes)]).toEqual([false, false])
      // A plan for an empty table can find each product of the page by reading the whole project.
      const rows = nodes.filter((node) => node['Index Cond']?.includes('id = ids.id'))
      if (!/^-?id$/.test(ordering)) expect(rows.map((node) => node['Index Name'])).toEqual(['products_pkey'])
    },
  )

  test('a shared page by price does not read the entire project, even if there is only one project', async () => {
    await fresh.query(raw('analyze products'))
    const list = { filters: {}, ordering: '-price', page: { number: 50, size: 20 }, isLargeProject: true }
    const nodes = await planned((on) => listProducts(on, sharePages(on), 1, list), fresh)
    expect([scansAll(nodes), sortsProject(nodes)]).toEqual([false, false])
  })
})

function choices<Value>(values: readonly Value[]): Value[][] {
  const numbers = Array.from({ length: 2 ** values.length - 1 }, (_, index) => index + 1)
  return numbers.map((number) => values.filter((_, bit) => (number >> bit) % 2 === 1))
}

const ofEveryLength = <Value>(values: readonly Value[]) => values.map((_, at) => values.slice(0, at + 1))

test('few prepared statements serve all combinations of status, type, category and page', {
  tags: 'slow',
}, async () => {
  const texts = new Set<string>()
  const collecting: Queryable = {
    async query<Row>({ text, planEachTime: isUnnamed }: Statement<Row>) {
      if (isUnnamed !== true) texts.add(text)
      return []
    },
  }
  // Every value of one parameter with all values of the others.
  const chosen = [
    ...choices(statuses).flatMap((some) =>
      ofEveryLength(productTypes).map((types) => [some, types] as const),
    ),
    ...choices(productTypes).flatMap((types) =>
      ofEveryLength(statuses).map((some) => [some, types] as const),
    ),
  ]
  for (const [status__in, product_type__in] of chosen)
    for (const category of [undefined, 7])
      for (const ordering of ['id', '-id'])
        for (const number of [1, 2, 77, 'last'] as const) {
          const filters = { status__in, product_type__in, ...(category && { category }) }
          const list = { filters, ordering, page: { number, size: 20 } }
          await listProducts(collecting, sharePages(collecting), 1, list)
          await listProductDetails(collecting, 1, list, 1_000_000)
        }
  expect(texts.size).toBeLessThanOrEqual(144)
})
