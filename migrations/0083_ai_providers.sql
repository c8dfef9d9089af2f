-- oldest release: 0.3.0
-- AI providers that run prompts: those of projects, and those that the operator offers to all projects of a plan.

create table ai_offers (
  name                text collate "C" primary key,
  kind                text collate "C" not null check (kind in ('openai-compatible', 'anthropic', 'google')),
  base_url            text not null,
  -- Encrypted, with the ID of the encryption key.
  key                 text collate "C",
  currency            text collate "C" not null,
  models              jsonb not null,
  concurrency         integer not null check (concurrency > 0),
  requests_per_minute integer check (requests_per_minute > 0),
  -- What each project can spend per month, in millionths of the currency. Null: no limit.
  project_cap         bigint check (project_cap >= 0),
  plans               text[] collate "C" not null,
  findings            jsonb,
  state               text collate "C" not null default 'enabled' check (state in ('enabled', 'disabled')),
  created_at          timestamptz(3) not null default now(),
  updated_at          timestamptz(3) not null default now()
);

create table ai_providers (
  project_id             bigint not null references projects (id),
  name                   text collate "C" not null,
  -- A row for a provider that the operator offers has only the columns that runs maintain.
  offer                  text collate "C" references ai_offers (name) on delete cascade,
  kind                   text collate "C" check (kind in ('openai-compatible', 'anthropic', 'google')),
  base_url               text,
  key                    text collate "C",
  currency               text collate "C",
  models                 jsonb,
  concurrency            integer check (concurrency > 0),
  requests_per_minute    integer check (requests_per_minute > 0),
  -- In millionths of the currency.
  monthly_budget         bigint check (monthly_budget >= 0),
  findings               jsonb,
  state                  text collate "C" not null default 'enabled' check (state in ('enabled', 'disabled')),
  -- All processes share these: the concurrency since the last 429, and the requests of the current minute.
  allowed_concurrency    integer check (allowed_concurrency > 0),
  concurrency_changed_at timestamptz(3),
  minute_started_at      timestamptz(3),
  minute_requests        integer not null default 0,
  paused_until           timestamptz(3),
  created_at             timestamptz(3) not null default now(),
  updated_at             timestamptz(3) not null default now(),
  primary key (project_id, name),
  check (case when offer is null
    then kind is not null and base_url is not null and currency is not null and models is not null and concurrency is not null
    else offer = name and kind is null and base_url is null and key is null end)
);
create index ai_providers_by_offer on ai_providers (offer) where offer is not null;
