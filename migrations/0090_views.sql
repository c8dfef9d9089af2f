-- oldest release: 0.3.0
-- Views: values of a product that differ by language, channel or price list.

-- The definitions belong to the ruleset, so that a write knows both without another query: {"currency", "definitions"}.
-- Null if the project never had a view.
alter table rulesets add column views jsonb;

-- Release 0.3.0 changes rules and attribute definitions without the views.
create function keep_views() returns trigger language plpgsql as $$
begin
  select ruleset.views into new.views from rulesets as ruleset
  where ruleset.project_id = new.project_id and ruleset.version < new.version
  order by ruleset.version desc limit 1;
  return new;
end $$;
create trigger keep_views before insert on rulesets for each row when (new.views is null) execute function keep_views();

-- By view: text, attributes and media; price and status; and what filters find. Null unless used.
alter table products add column views jsonb, add column view_offers jsonb, add column view_marks text[] collate "C";

-- A change lists each changed view as `views.<code>`, with the values of that view.
create or replace function changed_fields(before jsonb, after jsonb) returns setof text language sql immutable parallel safe begin atomic
  select name from jsonb_object_keys(after) as name
  where name not in ('attributes', 'links', 'inventory') and not starts_with(name, 'views.')
  union all
  select part.name || '.' || own.name
  from (values ('attributes'), ('links'), ('inventory')) as part (name)
  cross join lateral (
    select coalesce(old.name, recent.name) as name, old.value as old_value, recent.value as recent_value
    from jsonb_each(before -> part.name) as old (name, value)
    full join jsonb_each(after -> part.name) as recent (name, value) on old.name = recent.name
  ) as own
  where case part.name when 'links' then not same_references(own.old_value, own.recent_value)
          else own.old_value is distinct from own.recent_value end
  union all
  select changed.name || '.' || own.name
  from jsonb_object_keys(after) as changed (name)
  cross join lateral (
    select coalesce(old.name, recent.name) as name
    from (
      select key, value from jsonb_each(nullif(before -> changed.name, 'null')) where key not in ('attributes', 'sources')
      union all
      select 'attributes.' || key, value from jsonb_each(nullif(before -> changed.name, 'null') -> 'attributes')
    ) as old (name, value)
    full join (
      select key, value from jsonb_each(nullif(after -> changed.name, 'null')) where key not in ('attributes', 'sources')
      union all
      select 'attributes.' || key, value from jsonb_each(nullif(after -> changed.name, 'null') -> 'attributes')
    ) as recent (name, value) on old.name = recent.name
    where old.value is distinct from recent.value
  ) as own
  where starts_with(changed.name, 'views.');
end;
