-- outside a transaction
-- oldest release: 0.1.0
-- Empty where no prompt writes: what has no provenance is in neither.

create index concurrently if not exists products_by_provenance on products
  using gin (project_id, (provenance_keys(provenance) collate "C")) where provenance <> '{}';

create index concurrently if not exists product_history_by_provenance on product_history
  using gin (project_id, (provenance_keys(provenance) collate "C")) where provenance is not null;
