-- oldest release: 0.1.0
-- The fields that a change changed, all at once: asked for one field after the other, a large change is unpacked again for each of them.

create function changed_fields(before jsonb, after jsonb) returns setof text language sql immutable parallel safe begin atomic
  select name from jsonb_object_keys(after) as name where name not in ('attributes', 'links', 'inventory')
  union all
  select part.name || '.' || own.name
  from (values ('attributes'), ('links'), ('inventory')) as part (name)
  cross join lateral (
    select coalesce(old.name, recent.name) as name, old.value as old_value, recent.value as recent_value
    from jsonb_each(before -> part.name) as old (name, value)
    full join jsonb_each(after -> part.name) as recent (name, value) on old.name = recent.name
  ) as own
  where case part.name when 'links' then not same_references(own.old_value, own.recent_value)
          else own.old_value is distinct from own.recent_value end;
end;

-- No release has asked for fields one by one.
drop function field_differs(jsonb, jsonb, text);
