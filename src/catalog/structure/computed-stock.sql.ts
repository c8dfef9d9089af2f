import { sql } from '../../platform/database/sql.ts'
import { hasVariants, variants } from './structure.sql.ts'

/** Written exactly like the index expression. */
export const ownStock = sql`(not product.tracked or product.backorders or product.quantity > product.reserved)`

/**
 * Whether `product` is in stock, computed from its variants or components, or from its own stock if it has none. Archived products
 * and unknown SKUs do not count. Not a function, because a function would be planned again for every product.
 */
export const computedStock = sql`(case
  when product.product_type = 'configurable' then coalesce((
    select bool_or(not variant.tracked or variant.backorders or variant.quantity > variant.reserved) from ${variants}
  ), not (${hasVariants}) and ${ownStock})
  when product.components = '[]' then ${ownStock}
  else (
    select case product.product_type when 'grouped' then bool_or(choice.covered) else bool_and(choice.covered) end
    from (
      select bool_or(coalesce(part.status <> 'archived' and (not part.tracked or part.backorders or part.quantity - part.reserved
               >= case product.product_type when 'grouped' then 1 else (component.value ->> 'quantity')::bigint end), false)) as covered
      from jsonb_array_elements(product.components) with ordinality as component (value, place)
      -- The limit forces an index lookup: a plain join may read the whole project for every bundle.
      left join lateral (
        select found.* from products as found where found.project_id = product.project_id and found.id = coalesce(
          (select named.id from products as named where named.project_id = product.project_id and named.id = (component.value ->> 'id')::bigint),
          (select named.id from products as named where named.project_id = product.project_id and named.sku = component.value ->> 'sku'))
        limit 1
      ) as part on true
      group by component.value ->> 'choice', case when component.value ? 'choice' then 0 else component.place end
    ) as choice
  ) end)`
