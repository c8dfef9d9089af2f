-- oldest release: 0.1.0
-- What a member may do in a project, and which projects make their tokens themselves.

-- Whoever was a member could do everything.
alter table memberships
  add column role text collate "C" not null default 'manager' check (role in ('viewer', 'editor', 'manager'));

alter table plans add column self_service_tokens boolean not null default false;
update plans set self_service_tokens = true where code = 'enterprise';

-- The override of the operator, as with API access; the scopes that such tokens may have, null meaning all.
alter table projects
  add column self_service_tokens text collate "C" not null default 'plan' check (self_service_tokens in ('on', 'off', 'plan')),
  add column self_service_scopes text[];

-- Made by a member: members may rotate and revoke it.
alter table tokens add column self_service boolean not null default false;
