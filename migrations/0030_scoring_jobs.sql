-- oldest release: 0.1.0
-- The projects whose products are scored again, after their ruleset changed, and how far that is. There is a row from the change
-- until some time after the last product was scored, so that this table is small and finding work costs nothing.
create table scoring_jobs (
  project_id    bigint primary key references projects (id),
  -- The ruleset to score by: the one in force.
  version       integer not null,
  changed_at    timestamptz(3) not null default clock_timestamp(),
  -- Products are walked through in the order of their ids, again and again until a walk meets none with another score.
  walks         integer not null default 0,
  walk_began_at timestamptz(3) not null default clock_timestamp(),
  after_id      bigint not null default 0,
  -- Products that this walk met with a score of another ruleset.
  outdated      bigint not null default 0,
  -- Products that are known to have their score.
  scored        bigint not null default 0,
  completed_at  timestamptz(3),
  due_at        timestamptz(3) not null default clock_timestamp()
);
