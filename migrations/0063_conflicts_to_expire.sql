-- outside a transaction
-- oldest release: 0.3.0
-- Proposals whose lines are in conflict, with none applied, expire like open ones.
create index concurrently if not exists proposals_in_conflict_to_expire on proposals (expires_at)
  where state = 'partly_applied' and applied = 0;
