-- outside a transaction
-- oldest release: 0.3.0
-- The content of version 1 is told by the product as it is and by its later changes. What is recorded of older products stays.

alter table product_history
  drop constraint if exists product_history_after,
  add constraint product_history_after check (after is not null or version = 1) not valid,
  alter column after drop not null;

-- It reads the whole table, and stops no writer meanwhile.
alter table product_history validate constraint product_history_after;
