-- Foreign keys of the tables that a push fills are checked once a statement instead of once a row, which took a quarter of its
-- time. docs/decisions/0020 says how they hold as before.

alter table products drop constraint products_project_id_fkey;
alter table product_categories
  drop constraint product_categories_project_id_product_id_fkey,
  drop constraint product_categories_project_id_category_id_fkey;
alter table product_history drop constraint product_history_project_id_product_id_fkey;
alter table inventory_adjustments drop constraint inventory_adjustments_project_id_product_id_fkey;

-- What is referred to is locked and then counted: whoever removes it meanwhile has gone before, or waits and finds us.

create function require_projects() returns trigger language plpgsql as $$
begin
  if exists (
    with wanted as materialized (select distinct project_id from added), held as materialized (
      select project.id from wanted join projects as project on project.id = wanted.project_id
      for key share of project
    )
    select from wanted where project_id not in (select id from held)
  ) then
    raise foreign_key_violation using message = 'a product belongs to a project that exists';
  end if;
  return null;
end
$$;

create function require_categories() returns trigger language plpgsql as $$
begin
  if exists (
    with wanted as materialized (select distinct project_id, category_id from added), held as materialized (
      select category.project_id, category.id
      from wanted join categories as category on category.project_id = wanted.project_id and category.id = wanted.category_id
      for key share of category
    )
    select from wanted where (project_id, category_id) not in (select project_id, id from held)
  ) then
    raise foreign_key_violation using message = 'a link leads to a category that exists';
  end if;
  return null;
end
$$;

-- Without a lock: who writes links, history or stock of a product holds its row already. A subquery and no join, which could be
-- planned as a walk over all products.
create function require_products() returns trigger language plpgsql as $$
begin
  if exists (
    select from (select distinct project_id, product_id from added) as told
    where (select true from products where project_id = told.project_id and id = told.product_id) is null
  ) then
    raise foreign_key_violation using message = format('%s tells of a product that exists', tg_table_name);
  end if;
  return null;
end
$$;

create trigger require_projects after insert on products
  referencing new table as added for each statement execute function require_projects();
create trigger require_categories after insert on product_categories
  referencing new table as added for each statement execute function require_categories();
create trigger require_products after insert on product_categories
  referencing new table as added for each statement execute function require_products();
create trigger require_products after insert on product_history
  referencing new table as added for each statement execute function require_products();
create trigger require_products after insert on inventory_adjustments
  referencing new table as added for each statement execute function require_products();

create function keep_projects() returns trigger language plpgsql as $$
begin
  if exists (select from removed join products as product on product.project_id = removed.id) then
    raise foreign_key_violation using message = 'a project with products stays';
  end if;
  return null;
end
$$;

create function keep_categories() returns trigger language plpgsql as $$
begin
  if exists (
    select from removed join product_categories as link
      on link.project_id = removed.project_id and link.category_id = removed.id
  ) then
    raise foreign_key_violation using message = 'a category with products stays';
  end if;
  return null;
end
$$;

create function keep_products() returns trigger language plpgsql as $$
begin
  if exists (
    select from removed where
      exists (select from product_categories where project_id = removed.project_id and product_id = removed.id)
      or exists (select from product_history where project_id = removed.project_id and product_id = removed.id)
      or exists (select from inventory_adjustments where project_id = removed.project_id and product_id = removed.id)
  ) then
    raise foreign_key_violation using message = 'a product with links, history or stock adjustments stays';
  end if;
  return null;
end
$$;

create trigger keep_projects after delete on projects
  referencing old table as removed for each statement execute function keep_projects();
create trigger keep_categories after delete on categories
  referencing old table as removed for each statement execute function keep_categories();
create trigger keep_products after delete on products
  referencing old table as removed for each statement execute function keep_products();

-- Keys never change, so nothing else can part a row from what it refers to. These cost a statement that sets no key nothing.
create function refuse_new_key() returns trigger language plpgsql as $$
begin
  raise foreign_key_violation using message = format('the key of a row of %s never changes', tg_table_name);
end
$$;

create trigger refuse_new_key before update of id on projects
  for each row when (old.id <> new.id) execute function refuse_new_key();
create trigger refuse_new_key before update of project_id, id on categories
  for each row when ((old.project_id, old.id) <> (new.project_id, new.id)) execute function refuse_new_key();
create trigger refuse_new_key before update of project_id, id on products
  for each row when ((old.project_id, old.id) <> (new.project_id, new.id)) execute function refuse_new_key();
create trigger refuse_new_key before update of project_id, product_id, category_id on product_categories
  for each row when ((old.project_id, old.product_id, old.category_id) <> (new.project_id, new.product_id, new.category_id))
  execute function refuse_new_key();
create trigger refuse_new_key before update of project_id, product_id on product_history
  for each row when ((old.project_id, old.product_id) <> (new.project_id, new.product_id)) execute function refuse_new_key();
create trigger refuse_new_key before update of project_id, product_id on inventory_adjustments
  for each row when ((old.project_id, old.product_id) <> (new.project_id, new.product_id)) execute function refuse_new_key();

-- The counts of migrations/0006, with rows of one range, status and type added up before they are handed on: one of their ids
-- stands for all of them.

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
    update product_categories as link set status = added.status, product_type = added.product_type
    from added
    where link.project_id = added.project_id and link.product_id = added.id
      and (link.status <> added.status or link.product_type <> added.product_type);
  end case;
  return null;
end
$$;

create or replace function count_changed_links() returns trigger language plpgsql as $$
begin
  case tg_op
  when 'INSERT' then
    perform count_products(array(
      select row(project_id, category_id, min(product_id), status, product_type, count(*))::counted_product
      from added group by project_id, category_id, product_id >> 11, status, product_type));
  when 'DELETE' then
    perform count_products(array(
      select row(project_id, category_id, min(product_id), status, product_type, -count(*))::counted_product
      from removed group by project_id, category_id, product_id >> 11, status, product_type));
  else
    perform count_products(array(
      select row(project_id, category_id, min(product_id), status, product_type, sum(change))::counted_product
      from (
        select project_id, category_id, product_id, status, product_type, -1 as change from removed
        union all
        select project_id, category_id, product_id, status, product_type, 1 from added
      ) as state
      group by project_id, category_id, product_id >> 11, status, product_type
      having sum(change) <> 0));
  end case;
  return null;
end
$$;
