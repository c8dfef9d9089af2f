-- A product's categories in the order in which the client named them. The links are the way back: from a category to its
-- products, and to their number. Whoever writes one writes the other.
alter table products add column category_ids bigint[] not null default '{}';

update products as product set category_ids = linked.ids
from (
  select project_id, product_id, array_agg(category_id order by position) as ids
  from product_categories group by project_id, product_id
) as linked
where linked.project_id = product.project_id and linked.product_id = product.id;

alter table product_categories drop column position;

-- How a product shows its categories.
create type named_category as (id bigint, name text);
