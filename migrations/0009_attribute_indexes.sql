-- A filter by the value of an attribute meets just the products that have it: name and value are one entry of the index. The
-- index before knew them apart, and met everything that has the value under any name.
drop index products_by_attribute;
create index products_by_attribute on products using gin (project_id, attributes jsonb_path_ops);

create function attribute_names(attributes jsonb) returns text[] language sql immutable parallel safe
  return array(select jsonb_object_keys(attributes));

create index products_by_attribute_name on products using gin (project_id, (attribute_names(attributes) collate "C"));
