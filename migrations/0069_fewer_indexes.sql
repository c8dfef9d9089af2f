-- outside a transaction
-- oldest release: 0.3.0
-- A new product fills fewer indexes; docs/decisions/0036 lists those that are left. No release names the others in its statements.

-- Category and product identify a link, so that one index keeps links unique and serves the list of a category.
create unique index concurrently if not exists product_categories_by_link on product_categories (project_id, category_id, product_id);
alter table product_categories
  drop constraint if exists product_categories_pkey,
  add constraint product_categories_pkey primary key using index product_categories_by_link;
drop index concurrently if exists product_categories_by_category;

-- The stock of a new product is as old as the product, which has an index of its own. Only later changes are in this one.
create index concurrently if not exists products_by_stock_change on products (project_id, inventory_updated_at, id)
  where inventory_updated_at <> created_at;
drop index concurrently if exists products_by_inventory_update;
