-- The counters of rate limits in the shape that rate-limiter-flexible counts in (docs/decisions/025-rate-limits-and-semaphores.md). What was
-- counted before is forgotten: it would have run out within minutes.

drop table auth.rate_limits;
create unlogged table auth.rate_limits (
  key text primary key,
  points integer not null,
  expire bigint
);
alter table auth.rate_limits enable row level security;
comment on table auth.rate_limits is 'Counters shared by all host processes. Keys are hashed, so no address or email is kept.';
comment on column auth.rate_limits.points is 'How often it was done since the counter began.';
comment on column auth.rate_limits.expire is 'When it begins anew, in milliseconds since 1970.';
