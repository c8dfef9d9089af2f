-- oldest release: 0.2.0
-- Addresses that events are posted to, and how far each of them is.

create table webhooks (
  project_id       bigint not null references projects (id),
  id               bigint not null generated always as identity,
  url              text not null,
  -- As asked for, such as product.*; null: all.
  types            text[] collate "C",
  -- Of whoever made it: it gets what they may read.
  scopes           text[] collate "C" not null,
  actor            text not null,
  -- Encrypted, each beside the id of its key; the one before a rotation signs too until then.
  secret           text collate "C" not null,
  old_secret       text collate "C",
  old_secret_until timestamptz(3),
  disabled_reason  text collate "C" check (disabled_reason in ('gone', 'failing', 'secret_unreadable', 'restored', 'by_hand')),
  disabled_at      timestamptz(3),
  last_success_at  timestamptz(3),
  last_error       text,
  last_error_at    timestamptz(3),
  -- The first failure since the last success, and how often the project was told of it.
  failing_since    timestamptz(3),
  told             smallint not null default 0,
  created_at       timestamptz(3) not null default now(),
  updated_at       timestamptz(3) not null default now(),
  primary key (project_id, id)
);
create index webhooks_enabled on webhooks (project_id, id) where disabled_reason is null;

-- Events of one object are in one lane, one after the other. Everything up to and with this place of the feed is delivered.
create table webhook_lanes (
  project_id      bigint not null,
  webhook_id      bigint not null,
  lane            smallint not null,
  number          bigint not null,
  position        integer not null,
  -- A replay: the lane goes on up to there, and then from where it was before.
  replay_number   bigint,
  replay_position integer,
  resume_number   bigint,
  resume_position integer,
  -- Whether there may be something to deliver behind this place, though the feed has no higher number.
  has_more        boolean not null default true,
  -- Tries of the next event, and when the next one is due.
  tries           smallint not null default 0,
  first_failed_at timestamptz(3),
  next_try_at     timestamptz(3) not null default now(),
  leased_by       uuid,
  leased_until    timestamptz(3),
  primary key (project_id, webhook_id, lane),
  foreign key (project_id, webhook_id) references webhooks (project_id, id) on delete cascade
);

create table webhook_attempts (
  project_id   bigint not null,
  webhook_id   bigint not null,
  id           bigint not null generated always as identity,
  at           timestamptz(3) not null,
  event_id     text collate "C" not null,
  type         text collate "C" not null,
  -- From 1.
  try          smallint not null,
  -- Null where no answer came.
  status       smallint,
  error        text,
  milliseconds integer not null,
  primary key (project_id, webhook_id, id),
  foreign key (project_id, webhook_id) references webhooks (project_id, id) on delete cascade
);
create index webhook_attempts_by_time on webhook_attempts (at);

-- Events that were given up. They are read again from the feed when they are tried again.
create table webhook_parked (
  project_id bigint not null,
  webhook_id bigint not null,
  id         bigint not null generated always as identity,
  event_id   text collate "C" not null,
  cursor     text collate "C" not null,
  number     bigint not null,
  position   integer not null,
  type       text collate "C" not null,
  parked_at  timestamptz(3) not null default now(),
  tries      smallint not null,
  status     smallint,
  error      text,
  -- Since when it waits to be tried again, once.
  retry_at   timestamptz(3),
  primary key (project_id, webhook_id, id),
  foreign key (project_id, webhook_id) references webhooks (project_id, id) on delete cascade
);
create index webhook_parked_retries on webhook_parked (project_id, webhook_id, id) where retry_at is not null;
