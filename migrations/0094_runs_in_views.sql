-- oldest release: 0.3.0
-- Runs that write a view. Null: the run writes the base.

alter table runs add column view text collate "C";
