import { containing, words } from '../database/search-text.ts'
import { join, type Sql, sql } from '../database/sql.ts'
import { normalise } from '../http/request/validate-body.ts'
import { attributeCondition } from './attribute-filters.ts'
import type { ProductQuery } from './product-list.schema.ts'

/** Products, as `product`, that match every filter. Each condition is written so that an index of migrations/ serves it. */
export function matching(projectId: number, filters: ProductQuery): Sql {
  const conditions = [sql`product.project_id = ${projectId}`]
  for (const [name, value] of Object.entries(filters)) {
    const condition = conditionsByName[name as keyof ProductQuery]
    if (condition !== undefined) conditions.push((condition as Condition<unknown>)(value, projectId))
  }
  return join(conditions, ' and ')
}

type Condition<Value> = (value: Value, projectId: number) => Sql
type Conditions = { [Name in keyof ProductQuery]?: Condition<NonNullable<ProductQuery[Name]>> }

const conditionsByName: Conditions = {
  project: (id) => sql`product.project_id = ${id}`,
  status: (status) => sql`product.status = ${status}`,
  product_type: (type) => sql`product.product_type = ${type}`,
  category: (id, projectId) => inCategories([id], projectId),
  category__under: (id, projectId) => sql`product.id in (
    select link.product_id from product_categories as link
    where link.project_id = ${projectId} and link.category_id = any(categories_under(${projectId}, ${id})))`,
  sku: (sku) => sql`product.sku = ${normalise(sku)}`,
  search: (text) =>
    join(
      words(text).map((word) => sql`product.search_text like ${containing(word)}`),
      ' and ',
    ),
  // The name stands before the line break; the whole text is what the index knows.
  name__icontains: (text) => sql`(
    product.search_text like ${containing(text)}
    and split_part(product.search_text, chr(10), 1) like ${containing(text)})`,
  // `is true` and not `= true`, which the planner would take apart and no longer find in the index.
  in_stock: (wanted) =>
    wanted
      ? sql`(not product.tracked or product.backorders or product.quantity > product.reserved) is true`
      : sql`(not product.tracked or product.backorders or product.quantity > product.reserved) is false`,
  // Written as the index has it.
  has_image: (wanted) =>
    wanted ? sql`product.media @> '[{"kind": "image"}]'` : sql`not product.media @> '[{"kind": "image"}]'`,
  price__gte: (bound) => sql`product.price >= ${bound}`,
  price__lte: (bound) => sql`product.price <= ${bound}`,
  created_at__gte: (time) => sql`product.created_at >= ${time}`,
  created_at__lt: (time) => sql`product.created_at < ${time}`,
  updated_at__gte: (time) => sql`product.updated_at >= ${time}`,
  updated_at__lt: (time) => sql`product.updated_at < ${time}`,
  inventory_updated_at__gte: (time) => sql`product.inventory_updated_at >= ${time}`,
  inventory_updated_at__lt: (time) => sql`product.inventory_updated_at < ${time}`,
  quality_score__gte: (score) => sql`product.quality_score >= ${score}`,
  quality_score__lte: (score) => sql`product.quality_score <= ${score}`,
  quality_rule: (code) => sql`product.quality_failed @> array[${code}]::text[]`,
  id__in: (ids) => sql`product.id = any(${ids}::bigint[])`,
  sku__in: (skus) => sql`product.sku = any(${skus.map(normalise)}::text[])`,
  status__in: (statuses) => sql`product.status = any(${statuses}::text[])`,
  product_type__in: (types) => sql`product.product_type = any(${types}::text[])`,
  category__in: inCategories,
  attributes: (attributes) => join(attributes.map(attributeCondition), ' and '),
}

/** By the project's number and not by the product's: older servers would look anew for every product. */
function inCategories(ids: number[], projectId: number): Sql {
  return sql`product.id in (
    select link.product_id from product_categories as link
    where link.project_id = ${projectId} and link.category_id = any(${ids}::bigint[]))`
}
