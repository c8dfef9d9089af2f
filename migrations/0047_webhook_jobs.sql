-- oldest release: 0.3.0
-- One job per webhook delivers its events. New events in the feed request it, in the transaction that numbers them.
alter table webhook_lanes drop column leased_until;

create function request_deliveries() returns trigger language plpgsql as $$
begin
  insert into jobs (project_id, kind, key)
  select project_id, 'webhook.deliver', id::text from webhooks
  where disabled_reason is null and project_id in (select project_id from added)
  order by project_id, id::text collate "C"
  on conflict (project_id, kind, key) do update set due_at = excluded.due_at
    where jobs.due_at > excluded.due_at and jobs.failed_at is null;
  return null;
end
$$;
create trigger request_deliveries after insert on event_feed
  referencing new table as added for each statement execute function request_deliveries();

insert into jobs (project_id, kind, key) select project_id, 'webhook.deliver', id::text from webhooks where disabled_reason is null;
