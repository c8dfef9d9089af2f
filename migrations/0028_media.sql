-- outside a transaction
-- oldest release: 0.1.0
-- Pictures, documents and videos of a product: addresses with what they show, in the order of the client.

alter table products add column if not exists media jsonb not null default '[]';

-- For has_image=true. A product without a picture has no entry.
create index concurrently if not exists products_with_image on products (project_id, id) where media @> '[{"kind": "image"}]';
