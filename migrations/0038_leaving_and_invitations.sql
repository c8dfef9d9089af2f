-- oldest release: 0.1.0
-- People who leave, and people who are invited.

-- A user who is disabled has no session and opens none; what they did stays under their name.
alter table users add column disabled_at timestamptz(3);

-- The one link by which a user sets a password of their own; a new one replaces it, its use deletes it.
create table invitations (
  user_id     bigint primary key references users (id) on delete cascade,
  -- SHA-256 of what the link carries: a copy of this table opens nothing.
  secret_hash bytea not null unique,
  expires_at  timestamptz(3) not null,
  created_at  timestamptz(3) not null default now()
);
