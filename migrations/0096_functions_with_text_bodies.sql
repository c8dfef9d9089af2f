-- oldest release: 0.3.0
-- Newer minor releases of PostgreSQL refuse to alter a table while a function with a parsed body uses its row type. The bodies of these
-- functions become text, so that later migrations can alter the tables.

create or replace function category_event_side(category categories) returns jsonb language sql stable as $$
  select jsonb_build_object('id', category.id, 'name', category.name, 'project', category.project_id,
    'created_at', event_time(category.created_at), 'updated_at', event_time(category.updated_at),
    'parent', category.parent_id, 'position', category.position,
    'path', coalesce(category_path(category.project_id, category.parent_id), '{}') || category.name)
$$;

create or replace function prompt_event_side(prompt prompts) returns jsonb language sql stable as $$
  select jsonb_build_object('id', prompt.id, 'project', prompt.project_id, 'name', prompt.name, 'description', prompt.description,
    'created_at', event_time(prompt.created_at), 'updated_at', event_time(prompt.updated_at),
    'labels', coalesce((
      select jsonb_object_agg(label, concat_ws('.', major, minor, patch)) from prompt_labels
      where project_id = prompt.project_id and prompt_id = prompt.id), '{}'))
    || coalesce((
      select jsonb_build_object('latest_version', concat_ws('.', major, minor, patch), 'variables', to_jsonb(variables))
      from prompt_versions where project_id = prompt.project_id and prompt_id = prompt.id
      order by major desc, minor desc, patch desc limit 1), '{}')
$$;

create or replace function proposal_event_side(proposal proposals) returns jsonb language sql stable as $$
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
