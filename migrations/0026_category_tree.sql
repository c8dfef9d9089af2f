-- outside a transaction
-- oldest release: 0.1.0
-- Categories are a tree: each may have a parent, and names are unique among siblings. A path is read from the parents, so that a
-- move writes one row. The release before makes categories at the root, and runs on until the next file.

alter table categories
  add column if not exists parent_id bigint,
  add column if not exists position integer not null default 0;

alter table categories
  drop constraint if exists categories_parent,
  add constraint categories_parent foreign key (project_id, parent_id) references categories (project_id, id) not valid;
alter table categories validate constraint categories_parent;

create unique index concurrently if not exists categories_by_sibling
  on categories (project_id, parent_id, name) nulls not distinct;
create index concurrently if not exists categories_by_name on categories (project_id, name);

-- The names from the root to a category.
create or replace function category_path(project bigint, category bigint) returns text[] language sql stable parallel safe
as $$
  with recursive upwards as (
    select parent_id, name, 1 as step from categories where project_id = project and id = category
    union all
    select parent.parent_id, parent.name, step + 1
    from upwards join categories as parent on parent.project_id = project and parent.id = upwards.parent_id
    -- Deeper than any tree; without it a circle, which nobody can make, would be walked for ever.
    where step < 100
  )
  select array_agg(name order by step desc) from upwards;
$$;

-- A category and all below it.
create or replace function categories_under(project bigint, category bigint) returns bigint[] language sql stable parallel safe
as $$
  with recursive downwards as (
    select id, 1 as step from categories where project_id = project and id = category
    union all
    select child.id, step + 1
    from downwards join categories as child on child.project_id = project and child.parent_id = downwards.id
    where step < 100
  )
  select coalesce(array_agg(id), '{}') from downwards;
$$;
