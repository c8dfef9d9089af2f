-- oldest release: 0.3.0
-- Proposals that a run creates, lines that people edit before they apply them, and the outcomes per model.

-- Newer minor releases of PostgreSQL refuse to alter a table while a function with a parsed body uses its row type. The function gets
-- a body of text, and the new columns, at the end.
drop function proposal_event_side(proposals);

-- An older release shows the new origin as it is, and applies edited lines, because an edit replaces the patch.
alter table proposals
  drop constraint proposals_origin_check,
  add constraint proposals_origin_check check (origin in ('api', 'console', 'import', 'filter', 'revert', 'run')),
  -- Raised by each edit of a line, so that a client applies only what it has read.
  add column revision integer not null default 1,
  add column run_id bigint,
  -- Of a run: {"prompt_id", "version_number", "model", "currency"}, the key of the outcomes that its lines count for.
  add column written_by jsonb;

alter table proposal_lines
  add column flags text[] collate "C",
  -- The changes before the first edit, {field: {before, after}}. Null in lines that no one has edited.
  add column original jsonb,
  -- The revision that the last edit made. An apply of an earlier revision skips the line.
  add column edited_in integer;

-- An older release erases a product without the original of its lines.
create function erase_original() returns trigger language plpgsql as $$
begin
  new.original := null;
  return new;
end
$$;
create trigger erase_original before update on proposal_lines
  for each row when (new.original is not null and new.sku is null and old.sku is not null) execute function erase_original();

-- Lines that models wrote and what became of them. Runs and proposals add to these sums; no write of a product does.
create table model_outcomes (
  project_id      bigint not null,
  prompt_id       bigint not null,
  version_number  text collate "C" not null,
  model           text collate "C" not null,
  currency        text collate "C" not null,
  lines           bigint not null default 0,
  -- Lines that were applied as the model wrote them, that were applied after an edit, and that were discarded or invalid.
  accepted        bigint not null default 0,
  edited          bigint not null default 0,
  rejected        bigint not null default 0,
  -- Fields that were applied as the model wrote them.
  accepted_fields bigint not null default 0,
  -- In millionths of the currency.
  cost            bigint not null default 0,
  primary key (project_id, prompt_id, version_number, model, currency),
  foreign key (project_id, prompt_id) references prompts (project_id, id)
);

create function proposal_event_side(proposal proposals) returns jsonb language sql stable as $$
  select jsonb_build_object('id', proposal.id, 'title', proposal.title, 'state', proposal.state, 'origin', proposal.origin,
    'actor', proposal.actor, 'revision', proposal.revision, 'reverts', proposal.reverts_id, 'run', proposal.run_id,
    'created_at', event_time(proposal.created_at), 'expires_at', event_time(proposal.expires_at),
    'applied_at', event_time(proposal.applied_at),
    'summary', jsonb_build_object('total', proposal.lines, 'prepared', proposal.prepared,
      'outcomes', jsonb_build_object('created', proposal.created, 'updated', proposal.updated, 'unchanged', proposal.unchanged,
        'rejected', proposal.rejected),
      'states', jsonb_build_object('open', proposal.open, 'applied', proposal.applied, 'rejected', proposal.rejected + proposal.refused,
        'conflict', proposal.conflict, 'discarded', proposal.discarded)))
$$;
