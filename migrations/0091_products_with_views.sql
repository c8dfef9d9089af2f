-- outside a transaction
-- oldest release: 0.3.0
-- The products that have values in a view, to find out whether a view is in use.

create index concurrently if not exists products_with_views on products (project_id, id)
  where views is not null or view_offers is not null;
