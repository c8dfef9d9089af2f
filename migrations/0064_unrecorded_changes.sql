-- oldest release: 0.3.0
-- A response from memory is used only while nothing has changed. Most changes emit an event. A change without an event, such as
-- recomputed scores, stores another random value here in its own transaction: a number could repeat after a failover.
alter table projects add column unrecorded_change uuid;

-- For releases that do not store it.
create function mark_older_scores() returns trigger language plpgsql as $$
begin
  -- Once per transaction, because a batch changes many products.
  if current_setting('catalog.marked_project', true) is distinct from new.project_id::text then
    update projects set unrecorded_change = gen_random_uuid() where id = new.project_id;
    perform set_config('catalog.marked_project', new.project_id::text, true);
  end if;
  return null;
end
$$;

create function mark_older_deletions() returns trigger language plpgsql as $$
begin
  update projects set unrecorded_change = gen_random_uuid() where id in (select project_id from removed);
  return null;
end
$$;

-- The parts of the fence (src/model/events/fence.sql.ts) that most requests do not need: a function that is not called costs nothing.

-- The newest events down to the known one, newest first. The size is known without reading a list that is stored outside of its row.
create function events_since(project bigint, known bigint, most integer, id_bytes integer) returns json
language plpgsql stable as $$
begin
  return (
    select json_agg(newest) from (
      select number, key, type, case when pg_column_size(object_ids) <= id_bytes then object_ids end as ids
      from event_feed where project_id = project and number >= known order by number desc limit most
    ) as newest);
end
$$;

-- Committed events that have no number yet, of all projects.
create function unnumbered_events(most integer, id_bytes integer) returns json language plpgsql stable as $$
declare
  last_seen pg_snapshot := (
    select seen from event_numbering where pg_snapshot_xmax(seen) <= pg_snapshot_xmax(pg_current_snapshot()));
begin
  return (
    select json_agg(waiting) from (
      select project_id, type, case when pg_column_size(object_ids) <= id_bytes then object_ids end as ids
      from event_outbox
      where xid >= coalesce(pg_snapshot_xmax(last_seen), '0') or xid = any(array(select pg_snapshot_xip(last_seen)))
      limit most
    ) as waiting);
end
$$;
