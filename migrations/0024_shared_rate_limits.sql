-- What services on one database tell each other of their rate limits. A crash of the server empties these tables, which costs nothing.

create unlogged table rate_limit_processes (
  id      uuid primary key,
  seen_at timestamptz(3) not null
);

create unlogged table rate_limit_buckets (
  project_id bigint primary key,
  full_at    timestamptz(3) not null
);
