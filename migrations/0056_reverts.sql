-- outside a transaction
-- oldest release: 0.3.0
-- The reverts of a proposal, which every read of it looks for.

create index concurrently if not exists proposals_by_reverted on proposals (project_id, reverts_id)
  where reverts_id is not null;
