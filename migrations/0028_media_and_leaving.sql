-- outside a transaction
-- oldest release: 0.1.0
-- Pictures, documents and videos of a product: addresses with what they show, in the order of the client.

alter table products add column if not exists media jsonb not null default '[]';

-- For has_image=true. A product without a picture has no entry.
create index concurrently if not exists products_with_image on products (project_id, id) where media @> '[{"kind": "image"}]';

-- Projects can be deleted, and the audit trail outlives them. It tells their names by the line of the deletion.
alter table audit_entries drop constraint if exists audit_entries_project_id_fkey;
create index concurrently if not exists audit_entries_of_deletions on audit_entries (project_id) where action = 'project.delete';

-- A prompt version goes with its project, and in no other way.
create or replace function keep_prompt_version() returns trigger language plpgsql as $$
begin
  if old.project_id::text = current_setting('catalog.deleted_project', true) then return old; end if;
  raise exception 'a prompt version never changes and never vanishes; add a new version instead';
end
$$;
create or replace trigger prompt_version_is_kept
  before delete on prompt_versions for each row execute function keep_prompt_version();
create or replace trigger prompt_versions_are_kept
  before update or truncate on prompt_versions for each statement execute function refuse_version_change();
