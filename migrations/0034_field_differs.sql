-- oldest release: 0.1.0
-- Which change of a product's history changed a field: for the provenance that the product had at some time.

-- A product that was named by its SKU before it came is the same as the one with the id.
create function same_references(one jsonb, other jsonb) returns boolean language sql immutable parallel safe return not exists (
  select from jsonb_array_elements(coalesce(one, '[]')) with ordinality as before (item, place)
  full join jsonb_array_elements(coalesce(other, '[]')) with ordinality as after (item, place) on before.place = after.place
  where before.item is null or after.item is null
    or case when before.item ->> 'id' is null or after.item ->> 'id' is null
         then before.item ->> 'sku' is distinct from after.item ->> 'sku'
         else before.item -> 'id' <> after.item -> 'id' end);

-- A change tells the fields that it changed; attributes, links and stock settings as a whole, so those are compared name by name.
create function field_differs(before jsonb, after jsonb, field text) returns boolean language sql immutable parallel safe return
  case split_part(field, '.', 1)
    when field then after ? field
    when 'links' then after ? 'links' and not same_references(
      before -> 'links' -> substr(field, length('links.') + 1), after -> 'links' -> substr(field, length('links.') + 1))
    else after ? split_part(field, '.', 1)
      and before -> split_part(field, '.', 1) -> substr(field, length(split_part(field, '.', 1)) + 2)
        is distinct from after -> split_part(field, '.', 1) -> substr(field, length(split_part(field, '.', 1)) + 2)
  end;
