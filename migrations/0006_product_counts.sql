-- Exact counts, and any page at once, at any size: products are counted as they are written, by ranges of ids.
-- docs/decisions/0013 has the reasons and what it costs.

-- A link repeats its product's status and type: an index then serves a category's lists whole, and a link is counted by
-- what stands in it. Whoever writes a link writes them; a change of the product reaches its links by a trigger below.
alter table product_categories add column status text collate "C", add column product_type text collate "C";

update product_categories as link set status = product.status, product_type = product.product_type
from products as product
where product.project_id = link.project_id and product.id = link.product_id;

alter table product_categories alter column status set not null, alter column product_type set not null;

drop index product_categories_by_category;
create index product_categories_by_category on product_categories (project_id, category_id, product_id)
  include (status, product_type);
create index product_categories_by_category_and_status on product_categories
  (project_id, category_id, status, product_id) include (product_type);

-- How many products of each type have this status and category among the ids from range << scale.
create table product_counts (
  project_id   bigint not null,
  -- 0 for the whole project.
  category_id  bigint not null,
  -- 16 to find the place of a page roughly, 11 to find it.
  scale        smallint not null,
  status       text collate "C" not null,
  range        bigint not null,
  -- Writers never wait for each other: one that finds every row of a count taken adds another, with a slot of its own.
  -- The sum counts. Slot 0 is where the others are merged.
  slot         bigint not null,
  simple       integer not null,
  configurable integer not null,
  virtual      integer not null,
  bundle       integer not null,
  grouped      integer not null,
  primary key (project_id, category_id, scale, status, range, slot)
) with (fillfactor = 50);

create index product_counts_to_merge on product_counts (project_id, category_id, scale, status, range) where slot > 0;

create sequence product_count_slots;

create type counted_product as (
  project_id bigint, category_id bigint, product_id bigint, status text, product_type text, change integer
);

-- What a single write changes: a short statement for each count costs less than the long one below.
create function count_few_products(counted counted_product[]) returns void language plpgsql as $$
declare
  product counted_product;
  width smallint;
begin
  foreach product in array counted loop
    foreach width in array array[11, 16]::smallint[] loop
      update product_counts
      set simple = simple + case product.product_type when 'simple' then product.change else 0 end,
          configurable = configurable + case product.product_type when 'configurable' then product.change else 0 end,
          virtual = virtual + case product.product_type when 'virtual' then product.change else 0 end,
          bundle = bundle + case product.product_type when 'bundle' then product.change else 0 end,
          grouped = grouped + case product.product_type when 'grouped' then product.change else 0 end
      where ctid = (
        select ctid from product_counts
        where project_id = product.project_id and category_id = product.category_id and scale = width
          and status = product.status and range = product.product_id >> width
        order by slot limit 1 for no key update skip locked
      );
      if not found then
        insert into product_counts
        select product.project_id, product.category_id, width, product.status, product.product_id >> width,
               nextval('product_count_slots'),
               case product.product_type when 'simple' then product.change else 0 end,
               case product.product_type when 'configurable' then product.change else 0 end,
               case product.product_type when 'virtual' then product.change else 0 end,
               case product.product_type when 'bundle' then product.change else 0 end,
               case product.product_type when 'grouped' then product.change else 0 end;
      end if;
    end loop;
  end loop;
end
$$;

create function count_many_products(counted counted_product[]) returns void language plpgsql as $$
begin
  with change as materialized (
    select project_id, category_id, scale, status, product_id >> scale as range,
           coalesce(sum(change) filter (where product_type = 'simple'), 0) as simple,
           coalesce(sum(change) filter (where product_type = 'configurable'), 0) as configurable,
           coalesce(sum(change) filter (where product_type = 'virtual'), 0) as virtual,
           coalesce(sum(change) filter (where product_type = 'bundle'), 0) as bundle,
           coalesce(sum(change) filter (where product_type = 'grouped'), 0) as grouped
    from unnest(counted), (values (11::smallint), (16::smallint)) as scales (scale)
    group by 1, 2, 3, 4, 5
  ), taken as materialized (
    select change.*, free.slot
    from change left join lateral (
      select slot from product_counts as count
      where count.project_id = change.project_id and count.category_id = change.category_id
        and count.scale = change.scale and count.status = change.status and count.range = change.range
      order by slot limit 1 for no key update skip locked
    ) as free on true
  ), raised as (
    update product_counts as count
    set simple = count.simple + taken.simple, configurable = count.configurable + taken.configurable,
        virtual = count.virtual + taken.virtual, bundle = count.bundle + taken.bundle,
        grouped = count.grouped + taken.grouped
    from taken
    where count.project_id = taken.project_id and count.category_id = taken.category_id and count.scale = taken.scale
      and count.status = taken.status and count.range = taken.range and count.slot = taken.slot
  )
  insert into product_counts
  select project_id, category_id, scale, status, range, nextval('product_count_slots'),
         simple, configurable, virtual, bundle, grouped
  from taken where slot is null;
end
$$;

create function count_products(counted counted_product[]) returns void language plpgsql as $$
begin
  if cardinality(counted) = 0 then return; end if;
  if cardinality(counted) <= 6 then perform count_few_products(counted);
  else perform count_many_products(counted);
  end if;
end
$$;

create function count_changed_products() returns trigger language plpgsql as $$
begin
  case tg_op
  when 'INSERT' then
    perform count_products(array(
      select row(project_id, 0, id, status, product_type, 1)::counted_product from added));
  when 'DELETE' then
    perform count_products(array(
      select row(project_id, 0, id, status, product_type, -1)::counted_product from removed));
  else
    if not exists (
      select from removed join added using (project_id, id)
      where removed.status <> added.status or removed.product_type <> added.product_type
    ) then return null; end if;
    perform count_products(array(
      select row(project_id, 0, id, state.status, state.product_type, state.change)::counted_product
      from removed join added using (project_id, id), lateral (values
        (removed.status, removed.product_type, -1), (added.status, added.product_type, 1)
      ) as state (status, product_type, change)
      where removed.status <> added.status or removed.product_type <> added.product_type));
    update product_categories as link set status = added.status, product_type = added.product_type
    from added
    where link.project_id = added.project_id and link.product_id = added.id
      and (link.status <> added.status or link.product_type <> added.product_type);
  end case;
  return null;
end
$$;

create function count_changed_links() returns trigger language plpgsql as $$
begin
  case tg_op
  when 'INSERT' then
    perform count_products(array(
      select row(project_id, category_id, product_id, status, product_type, 1)::counted_product from added));
  when 'DELETE' then
    perform count_products(array(
      select row(project_id, category_id, product_id, status, product_type, -1)::counted_product from removed));
  else
    perform count_products(array(
      select row(project_id, category_id, product_id, status, product_type, -1)::counted_product from removed
      union all
      select row(project_id, category_id, product_id, status, product_type, 1)::counted_product from added));
  end case;
  return null;
end
$$;

create trigger count_inserted after insert on products
  referencing new table as added for each statement execute function count_changed_products();
create trigger count_updated after update on products
  referencing old table as removed new table as added for each statement execute function count_changed_products();
create trigger count_deleted after delete on products
  referencing old table as removed for each statement execute function count_changed_products();

create trigger count_inserted after insert on product_categories
  referencing new table as added for each statement execute function count_changed_links();
create trigger count_updated after update on product_categories
  referencing old table as removed new table as added for each statement execute function count_changed_links();
create trigger count_deleted after delete on product_categories
  referencing old table as removed for each statement execute function count_changed_links();

-- Brings the slots of a count together, where nobody holds them at the moment. One at a time, and never waits.
create function merge_product_counts() returns void language plpgsql as $$
begin
  if not pg_try_advisory_xact_lock(4270015) then return; end if;
  with split as materialized (
    select distinct project_id, category_id, scale, status, range from product_counts where slot > 0 limit 10000
  ), taken as materialized (
    select count.* from product_counts as count join split using (project_id, category_id, scale, status, range)
    for no key update of count skip locked
  ), mergeable as materialized (
    select project_id, category_id, scale, status, range from taken where slot = 0
    union all
    select project_id, category_id, scale, status, range from split
    where not exists (
      select from product_counts as count
      where (count.project_id, count.category_id, count.scale, count.status, count.range, count.slot)
        = (split.project_id, split.category_id, split.scale, split.status, split.range, 0))
  ), removed as (
    delete from product_counts as count using taken join mergeable using (project_id, category_id, scale, status, range)
    where taken.slot > 0
      and (count.project_id, count.category_id, count.scale, count.status, count.range, count.slot)
        = (taken.project_id, taken.category_id, taken.scale, taken.status, taken.range, taken.slot)
    returning count.*
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

-- Where the counts differ from the rows they count, and by how much; nothing, unless someone wrote past the triggers.
create view product_count_differences as
  select project_id, category_id, scale, status, range,
         sum(simple)::integer as simple, sum(configurable)::integer as configurable, sum(virtual)::integer as virtual,
         sum(bundle)::integer as bundle, sum(grouped)::integer as grouped
  from (
    select project_id, category_id, scale, status, product_id >> scale as range,
           count(*) filter (where product_type = 'simple') as simple,
           count(*) filter (where product_type = 'configurable') as configurable,
           count(*) filter (where product_type = 'virtual') as virtual,
           count(*) filter (where product_type = 'bundle') as bundle,
           count(*) filter (where product_type = 'grouped') as grouped
    from (
      select project_id, 0 as category_id, id as product_id, status, product_type from products
      union all
      select link.project_id, link.category_id, link.product_id, product.status, product.product_type
      from product_categories as link
      join products as product on product.project_id = link.project_id and product.id = link.product_id
    ) as counted, (values (11::smallint), (16::smallint)) as scales (scale)
    group by 1, 2, 3, 4, 5
    union all
    select project_id, category_id, scale, status, range, -simple, -configurable, -virtual, -bundle, -grouped
    from product_counts
  ) as sides
  group by 1, 2, 3, 4, 5
  having (sum(simple), sum(configurable), sum(virtual), sum(bundle), sum(grouped)) <> (0, 0, 0, 0, 0);

insert into product_counts
select project_id, category_id, scale, status, range, 0, simple, configurable, virtual, bundle, grouped
from product_count_differences;
