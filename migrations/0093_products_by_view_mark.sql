-- outside a transaction
-- oldest release: 0.3.0
-- The products with a mark, for filters by view.

create index concurrently if not exists products_by_view_mark on products using gin (project_id, view_marks)
  where view_marks is not null;
