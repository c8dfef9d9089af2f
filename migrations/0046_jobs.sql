-- oldest release: 0.3.0
-- Background work of all kinds. One process at a time holds a job, by a lease that it renews; a job that fails waits and is tried
-- again until it runs out of attempts.
create table jobs (
  id          bigint primary key generated always as identity,
  -- 0: the job belongs to the service and not to a project.
  project_id  bigint not null,
  kind        text collate "C" not null,
  -- Identifies the job among those of its kind and project.
  key         text collate "C" not null,
  -- Infinity while the job runs, unless it was requested again meanwhile.
  due_at      timestamptz(3) not null default clock_timestamp(),
  -- The lease: each claim has its own owner, so that a process that lost its lease can change nothing.
  owner       uuid,
  lease_until timestamptz(3),
  -- Failed attempts since the last one that made progress.
  attempts    integer not null default 0,
  last_error  text,
  -- When the job ran out of attempts. It stays visible until it is retried, canceled or old.
  failed_at   timestamptz(3),
  created_at  timestamptz(3) not null default clock_timestamp(),
  unique (project_id, kind, key)
);
create index jobs_due on jobs (kind, due_at) where owner is null and failed_at is null;
create index jobs_by_project on jobs (kind, project_id, due_at) where owner is null and failed_at is null;
create index jobs_leased on jobs (lease_until) where owner is not null;
alter table jobs set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- The reason a proposal failed.
alter table proposals add column reason text;

insert into jobs (project_id, kind, key)
select project_id, 'proposal.prepare', id::text from proposals where state = 'preparing';
insert into jobs (project_id, kind, key, due_at) select project_id, 'quality.score', '', due_at from scoring_jobs;
