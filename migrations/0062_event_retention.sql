-- oldest release: 0.3.0
-- Events that retention deleted before a webhook received them: all that were changed before this time.
alter table webhooks add column skipped_before timestamptz(3);
