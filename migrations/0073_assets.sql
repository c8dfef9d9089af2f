-- outside a transaction
-- oldest release: 0.3.0
-- Files that projects store, and the addresses at which the service serves them.

-- 22 characters with 128 random bits. An older release creates projects too, so the key is a default.
create or replace function new_media_key() returns text language sql volatile as $$
  select translate(rtrim(encode(substring(
    sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) for 16), 'base64'), '='), '+/', '-_')
$$;

-- Without a default at first, because a volatile one would rewrite the table.
alter table projects
  add column if not exists media_key text collate "C",
  add column if not exists media text collate "C" not null default 'public' check (media in ('public', 'private'));
alter table projects alter column media_key set default new_media_key();

-- repeat until no row changes
with batch as materialized (
  select id from projects where id > coalesce($2::bigint, 0) and media_key is null order by id limit $1 for no key update
), changed as (
  update projects set media_key = new_media_key() from batch where projects.id = batch.id
)
select id from batch order by id desc limit 1;

create unique index concurrently if not exists projects_by_media_key on projects (media_key);
alter table projects alter column media_key set not null;

-- Null means unlimited.
alter table plans add column if not exists storage_bytes bigint check (storage_bytes >= 0);
update plans set storage_bytes = case code
  when 'free' then 1::bigint << 30 when 'pro' then 20::bigint << 30 when 'enterprise' then 200::bigint << 30 end
where storage_bytes is null;

-- A row exists only while its file does, except for an erased asset, whose address returns 410.
create table if not exists assets (
  project_id  bigint not null references projects (id) on delete cascade,
  hash        text collate "C" not null check (hash ~ '^[0-9a-f]{64}$'),
  kind        text collate "C" not null check (kind in ('image', 'document', 'video')),
  mime        text collate "C" not null,
  bytes       bigint not null check (bytes > 0),
  width       integer check (width > 0),
  height      integer check (height > 0),
  state       text collate "C" not null check (state in ('processing', 'ready', 'failed', 'erased')),
  -- The random end of the file name. A later upload of the same bytes, after a deletion, has another one.
  file        text collate "C" not null check (file ~ '^[0-9a-f]{16}$'),
  created_at  timestamptz(3) not null default now(),
  -- The last upload of these bytes.
  uploaded_at timestamptz(3) not null default now(),
  primary key (project_id, hash)
);
create index if not exists assets_by_time on assets (project_id, created_at, hash);

-- Files without an asset: being written, or to be removed. A file is in this table before it is in the store, and leaves it only after
-- the file has become an asset or has left the store. So no listing of the store is needed to find a file that no asset names.
-- The rows outlive their project.
create table if not exists asset_files (
  project_id bigint not null,
  hash       text collate "C" not null,
  file       text collate "C" not null,
  -- What an upload has reserved of the quota.
  bytes      bigint not null check (bytes >= 0),
  -- From then on, the file cannot become an asset.
  is_removed boolean not null default false,
  -- When it is removed, or given up.
  due_at     timestamptz(3) not null,
  primary key (project_id, hash, file)
);
create index if not exists asset_files_by_time on asset_files (due_at);

-- The bytes of assets and of uploads in progress. An upload reserves its bytes here, so that simultaneous uploads keep the quota.
create table if not exists asset_storage (
  project_id bigint primary key references projects (id) on delete cascade,
  bytes      bigint not null check (bytes >= 0)
);

-- Products that show an asset or showed it in the past, because their history still names it.
create table if not exists asset_uses (
  project_id bigint not null,
  hash       text collate "C" not null,
  product_id bigint not null,
  primary key (project_id, hash, product_id),
  foreign key (project_id, hash) references assets (project_id, hash),
  foreign key (project_id, product_id) references products (project_id, id) on delete cascade
);
create index if not exists asset_uses_by_product on asset_uses (project_id, product_id);

-- The folder of a deleted project is removed later, also if an older release deletes the project. A thumbnail that is being written at
-- that time is complete before.
create or replace function request_folder_removal() returns trigger language plpgsql as $$
begin
  insert into jobs (project_id, kind, key, due_at)
  values (0, 'media.folder', old.project_id::text, clock_timestamp() + interval '1 minute') on conflict do nothing;
  return null;
end
$$;
create or replace trigger request_folder_removal after delete on asset_storage
  for each row execute function request_folder_removal();

-- The store has a marker with this id, so that a service does not use another folder, such as that of another host. A restored database
-- may share the store with the original: nothing is removed until an operator adopts the store for the last restore.
create table if not exists media_store (
  is_only       boolean primary key default true check (is_only),
  id            uuid not null default gen_random_uuid(),
  -- Whether a store has the marker. Only then is a store without one another store.
  is_marked     boolean not null default false,
  adopted_epoch uuid
);
