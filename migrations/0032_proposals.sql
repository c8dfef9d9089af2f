-- oldest release: 0.1.0
-- Changes that somebody looks at before they are made, and which prompt wrote what.

-- The fields whose value a prompt wrote: {"description": {"prompt_id", "version_number", "model", "reviewed_by", "version", "at"}}, where
-- "version" is the version of the product that the write made.
alter table products add column provenance jsonb not null default '{}';

-- What this change wrote by a prompt, likewise; the proposal that it came from; the score before and after. Null in what is older.
alter table product_history
  add column provenance   jsonb,
  add column proposal_id  bigint,
  add column score_before smallint,
  add column score_after  smallint;

-- An entry that has no time yet is of a version at most so many milliseconds ago as it is behind the last one.
create function stamp_provenance(provenance jsonb, last_version integer, last_at timestamptz) returns jsonb
  language sql stable parallel safe return (
    select jsonb_object_agg(field, case when entry ? 'at' then entry else entry || jsonb_build_object('at', to_char(
             (last_at - (last_version - (entry ->> 'version')::integer) * interval '1 millisecond') at time zone 'UTC',
             'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) end)
    from jsonb_each(provenance) as own (field, entry));

-- What entries are found by: the prompt, and the prompt with its version.
create function provenance_keys(provenance jsonb) returns text[] language sql immutable parallel safe return array(
  select distinct key from jsonb_each(provenance) as own (field, entry), lateral (values
    (entry ->> 'prompt_id'), ((entry ->> 'prompt_id') || '/' || (entry ->> 'version_number'))) as keys (key));

create table proposals (
  project_id  bigint not null references projects (id),
  id          bigint not null generated always as identity,
  title       text not null,
  state       text collate "C" not null check (state in
    ('preparing', 'open', 'applying', 'applied', 'partly_applied', 'discarded', 'expired', 'failed')),
  origin      text collate "C" not null check (origin in ('api', 'console', 'import', 'filter', 'revert')),
  actor       text not null,
  -- Null for a person at the console, and for a command.
  token_id    bigint,
  -- How its lines are made, while they are: from edits, or from the lines of a proposal that is reverted.
  edits       jsonb,
  reverts_id  bigint,
  -- What becomes of its lines, kept by whoever changes them.
  lines       integer not null default 0,
  prepared    integer not null default 0,
  created     integer not null default 0,
  updated     integer not null default 0,
  unchanged   integer not null default 0,
  -- Rejected when they were proposed: they count for nothing. The others are in one of the states below.
  rejected    integer not null default 0,
  open        integer not null default 0,
  applied     integer not null default 0,
  conflict    integer not null default 0,
  refused     integer not null default 0,
  discarded   integer not null default 0,
  created_at  timestamptz(3) not null default clock_timestamp(),
  expires_at  timestamptz(3) not null,
  applied_at  timestamptz(3),
  closed_at   timestamptz(3),
  primary key (project_id, id)
);
-- Few are: work is found at no cost.
create index proposals_in_preparation on proposals (prepared) where state = 'preparing';
create index proposals_to_expire on proposals (expires_at) where state in ('preparing', 'open', 'applying');
create index proposals_to_delete on proposals (closed_at) where state in ('discarded', 'expired', 'failed');

-- Written in the transaction of their proposal, or by whoever prepares it, and deleted with it.
create table proposal_lines (
  project_id   bigint not null,
  proposal_id  bigint not null,
  line         integer not null,
  -- Null for a product that is to be made.
  product_id   bigint,
  sku          text collate "C",
  -- Products are written after those that they name: 0, then variants, then bundles and groups.
  turn         smallint not null default 0,
  -- Null until the line is prepared.
  outcome      text collate "C" check (outcome in ('created', 'updated', 'unchanged', 'rejected')),
  state        text collate "C" not null check (state in ('open', 'applied', 'rejected', 'conflict', 'discarded')),
  -- {field: {before, after}}. Of an applied line only the stock: the rest is in the history, under the version that it made.
  changes      jsonb,
  -- {"add", "remove"}: categories that the product gets or loses, whatever else it has by then.
  categories   jsonb,
  provenance   jsonb,
  score_before smallint,
  score_after  smallint,
  errors       jsonb,
  warnings     jsonb,
  -- {field: {base, theirs, ours}}
  conflicts    jsonb,
  -- The version that it made; of a line that reverts another one, until it is prepared, the version to take back.
  version      integer,
  primary key (project_id, proposal_id, line)
  -- No index has the state, and a page has room for lines that are applied: an index entry for each would make applying a tenth slower.
) with (fillfactor = 80);
