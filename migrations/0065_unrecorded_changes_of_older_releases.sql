-- oldest release: 0.3.0
-- See 0064_unrecorded_changes.sql. The conditions that are false for almost every write come first.

create trigger mark_older_scores after update on products
  for each row when (
    old.version = new.version
    and (old.quality_computed_at, old.quality_score, old.quality_ruleset)
      is distinct from (new.quality_computed_at, new.quality_score, new.quality_ruleset)
    and not records_events(array[0, 4, 0]))
  execute function mark_older_scores();

create trigger mark_older_deletions after delete on products
  referencing old table as removed for each statement
  when (not records_events(array[0, 4, 0])) execute function mark_older_deletions();
