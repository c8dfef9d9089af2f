-- oldest release: 0.3.0
-- Marks of views: what filters such as missing_in find.

-- Whether the walk also computes marks that depend on a changed view. Until it completes, filters cannot use the marks.
alter table scoring_jobs add column is_marking boolean not null default false;
