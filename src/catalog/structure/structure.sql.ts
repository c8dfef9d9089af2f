import type { ProductType, Status } from '../../model/fields/product-fields.ts'
import type { Stock } from '../../model/product/stock.ts'
import type { ChosenView } from '../../model/views/views.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { broad, join, planEachTime, raw, type Sql, sql } from '../../platform/database/sql.ts'

/** The variants of `product`, as `variant`: bound by ID, or by SKU if the reference is older than the product. */
export const variants = sql`products as variant
    where variant.project_id = product.project_id and variant.status <> 'archived' and variant.id = any(array(
      -- Two index lookups: one condition for both would read the references of the whole project.
      select bound.product_id from product_references as bound
      where bound.project_id = product.project_id and bound.kind = 'parent' and bound.reference_id = product.id
      union all
      select unbound.product_id from product_references as unbound
      where unbound.project_id = product.project_id and unbound.kind = 'parent'
        and unbound.reference_id is null and unbound.reference_sku = product.sku))`

/** Whether `product` has variants, including archived ones. Most products cannot have any, and cost no lookup. */
export const hasVariants = sql`product.product_type = 'configurable' and (
    exists (
      select from product_references as bound
      where bound.project_id = product.project_id and bound.kind = 'parent' and bound.reference_id = product.id)
    or exists (
      select from product_references as unbound
      where unbound.project_id = product.project_id and unbound.reference_sku = product.sku
        and unbound.kind = 'parent' and unbound.reference_id is null))`

/** Whether the stock of `product` is computed from others. */
export const stockFollows = sql`(product.product_type not in ('simple', 'virtual')
  and (product.components <> '[]' or ${hasVariants}))`

type Computable = { id: number; product_type: ProductType; components: unknown[] }

/** The IDs of products whose stock is computed from others. */
export async function findComputed(
  database: Queryable,
  projectId: number,
  products: readonly Computable[],
): Promise<Set<number>> {
  const composed = products.filter(({ components }) => components.length > 0).map(({ id }) => id)
  const parents = products.filter(({ product_type }) => product_type === 'configurable').map(({ id }) => id)
  if (parents.length === 0) return new Set(composed)
  const rows = await database.query(sql<{ id: number }>`
    select id from products as product
    where project_id = ${projectId} and id = any(${parents}::bigint[]) and ${stockFollows}`)
  return new Set([...composed, ...rows.map(({ id }) => id)])
}

export type VariantsRow = {
  id: number
  count: number
  in_stock: number
  /** The values of all variants by axis; null for a missing value. */
  axes: Record<string, unknown[]> | null
  min: number | null
  max: number | null
  tracked: boolean
  backorders: boolean
  quantity: number
  reserved: number
  inventory_updated_at: string
}

/** The values of the first axes, from one scan of the variants. Duplicates are removed in the service, which is faster. */
function axisLists(axes: number): Sql {
  const lists = Array.from(
    { length: axes },
    (_, place) => `json_agg(variant.attributes -> (product.variant_axes ->> ${place}))`,
  )
  return raw(`array[${lists.join(', ')}]::json[]`)
}

/** The first price of `variant` in the view's chain that is in the view's currency; null if the view archives the variant. */
function priceIn({ view, views }: ChosenView): Sql {
  const statuses = view.chain.map((code) => sql`variant.view_offers -> ${code}::text ->> 'status'`)
  const codes = view.chain.filter((code) => views.byCode.get(code)?.currency === view.currency)
  const prices = codes.map((code) => sql`(variant.view_offers -> ${code}::text ->> 'price')::numeric`)
  const all = [...prices, ...(views.currency === view.currency ? [sql`variant.price`] : [])]
  return sql`case when coalesce(${join(statuses)}) is distinct from 'archived' then coalesce(${join(all)}) end`
}

/**
 * Summarizes the variants of configurable products. Prices come from the chosen view, or else from the base. A product without variants
 * has no row. A product with only archived variants has no stock, like a group with only archived members.
 */
export function findVariantsOf(
  database: Queryable,
  projectId: number,
  parents: readonly { id: number; variant_axes: string[] }[],
  chosen: ChosenView | undefined,
): Promise<VariantsRow[]> {
  const ids = parents.map(({ id }) => id)
  const axes = Math.max(...parents.map(({ variant_axes }) => variant_axes.length))
  const price = chosen === undefined ? sql`variant.price` : priceIn(chosen)
  const statement = sql<VariantsRow>`
    select product.id, own.count, own.in_stock, own.min, own.max, own.tracked, own.backorders, own.quantity, own.reserved,
           own.inventory_updated_at, axes.axes
    from products as product
    cross join lateral (
      select count(*)::int as count,
             (count(*) filter (where not variant.tracked or variant.backorders or variant.quantity > variant.reserved))::int as in_stock,
             min(${price}) as min, max(${price}) as max,
             coalesce(bool_or(variant.tracked), true) as tracked, coalesce(bool_or(variant.backorders), false) as backorders,
             coalesce(sum(variant.quantity) filter (where variant.tracked), 0)::bigint as quantity,
             coalesce(sum(variant.reserved) filter (where variant.tracked), 0)::bigint as reserved,
             coalesce(max(variant.inventory_updated_at), product.inventory_updated_at) as inventory_updated_at,
             ${axisLists(axes)} as lists
      from ${variants}
    ) as own
    left join lateral (
      select json_object_agg(axis.name, coalesce(own.lists[axis.place], '[]') order by axis.place) as axes
      from jsonb_array_elements_text(product.variant_axes) with ordinality as axis (name, place)
    ) as axes on product.variant_axes <> '[]'
    where product.project_id = ${projectId} and product.id = any(${ids}::bigint[]) and (own.count > 0 or ${hasVariants})`
  // A page of parents may have very many variants. A plan from when there were few would scan all of them.
  return database.query(ids.length > 1 ? broad(planEachTime(statement)) : planEachTime(statement))
}

export type ReferencedRow = Stock & {
  id: number
  sku: string
  product_type: ProductType
  status: Status
  inventory_updated_at: string
}

/** Referenced products with their stock, to compute the stock of bundles and groups. */
export function findReferencedStock(
  database: Queryable,
  projectId: number,
  ids: number[],
  skus: string[],
): Promise<ReferencedRow[]> {
  return database.query(sql<ReferencedRow>`
    select id, sku, product_type, status, tracked, quantity, reserved, low_stock_threshold, backorders, inventory_updated_at
    from products
    where project_id = ${projectId} and (id = any(${ids}::bigint[]) or sku = any(${skus}::text[]))`)
}

/** Whether the project may have products with computed stock. */
export async function hasComputedStock(database: Queryable, projectId: number): Promise<boolean> {
  const rows = await database.query(sql`
    select from product_references where project_id = ${projectId} and kind in ('parent', 'component') limit 1`)
  return rows.length > 0
}
