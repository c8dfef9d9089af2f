-- oldest release: 0.3.0
-- An older release writes assets as the URLs that it read, and does not record their uses: see 0073_assets.sql. The conditions that are
-- false for almost every write come first.

create function record_older_uses() returns trigger language plpgsql as $$
begin
  insert into asset_uses (project_id, hash, product_id)
  select asset.project_id, asset.hash, new.id
  from jsonb_array_elements(new.media) as item
  cross join regexp_match(item ->> 'url', '/media/([0-9A-Za-z_-]{22})/([0-9a-f]{64})/') as named
  join projects as project on project.id = new.project_id and project.media_key = named[1]
  join assets as asset on asset.project_id = project.id and asset.hash = named[2]
  on conflict do nothing;
  return null;
end
$$;

create trigger record_older_uses after insert on products
  for each row when (new.media <> '[]' and not records_events(array[0, 4, 0])) execute function record_older_uses();
create trigger record_older_changed_uses after update on products
  for each row when (new.media is distinct from old.media and not records_events(array[0, 4, 0])) execute function record_older_uses();
