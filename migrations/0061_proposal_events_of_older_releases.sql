-- oldest release: 0.3.0
-- Events of proposals that an older release makes or changes; see 0060_events_of_older_releases.sql.

create function proposal_event_side(proposal proposals) returns jsonb language sql stable
  return jsonb_build_object('id', proposal.id, 'title', proposal.title, 'state', proposal.state, 'origin', proposal.origin,
    'actor', proposal.actor, 'reverts', proposal.reverts_id, 'created_at', event_time(proposal.created_at),
    'expires_at', event_time(proposal.expires_at), 'applied_at', event_time(proposal.applied_at),
    'summary', jsonb_build_object('total', proposal.lines, 'prepared', proposal.prepared,
      'outcomes', jsonb_build_object('created', proposal.created, 'updated', proposal.updated, 'unchanged', proposal.unchanged,
        'rejected', proposal.rejected),
      'states', jsonb_build_object('open', proposal.open, 'applied', proposal.applied, 'rejected', proposal.rejected + proposal.refused,
        'conflict', proposal.conflict, 'discarded', proposal.discarded)));

-- At the end of the transaction, which counts lines in several statements: the first of them has the proposal as it was before, and
-- records what it has become. While it is prepared or applied nothing is recorded; what comes of that is.
create function record_proposal_event() returns trigger language plpgsql as $$
declare
  proposal proposals;
  before jsonb;
  type text;
begin
  select * into proposal from proposals where project_id = new.project_id and id = new.id;
  if not found or proposal.state in ('preparing', 'applying') then return null; end if;
  if exists (
    select from event_outbox as event where xid = pg_current_xact_id() and project_id = new.project_id
      and event.type like 'proposal.%' and new.id = any(object_ids)
  ) then return null; end if;
  if tg_op = 'UPDATE' and old.state <> 'preparing' then before := proposal_event_side(old); end if;
  type := case
    when before is not null and proposal.state in ('open', old.state) then 'proposal.updated'
    when proposal.state = 'open' then 'proposal.opened'
    else 'proposal.' || proposal.state end;
  perform record_older_event(proposal.project_id, type, case when before is null then proposal.actor end, proposal.id, null,
    before, proposal_event_side(proposal));
  return null;
end
$$;
create constraint trigger record_older_created after insert on proposals deferrable initially deferred
  for each row when (not records_events(array[0, 4, 0])) execute function record_proposal_event();
create constraint trigger record_older_updated after update on proposals deferrable initially deferred
  for each row when (old is distinct from new and not records_events(array[0, 4, 0])) execute function record_proposal_event();
