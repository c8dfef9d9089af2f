-- oldest release: 0.3.0
-- Release 0.3.0 deletes projects and erases products without the tables of runs and providers.

alter table ai_providers
  drop constraint ai_providers_project_id_fkey,
  add constraint ai_providers_project_id_fkey foreign key (project_id) references projects (id) on delete cascade;
alter table ai_spending
  drop constraint ai_spending_project_id_fkey,
  add constraint ai_spending_project_id_fkey foreign key (project_id) references projects (id) on delete cascade;
alter table model_outcomes
  drop constraint model_outcomes_project_id_prompt_id_fkey,
  add constraint model_outcomes_project_id_prompt_id_fkey
    foreign key (project_id, prompt_id) references prompts (project_id, id) on delete cascade;
alter table runs
  drop constraint runs_project_id_fkey,
  add constraint runs_project_id_fkey foreign key (project_id) references projects (id) on delete cascade,
  drop constraint runs_project_id_prompt_id_fkey,
  add constraint runs_project_id_prompt_id_fkey
    foreign key (project_id, prompt_id) references prompts (project_id, id) on delete cascade,
  -- When a run that waits for its provider makes calls again.
  add column resumes_at timestamptz(3);

create function erase_older_calls() returns trigger language plpgsql as $$
begin
  update run_calls as call set base = null, response = null, input_hash = null, flags = null
  from removed where call.project_id = removed.project_id and call.product_id = removed.id;
  return null;
end
$$;

create trigger erase_older_calls after delete on products
  referencing old table as removed for each statement
  when (not records_events(array[0, 4, 0])) execute function erase_older_calls();
