-- oldest release: 0.1.0
-- What products are to each other: variants of a parent, components of a bundle or group, links.

alter table products
  add column parent jsonb,
  add column variant_axes jsonb not null default '[]',
  add column components jsonb not null default '[]',
  add column links jsonb not null default '{}';

-- One row for each product that another one names, beside the name itself: what follows from the names is asked here. A SKU that
-- nobody had at the write has no id, and is looked up at each read.
create table product_references (
  project_id    bigint not null,
  product_id    bigint not null,
  kind          text collate "C" not null,
  reference_id  bigint,
  reference_sku text collate "C" not null,
  -- Of a variant: what its values of the axes of its parent come to.
  axis_hash     uuid,
  -- Deferrable, so that two variants can swap their values in one statement.
  constraint one_variant_a_combination unique (project_id, reference_id, axis_hash) deferrable initially immediate
);
create index product_references_by_product on product_references (project_id, product_id);
create index product_references_by_kind on product_references (project_id, kind, reference_id);
create index product_references_by_sku on product_references (project_id, reference_sku, kind) where reference_id is null;

-- In the place of foreign keys, as docs/decisions/0020 says: a statement is checked once. Who writes references holds what they name.
create trigger require_products after insert on product_references
  referencing new table as added for each statement execute function require_products();

create function require_named_products() returns trigger language plpgsql as $$
begin
  if exists (
    select from (select distinct project_id, reference_id from added where reference_id is not null) as told
    where (select true from products where project_id = told.project_id and id = told.reference_id) is null
  ) then
    raise foreign_key_violation using message = 'a reference names a product that exists';
  end if;
  return null;
end
$$;
create trigger require_named_products after insert on product_references
  referencing new table as added for each statement execute function require_named_products();

-- The references of a product go with it; those that name it stay, by its SKU alone.
create function release_references() returns trigger language plpgsql as $$
begin
  delete from product_references where (project_id, product_id) in (select project_id, id from removed);
  update product_references set reference_id = null where (project_id, reference_id) in (select project_id, id from removed);
  return null;
end
$$;
create trigger release_references after delete on products
  referencing old table as removed for each statement execute function release_references();

create trigger refuse_new_key before update of project_id, product_id on product_references
  for each row when ((old.project_id, old.product_id) <> (new.project_id, new.product_id)) execute function refuse_new_key();

create function variant_hash(axis_values jsonb) returns uuid language sql immutable parallel safe
  return case when axis_values <> '[]' then md5(axis_values::text)::uuid end;
