-- One index for each filter and ordering of the product list; docs/decisions/0012 says what each costs a write.

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

create index products_by_status on products (project_id, status, id);
create index products_by_type on products (project_id, product_type, id);
create index products_by_status_and_type on products (project_id, status, product_type, id);
create index products_by_name on products (project_id, name, id);
create index products_by_price on products (project_id, price, id);
-- Products without a price come last in both directions, so the way down needs an index of its own.
create index products_by_price_down on products (project_id, price desc nulls last, id desc);
create index products_by_creation on products (project_id, created_at, id);
create index products_by_update on products (project_id, updated_at, id);
create index products_by_quality on products (project_id, quality_score, id);
create index products_by_stock on products
  (project_id, ((not tracked or backorders or quantity > reserved)), id);
create index products_by_attribute on products using gin (project_id, attributes);
create index products_by_failed_rule on products using gin (project_id, quality_failed);
create index products_by_words on products using gin (project_id, search_text gin_trgm_ops);
