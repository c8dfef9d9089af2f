-- oldest release: 0.1.0
-- What the products of a project are checked and scored by: quality rules, and definitions of attributes. Each version is kept
-- while a product has a score of it, and never changes; version 0 is the service's own set, and has no row.
create table rulesets (
  project_id bigint not null references projects (id),
  version    integer not null check (version > 0),
  -- Null where the project has no rules of its own.
  rules      jsonb,
  definitions jsonb not null default '[]',
  created_at timestamptz(3) not null default now(),
  primary key (project_id, version)
);

-- The version in force.
alter table projects add column ruleset integer not null default 0;

-- The version that made the score.
alter table products add column quality_ruleset integer not null default 0;
