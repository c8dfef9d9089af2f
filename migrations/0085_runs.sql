-- oldest release: 0.3.0
-- Runs of prompts: one call of a model per product. An older release has no runs, and changes none of these rows.

create table runs (
  project_id      bigint not null references projects (id),
  id              bigint not null generated always as identity,
  prompt_id       bigint not null,
  version_number  text collate "C" not null,
  provider        text collate "C" not null,
  model           text collate "C" not null,
  state           text collate "C" not null check (state in
    ('sampling', 'waiting', 'running', 'done', 'stopped_at_budget', 'paused', 'cancelled', 'failed')),
  reason          text collate "C",
  -- The state that the run enters when its calls have ended and their responses are proposed.
  stop_state      text collate "C",
  stop_reason     text collate "C",
  actor           text not null,
  source          text collate "C" not null check (source in ('api', 'console', 'cli')),
  -- Null for a console user, and for a command.
  token_id        bigint,
  fields          text[] collate "C" not null,
  variables       jsonb not null,
  sample          integer not null,
  reuse           boolean not null,
  -- Amounts are millionths of the currency. Without a budget, the model must be free.
  currency        text collate "C" not null,
  budget          bigint check (budget > 0),
  reserved        bigint not null default 0 check (reserved >= 0),
  spent           bigint not null default 0 check (spent >= 0),
  -- The part of the spent amount that the outcomes of the model include.
  counted         bigint not null default 0,
  -- Counts of products. Reused responses are also done or declined.
  products        integer not null,
  done            integer not null default 0,
  failed          integer not null default 0,
  declined        integer not null default 0,
  skipped         integer not null default 0,
  reused          integer not null default 0,
  input_tokens    bigint not null default 0,
  output_tokens   bigint not null default 0,
  -- Since the last success: failed attempts, and responses with status 429.
  failures_in_row integer not null default 0,
  limited_in_row  integer not null default 0,
  proposals       bigint[] not null default '{}',
  created_at      timestamptz(3) not null default clock_timestamp(),
  finished_at     timestamptz(3),
  primary key (project_id, id),
  foreign key (project_id, prompt_id) references prompts (project_id, id)
);
create index runs_unfinished on runs (project_id) where finished_at is null;
create index runs_by_prompt on runs (project_id, prompt_id);

-- One row per product, written with the run. Responses are removed after some time; the figures stay.
create table run_calls (
  project_id      bigint not null,
  run_id          bigint not null,
  place           integer not null,
  product_id      bigint not null,
  state           text collate "C" not null default 'waiting' check (state in
    ('waiting', 'calling', 'done', 'failed', 'declined', 'skipped')),
  error           text collate "C",
  attempts        smallint not null default 0,
  -- The lease of the job that makes the call.
  owner           uuid,
  retry_at        timestamptz(3),
  -- Of the current attempt, and the month that it is reserved from.
  reserved        bigint not null default 0,
  month           date,
  -- Of all attempts.
  cost            bigint not null default 0,
  input_tokens    bigint not null default 0,
  output_tokens   bigint not null default 0,
  is_reused       boolean not null default false,
  -- Of the prompt version, its values, the model, the schema and the settings.
  input_hash      text collate "C",
  -- What the model read: {"version", "sku", "values"}, with the values of the written fields.
  base            jsonb,
  -- What the model wrote, by field.
  response        jsonb,
  flags           text[] collate "C",
  proposal_id     bigint,
  line            integer,
  started_at      timestamptz(3),
  finished_at     timestamptz(3),
  primary key (project_id, run_id, place),
  unique (project_id, run_id, product_id),
  foreign key (project_id, run_id) references runs (project_id, id) on delete cascade
) with (fillfactor = 70);
create index run_calls_waiting on run_calls (project_id, run_id, place) where state = 'waiting';
create index run_calls_in_progress on run_calls (project_id, run_id) where state = 'calling';
create index run_calls_to_propose on run_calls (project_id, run_id, place) where state = 'done' and proposal_id is null;
create index run_calls_by_input on run_calls (project_id, input_hash) where input_hash is not null;
create index run_calls_by_product on run_calls (project_id, product_id);
create index run_calls_to_forget on run_calls (finished_at) where input_hash is not null;

-- What a project reserves and spends per month (UTC) and currency. It outlives providers.
create table ai_spending (
  project_id bigint not null references projects (id),
  currency   text collate "C" not null,
  month      date not null,
  reserved   bigint not null default 0 check (reserved >= 0),
  spent      bigint not null default 0 check (spent >= 0),
  primary key (project_id, currency, month)
);

alter table notifications drop constraint notifications_kind_check, add constraint notifications_kind_check check (kind in (
  'access_decided', 'import_finished', 'proposal_waiting', 'proposal_decided', 'webhook_failing', 'job_failed', 'second_factor_reset',
  'run_waiting', 'run_finished'));
