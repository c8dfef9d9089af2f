-- oldest release: 0.3.0
-- Accounts at the company's identity provider.

create table company_accounts (
  user_id      bigint primary key references users (id) on delete cascade,
  issuer       text collate "C" not null,
  -- The identifier of the person at the issuer. Null until the first sign-in of a user whom an operator linked by email.
  subject      text collate "C",
  -- Until then, the first sign-in with the verified email of the user sets the subject.
  linked_until timestamptz(3),
  created_at   timestamptz(3) not null default now(),
  unique (issuer, subject),
  check ((subject is null) = (linked_until is not null))
);
