-- oldest release: 0.3.0
-- During a rolling upgrade an older release writes next to this one. Products and stock have triggers on their history; of every other
-- kind the program records the event itself, in the shape that the API shows. Releases that do not record a kind yet are recorded for
-- here. A kind that is added later gets such triggers in its own migration, with the release that records it first.

-- A session says which release it belongs to; one that says nothing is of a release before 0.4.0, or of none.
create function records_events(first_release integer[]) returns boolean language sql stable
as $$
  select coalesce(
    string_to_array(substring(current_setting('catalog.release', true) from '^[0-9]+(?:\.[0-9]+)*'), '.')::integer[] >= first_release,
    false)
$$;

create function event_time(moment timestamptz) returns text language sql stable
  return to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

-- Large fields are left out, as the program leaves them out (src/events/fit-details.ts).
create function fit_event_side(side jsonb, left_out text[]) returns jsonb language sql immutable
  return case when side is not null then (side - left_out) || jsonb_build_object('left_out', to_jsonb(left_out)) end;

create function fit_event_details(before jsonb, after jsonb) returns jsonb language plpgsql immutable as $$
declare
  large text[];
begin
  if coalesce(octet_length(before::text), 0) + coalesce(octet_length(after::text), 0) > 20000 then
    large := array(select distinct key from (select * from jsonb_each(before) union all select * from jsonb_each(after)) as field
                   where octet_length(value::text) > 1000 order by key);
    before := fit_event_side(before, large);
    after := fit_event_side(after, large);
  end if;
  return jsonb_build_object('before', before, 'after', after);
end
$$;

-- Who made the change is known only where the row names them.
create function record_older_event(
  project bigint, type text, actor text, object_id bigint, version bigint, before jsonb, after jsonb
) returns void language sql as $$
  insert into event_outbox (project_id, type, actor, source, object_ids, versions, details)
  values (project, type, coalesce(actor, 'older release'), 'service', array[object_id],
          array[version], array[fit_event_details(before, after)])
$$;

create function category_event_side(category categories) returns jsonb language sql stable
  return jsonb_build_object('id', category.id, 'name', category.name, 'project', category.project_id,
    'created_at', event_time(category.created_at), 'updated_at', event_time(category.updated_at),
    'parent', category.parent_id, 'position', category.position,
    'path', coalesce(category_path(category.project_id, category.parent_id), '{}') || category.name);

create function record_category_event() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform record_older_event(new.project_id, 'category.created', null, new.id, null, null, category_event_side(new));
  elsif tg_op = 'UPDATE' then
    perform record_older_event(new.project_id, 'category.updated', null, new.id, null, category_event_side(old), category_event_side(new));
  elsif old.project_id::text is distinct from current_setting('catalog.deleted_project', true) then
    perform record_older_event(old.project_id, 'category.deleted', null, old.id, null, category_event_side(old), null);
  end if;
  return null;
end
$$;

create trigger record_older_created after insert on categories
  for each row when (not records_events(array[0, 4, 0])) execute function record_category_event();
-- A merge gives the category that it is about to delete another name, and leaves its time.
create trigger record_older_updated after update on categories
  for each row when (old.updated_at is distinct from new.updated_at and not records_events(array[0, 4, 0]))
  execute function record_category_event();
create trigger record_older_deleted after delete on categories
  for each row when (not records_events(array[0, 4, 0])) execute function record_category_event();

create function prompt_event_side(prompt prompts) returns jsonb language sql stable
  return jsonb_build_object('id', prompt.id, 'project', prompt.project_id, 'name', prompt.name, 'description', prompt.description,
    'created_at', event_time(prompt.created_at), 'updated_at', event_time(prompt.updated_at),
    'labels', coalesce((
      select jsonb_object_agg(label, concat_ws('.', major, minor, patch)) from prompt_labels
      where project_id = prompt.project_id and prompt_id = prompt.id), '{}'))
    || coalesce((
      select jsonb_build_object('latest_version', concat_ws('.', major, minor, patch), 'variables', to_jsonb(variables))
      from prompt_versions where project_id = prompt.project_id and prompt_id = prompt.id
      order by major desc, minor desc, patch desc limit 1), '{}');

create function record_prompt_event() returns trigger language plpgsql as $$
begin
  perform record_older_event(new.project_id, 'prompt.updated', null, new.id, null, prompt_event_side(old), prompt_event_side(new));
  return null;
end
$$;
create trigger record_older_updated after update on prompts
  for each row when ((old.name, old.description) is distinct from (new.name, new.description) and not records_events(array[0, 4, 0]))
  execute function record_prompt_event();

-- A prompt is complete once it has its first version.
create function record_prompt_version_event() returns trigger language plpgsql as $$
begin
  if not exists (
    select from prompt_versions where project_id = new.project_id and prompt_id = new.prompt_id
      and (major, minor, patch) <> (new.major, new.minor, new.patch)
  ) then
    perform record_older_event(new.project_id, 'prompt.created', new.actor, new.prompt_id, null, null, prompt_event_side(prompt))
    from prompts as prompt where project_id = new.project_id and id = new.prompt_id;
  else
    perform record_older_event(new.project_id, 'prompt.version_created', new.actor, new.prompt_id, null, null, jsonb_build_object(
      'version_number', concat_ws('.', new.major, new.minor, new.patch), 'prompt_text', new.prompt_text, 'message', new.message,
      'variables', to_jsonb(new.variables), 'actor', new.actor, 'created_at', event_time(new.created_at)));
  end if;
  return null;
end
$$;
create trigger record_older_created after insert on prompt_versions
  for each row when (not records_events(array[0, 4, 0])) execute function record_prompt_version_event();

create function label_event_side(label text, version text, moment timestamptz) returns jsonb language sql stable
  return case when version is not null then jsonb_build_object('label', label, 'version_number', version, 'updated_at', event_time(moment)) end;

create function record_label_event() returns trigger language plpgsql as $$
declare
  moved_before timestamptz := (
    select moved_at from prompt_label_moves
    where project_id = new.project_id and prompt_id = new.prompt_id and label = new.label and id < new.id order by id desc limit 1);
begin
  perform record_older_event(new.project_id, 'prompt.label_moved', new.actor, new.prompt_id, null,
    label_event_side(new.label, new.from_version, moved_before), label_event_side(new.label, new.to_version, new.moved_at));
  return null;
end
$$;
create trigger record_older_moved after insert on prompt_label_moves
  for each row when (not records_events(array[0, 4, 0])) execute function record_label_event();

create function rules_event_side(version integer, rules jsonb) returns jsonb language sql immutable
  -- The rules of the service itself are not in the database.
  return jsonb_build_object('ruleset', version) || case when rules is null then '{"left_out": ["rules"]}' else jsonb_build_object('rules', rules) end;

create function record_ruleset_events() returns trigger language plpgsql as $$
declare
  held rulesets;
begin
  select * into held from rulesets where project_id = new.project_id and version = new.version - 1;
  perform record_older_event(new.project_id, 'attribute.' || change, null, 0, new.version, before, after)
  from (
    select case when after is null then 'deleted' when before is null then 'created' else 'updated' end as change, before, after
    from (select value as before from jsonb_array_elements(held.definitions)) as one
    full join (select value as after from jsonb_array_elements(new.definitions)) as other on before ->> 'name' = after ->> 'name'
    where before is distinct from after
  ) as changed
  order by change = 'updated', change = 'created', coalesce(after, before) ->> 'name';
  if held.rules is distinct from new.rules then
    perform record_older_event(new.project_id, 'quality_rules.updated', null, 0, new.version,
      rules_event_side(new.version - 1, held.rules), rules_event_side(new.version, new.rules));
  end if;
  return null;
end
$$;
create trigger record_older_created after insert on rulesets
  for each row when (not records_events(array[0, 4, 0])) execute function record_ruleset_events();
