-- For those who keep a copy: a change of the stock raises neither version nor updated_at, and is found by its own time. A stock
-- adjustment rewrites all index entries of its product anyway, because quantity stands in products_by_stock.
create index products_by_inventory_update on products (project_id, inventory_updated_at, id);
