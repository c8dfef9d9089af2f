-- oldest release: 0.1.0
-- Which fields a change of a product's history changed: for the provenance that the product had at some time.

-- A product that was named by its SKU before it came is the same as the one with the id.
create function same_references(one jsonb, other jsonb) returns boolean language sql immutable parallel safe return not exists (
  select from jsonb_array_elements(coalesce(one, '[]')) with ordinality as before (item, place)
  full join jsonb_array_elements(coalesce(other, '[]')) with ordinality as after (item, place) on before.place = after.place
  where before.item is null or after.item is null
    or case when before.item ->> 'id' is null or after.item ->> 'id' is null
         then before.item ->> 'sku' is distinct from after.item ->> 'sku'
         else before.item -> 'id' <> after.item -> 'id' end);

-- A change tells the fields that it changed; attributes, links and stock settings as a whole, so those are compared name by name. All of
-- them at once: asked for one field after the other, a large change would be unpacked again for each of them.
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
