-- oldest release: 0.1.0
-- What a line would write, ready to be written. It is null in lines of an older release, and once the line is applied.
alter table proposal_lines
  add column patch        jsonb,
  -- The version of the product in which each field is what it was when the line was proposed; null where no version tells.
  add column base_version integer;
