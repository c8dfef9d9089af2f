import { statuses } from '../../model/fields/product-fields.ts'
import { linkKinds } from '../../model/structure/link-kinds.ts'
import { viewMarks } from '../../model/views/view-marks.ts'
import { join, raw, type Sql, sql } from '../../platform/database/sql.ts'
import { likePattern, splitWords } from '../../platform/database/statements/search-text.ts'
import { normalizeText } from '../../platform/http/body/validate-body.ts'
import type { KeyedFilter } from '../../platform/http/query/keyed-parameters.ts'
import { computedStock, ownStock } from '../structure/computed-stock.sql.ts'
import { longTexts, type ProductQuery } from './product-list.schema.ts'
import { searchWords } from './search-words.ts'
import type { ByView, MarkFilters } from './view-filters.ts'

/** The filters of a query, prepared for the project. */
export type Filters = Omit<ProductQuery, keyof WrittenBy | keyof ByPath | keyof ByView> &
  MarkFilters & {
    in_stock__computed?: boolean
    /** Prompts, and prompts with a version: `2`, `2/1.1.0`. */
    written_by?: readonly string[]
  }

/** The filters that are replaced by category IDs. */
export type ByPath = Pick<ProductQuery, 'category_path' | 'category_path__under'>

/** The filters that `written_by` replaces. */
export type WrittenBy = Pick<
  ProductQuery,
  'written_by_prompt' | 'written_by_version' | 'written_by_version__lt'
>

/** Condition for products, as `product`, that match every filter. Each condition is written so that an index can serve it. */
export function matchingProducts(projectId: number, filters: Filters): Sql {
  const conditions = [sql`product.project_id = ${projectId}`]
  for (const [name, value] of Object.entries(filters)) {
    const condition = conditionsByName[name as keyof Filters]
    if (condition !== undefined) conditions.push((condition as Condition<unknown>)(value, projectId, filters))
  }
  return join(conditions, ' and ')
}

const soldAlone = sql`product.product_type in ('simple', 'virtual')`

const lowStock = sql`${soldAlone} and product.tracked and product.quantity - product.reserved <= product.low_stock_threshold`

type Condition<Value> = (value: Value, projectId: number, filters: Filters) => Sql
type Conditions = { [Name in keyof Filters]?: Condition<NonNullable<Filters[Name]>> }

const conditionsByName: Conditions = {
  project: (id) => sql`product.project_id = ${id}`,
  status: (status) => sql`product.status = ${status}`,
  product_type: (type) => sql`product.product_type = ${type}`,
  category: (id, projectId) => inCategories([id], projectId),
  // A separate subquery runs once; a condition could run for every product.
  category__under: (id, projectId) => sql`product.id in (
    select link.product_id from product_categories as link
    where link.project_id = ${projectId} and link.category_id = any((select categories_under(${projectId}, ${id}))::bigint[]))`,
  sku: (sku) => sql`product.sku = ${normalizeText(sku)}`,
  search: (text, _, { search_in, match }) =>
    match === 'close'
      ? closeTo(text, search_in === 'all')
      : join(splitWords(text).map(search_in === 'all' ? anywhere : inName), ' and '),
  // The name is before the line break. The first condition uses the index on the entire text.
  name__icontains: (text) => sql`(
    product.search_text like ${likePattern(text)}
    and split_part(product.search_text, chr(10), 1) like ${likePattern(text)})`,
  // `is true`, because the planner rewrites `= true` and no longer matches the index.
  in_stock: (wanted) => (wanted ? sql`${ownStock} is true` : sql`${ownStock} is false`),
  // prepare-filters.ts uses this filter instead in projects with computed stock.
  in_stock__computed: (wanted) =>
    wanted
      ? sql`(${soldAlone} and ${ownStock} is true or not ${soldAlone} and ${computedStock} is true)`
      : sql`(${soldAlone} and ${ownStock} is false or not ${soldAlone} and ${computedStock} is false)`,
  // Written as in the index. Without a threshold the condition is null, which counts as false.
  low_stock: (wanted) => (wanted ? lowStock : sql`(${lowStock}) is not true`),
  parent: (id, projectId) => naming(['parent'], id, projectId),
  parent_sku: (sku, projectId) => namingSku('parent', normalizeText(sku), projectId),
  parent__isnull: (isNull) => (isNull ? sql`product.parent is null` : sql`product.parent is not null`),
  component: (id, projectId) => naming(['component'], id, projectId),
  linked_to: (id, projectId) => naming(linkKinds, id, projectId),
  // An index serves `= any(array)`. For the negation, `not in` uses a hash table, while an array would be scanned for every product.
  unbound: (wanted, projectId) =>
    wanted
      ? sql`product.id = any(${unboundIds(projectId)})`
      : sql`product.id not in (select unnest(${unboundIds(projectId)}))`,
  // Written as in the index.
  has_image: (wanted) =>
    wanted ? sql`product.media @> '[{"kind": "image"}]'` : sql`not product.media @> '[{"kind": "image"}]'`,
  price__gte: (bound) => sql`product.price >= ${bound}`,
  price__lte: (bound) => sql`product.price <= ${bound}`,
  created_at__gte: (time) => sql`product.created_at >= ${time}`,
  created_at__lt: (time) => sql`product.created_at < ${time}`,
  updated_at__gte: (time) => sql`product.updated_at >= ${time}`,
  updated_at__lt: (time) => sql`product.updated_at < ${time}`,
  inventory_updated_at__gte: (time) => stockTime(sql`>= ${time}`),
  inventory_updated_at__lt: (time) => stockTime(sql`< ${time}`),
  quality_score__gte: (score) => sql`product.quality_score >= ${score}`,
  quality_score__lte: (score) => sql`product.quality_score <= ${score}`,
  quality_rule: (code) => sql`product.quality_failed @> array[${code}]::text[]`,
  // Written as in the index.
  written_by: (keys) =>
    sql`(product.provenance <> '{}' and (provenance_keys(product.provenance) collate "C") && ${keys}::text[])`,
  marks: (marks) => sql`product.view_marks @> ${marks}::text[]`,
  // A product without a mark has the status of the base in the view.
  status_in_view: ({ code, statuses: wanted }) => {
    const [all, some] = [statuses, wanted].map((list) => list.map((status) => viewMarks.status(code, status)))
    return sql`(product.view_marks && ${some}::text[]
      or product.status = any(${wanted}::text[]) and (product.view_marks && ${all}::text[]) is not true)`
  },
  id__in: (ids) => sql`product.id = any(${ids}::bigint[])`,
  sku__in: (skus) => sql`product.sku = any(${skus.map(normalizeText)}::text[])`,
  status__in: (statuses) => sql`product.status = any(${statuses}::text[])`,
  product_type__in: (types) => sql`product.product_type = any(${types}::text[])`,
  category__in: inCategories,
  attributes: (attributes) => join(attributes.map(attributeCondition), ' and '),
}

/** Most stock never changes after the creation. So its index has only stock that did, and other products are found by their creation. */
function stockTime(condition: Sql): Sql {
  return sql`(product.inventory_updated_at <> product.created_at and product.inventory_updated_at ${condition}
    or product.inventory_updated_at = product.created_at and product.created_at ${condition})`
}

function inName(word: string): Sql {
  return sql`product.search_text like ${likePattern(word)}`
}

/** In the name or a long text of a product, folded like the word. */
function anywhere(word: string): Sql {
  return sql`(${inName(word)} or ${inTexts(word)})`
}

function inTexts(word: string): Sql {
  const conditions = longTexts.map(
    (field) => sql`attribute_text(${raw(`product.${field}`)}) like ${likePattern(word)}`,
  )
  return join(conditions, ' or ')
}

/** The characters of trigrams on every server. With fewer, a word with a typo has no trigram that the index could find. */
const fourLetters = /[a-z0-9]{4}/

/** Typos are found in names and SKUs only: a long text has a word that is similar to almost any other. */
function closeTo(search: string, isInTexts: boolean): Sql {
  const words = searchWords(search, true).filter(({ isRequired }) => isRequired)
  const conditions = words.map(({ text, pattern }) => {
    // A subselect hides the pattern from the planner, which takes patterns for cheap and would rather scan the table.
    const close = fourLetters.test(text)
      ? sql`product.search_text ~ (select ${pattern}::text)`
      : sql`product.search_text ~ ${pattern}`
    return isInTexts ? sql`(${close} or ${inTexts(text)})` : close
  })
  return join(conditions, ' and ')
}

/** Compares with the project ID as a value, because older servers would otherwise run the subquery for every product. */
function inCategories(ids: number[], projectId: number): Sql {
  return sql`product.id in (
    select link.product_id from product_categories as link
    where link.project_id = ${projectId} and link.category_id = any(${ids}::bigint[]))`
}

/**
 * Products that reference another product by ID, or by a SKU that did not exist at the time. The array is built once; with outdated
 * statistics after a large push, the planner would run a subquery for every product.
 */
function naming(kinds: readonly string[], id: number, projectId: number): Sql {
  return sql`product.id = any(array(
    -- Two lookups, each by its index: one condition for both would read the references of the whole project.
    select bound.product_id from product_references as bound
    where bound.project_id = ${projectId} and bound.kind = any(${kinds}::text[]) and bound.reference_id = ${id}
    union all
    select unbound.product_id from product_references as unbound
    where unbound.project_id = ${projectId} and unbound.kind = any(${kinds}::text[]) and unbound.reference_id is null
      and unbound.reference_sku = (
        select named.sku from products as named where named.project_id = ${projectId} and named.id = ${id})))`
}

/** Products that reference another product by its current SKU, or by a SKU that does not exist yet. */
function namingSku(kind: string, sku: string, projectId: number): Sql {
  return sql`product.id = any(array(
    select bound.product_id from product_references as bound
    where bound.project_id = ${projectId} and bound.kind = ${kind} and bound.reference_id = (
      select named.id from products as named where named.project_id = ${projectId} and named.sku = ${sku})
    union all
    select unbound.product_id from product_references as unbound
    where unbound.project_id = ${projectId} and unbound.kind = ${kind} and unbound.reference_id is null
      and unbound.reference_sku = ${sku}))`
}

/** Products that reference a SKU that does not exist. */
function unboundIds(projectId: number): Sql {
  return sql`array(
    select reference.product_id from product_references as reference
    where reference.project_id = ${projectId} and reference.reference_id is null and not exists (
      select from products as named where named.project_id = ${projectId} and named.sku = reference.reference_sku))`
}

/** Condition for products, as `product`, with a matching value. The functions are in migrations/0029_attribute_values.sql. */
function attributeCondition({ key, operator, value }: KeyedFilter): Sql {
  switch (operator) {
    case 'exact':
    case 'in':
      return sql`product.attributes @@ ${valuePath(key, value)}::jsonpath`
    case 'isnull':
      // No index serves missing keys, and checking the row is faster.
      return value ? sql`not product.attributes ? ${key}` : has(key)
    case 'icontains':
      return contains(key, likePattern(value))
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
 * A JSON path for any of the values: 42 matches the number and the text, true matches the boolean and the text. A JSON path also
 * matches list elements, and the index covers both.
 */
export function valuePath(key: string, texts: string | string[]): string {
  const literals = [texts].flat().flatMap((text) =>
    // As text, because a double would lose digits of the stored number.
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

/** The shortest text for the same time: a day sorts before its midnight, a second before its first millisecond. */
function shortest(date: string): string {
  return date.replace(/\.?0*Z$/, '').replace(/T00:00:00$/, '')
}

/** The condition for lists, for texts, and for numbers if it differs. */
function holds(key: string, list: Sql, text: Sql, number = text): Sql {
  return sql`(${has(key)} and case jsonb_typeof(product.attributes -> ${key})
    when 'array' then ${list} when 'number' then ${number} else ${text} end)`
}
