-- oldest release: 0.3.0
-- When users signed in last, which views are shared, and who was active in the last month.

alter table users add column last_sign_in_at timestamptz(3);
update users set last_sign_in_at = newest.created_at
from (select user_id, max(created_at) as created_at from sessions group by user_id) as newest
where newest.user_id = users.id;

-- A trigger, because sessions come from several kinds of sign-in, and from older releases.
create function record_sign_in() returns trigger language plpgsql as $$
begin
  update users set last_sign_in_at = new.created_at where id = new.user_id;
  return null;
end
$$;
create trigger record_sign_in after insert on sessions for each row execute function record_sign_in();

-- An older release shows a view only to its owner.
alter table saved_views add column shared boolean not null default false;
create unique index saved_views_shared_by_name on saved_views (project_id, name) where shared;

-- Requests that changed something, by UTC day and by who sent them: a user of the console, or a token.
create table actor_activity (
  project_id bigint not null references projects (id) on delete cascade,
  day        timestamptz(3) not null,
  source     text collate "C" not null check (source in ('api', 'console')),
  actor      text collate "C" not null,
  actions    bigint not null check (actions > 0),
  last_at    timestamptz(3) not null,
  primary key (project_id, day, source, actor)
);
create index actor_activity_by_day on actor_activity (day);
