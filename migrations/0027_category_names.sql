-- oldest release: 0.2.0
-- Two branches may use one name. The release before looks categories up by this constraint, and cannot make new ones without it.
alter table categories drop constraint categories_project_id_name_key;
