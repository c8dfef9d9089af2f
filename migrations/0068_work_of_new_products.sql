-- oldest release: 0.3.0
-- Less work per new product: references are counted in one index scan, links are found by the categories of their product, and counts
-- are merged in one pass.

-- Without a lock, as in migrations/0008: the writer of links, history or stock of a product already holds its row. One scan with an
-- array, because a subquery per product took twice as long, and a join could be planned as a walk over all products.
create or replace function require_products() returns trigger language plpgsql as $$
begin
  if exists (
    select from (select project_id, array_agg(distinct product_id) as ids from added group by project_id) as named
    where cardinality(ids) <> (
      select count(*) from products where products.project_id = named.project_id and products.id = any(named.ids))
  ) then
    raise foreign_key_violation using message = format('%s tells of a product that exists', tg_table_name);
  end if;
  return null;
end
$$;

-- The next migration drops the index by which the links of a product were found: its categories name them.

create or replace function count_changed_products() returns trigger language plpgsql as $$
begin
  case tg_op
  when 'INSERT' then
    perform count_products(array(
      select row(project_id, 0, min(id), status, product_type, count(*))::counted_product
      from added group by project_id, id >> 11, status, product_type));
  when 'DELETE' then
    perform count_products(array(
      select row(project_id, 0, min(id), status, product_type, -count(*))::counted_product
      from removed group by project_id, id >> 11, status, product_type));
  else
    if not exists (
      select from removed join added using (project_id, id)
      where removed.status <> added.status or removed.product_type <> added.product_type
    ) then return null; end if;
    perform count_products(array(
      select row(project_id, 0, min(id), state.status, state.product_type, sum(state.change))::counted_product
      from removed join added using (project_id, id), lateral (values
        (removed.status, removed.product_type, -1), (added.status, added.product_type, 1)
      ) as state (status, product_type, change)
      where removed.status <> added.status or removed.product_type <> added.product_type
      group by project_id, id >> 11, state.status, state.product_type));
    -- The limit forces lookups: a join could read all links. A locked product keeps its links in place.
    update product_categories as link set status = added.status, product_type = added.product_type
    from added
    where link.ctid = any(array(
        select own.place
        from removed join added using (project_id, id), unnest(added.category_ids) as named (category), lateral (
          select one.ctid as place from product_categories as one
          where one.project_id = added.project_id and one.category_id = named.category and one.product_id = added.id limit 1
        ) as own
        where removed.status <> added.status or removed.product_type <> added.product_type))
      and added.project_id = link.project_id and added.id = link.product_id
      and (link.status <> added.status or link.product_type <> added.product_type);
  end case;
  return null;
end
$$;

create or replace function keep_products() returns trigger language plpgsql as $$
begin
  if exists (
    select from removed where
      exists (
        select from product_categories as link
        where link.project_id = removed.project_id and link.category_id = any(removed.category_ids) and link.product_id = removed.id)
      or exists (select from product_history where project_id = removed.project_id and product_id = removed.id)
      or exists (select from inventory_adjustments where project_id = removed.project_id and product_id = removed.id)
  ) then
    raise foreign_key_violation using message = 'a product with links, history or stock adjustments stays';
  end if;
  return null;
end
$$;

-- Merges count rows as before, with one pass over the locked rows: joining them with their groups compared each with each, because the
-- planner does not know how many there are right after a push. Only deleted rows are added: a row that a writer has changed since the
-- statement began is locked in its new version, but not found by the delete, and stays for the next merge.
create or replace function merge_product_counts() returns void language plpgsql as $$
begin
  if not pg_try_advisory_xact_lock(4270015) then return; end if;
  with split as materialized (
    select distinct project_id, category_id, scale, status, range from product_counts where slot > 0 limit 10000
  ), taken as materialized (
    select count.ctid as place, count.* from product_counts as count join split using (project_id, category_id, scale, status, range)
    for no key update of count skip locked
  ), located as materialized (
    select *, bool_or(slot = 0) over (partition by project_id, category_id, scale, status, range) as has_first from taken
  ), mergeable as materialized (
    select * from located
    where slot > 0 and (has_first or not exists (
      select from product_counts as count
      where (count.project_id, count.category_id, count.scale, count.status, count.range, count.slot)
        = (located.project_id, located.category_id, located.scale, located.status, located.range, 0)))
  ), removed as (
    delete from product_counts where ctid = any(array(select place from mergeable)) returning *
  )
  insert into product_counts as count
  select project_id, category_id, scale, status, range, 0,
         sum(simple), sum(configurable), sum(virtual), sum(bundle), sum(grouped)
  from removed group by project_id, category_id, scale, status, range
  on conflict (project_id, category_id, scale, status, range, slot) do update
  set simple = count.simple + excluded.simple, configurable = count.configurable + excluded.configurable,
      virtual = count.virtual + excluded.virtual, bundle = count.bundle + excluded.bundle,
      grouped = count.grouped + excluded.grouped;
end
$$;
