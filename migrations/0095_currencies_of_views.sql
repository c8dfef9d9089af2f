-- oldest release: 0.3.0
-- An amount in a view has no currency of its own: while it is written, the currency of the view cannot change.

-- Holds the currencies of views until the transaction ends. Fails if a view has another currency than the writer assumes, or was deleted.
create function hold_view_currencies(project bigint, codes text[], currencies text[]) returns boolean language plpgsql as $$
begin
  -- `viewCurrencies` in src/platform/database/advisory-locks.ts.
  perform pg_advisory_xact_lock_shared(hashtextextended(project::text, 4270033));
  -- A new statement, because the snapshot of the first one is older than the lock.
  if exists (
    select from projects
    join rulesets as ruleset on ruleset.project_id = projects.id and ruleset.version = projects.ruleset
    cross join unnest(codes, currencies) as assumed (code, currency)
    left join lateral jsonb_to_recordset(ruleset.views -> 'definitions') as definition (code text, currency text) using (code)
    where projects.id = project and definition.currency is distinct from assumed.currency
  ) then
    raise exception 'the currency of a view has changed' using errcode = 'VC001';
  end if;
  return true;
end $$;
