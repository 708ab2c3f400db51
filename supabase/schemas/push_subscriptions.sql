-- Browsers that receive pushes, with the keys for encrypting them.

create table private.push_subscriptions (
  -- Limited in bytes, because the endpoint is part of the key of a job. A longer one would make the transaction fail that notifies
  -- the user and others.
  endpoint text primary key check (octet_length(endpoint) <= 2000 and endpoint ~ '^https://([a-z0-9-]+[.])+[a-z]{2,}/[!-~]*$'),
  p256dh text not null check (p256dh ~ '^[A-Za-z0-9_-]{87}$'),
  auth text not null check (auth ~ '^[A-Za-z0-9_-]{22}$'),
  user_id uuid not null references public.users (id) on delete cascade,
  session_id uuid references auth.sessions (id) on delete cascade,
  time_zone text check (time_zone is null or timestamptz 'epoch' at time zone time_zone is not null),
  updated_at timestamptz not null default now()
);
comment on table private.push_subscriptions is
  'Browsers that receive pushes. Each belongs to the user who registered it last, and is deleted with the session that registered it.';
comment on column private.push_subscriptions.time_zone is 'The browser''s time zone for quiet hours; without it quiet hours do not apply.';
alter table private.push_subscriptions enable row level security;

create index push_subscriptions_user_id on private.push_subscriptions (user_id);
create index push_subscriptions_session_id on private.push_subscriptions (session_id);

create function public.subscribe_to_push(p_subscription jsonb, p_time_zone text default null) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  me uuid := private.require_user();
begin
  insert into private.push_subscriptions (endpoint, p256dh, auth, user_id, session_id, time_zone)
  values (p_subscription ->> 'endpoint', p_subscription #>> '{keys,p256dh}', p_subscription #>> '{keys,auth}', me,
    (auth.jwt() ->> 'session_id')::uuid, p_time_zone)
  on conflict (endpoint) do update set p256dh = excluded.p256dh, auth = excluded.auth, user_id = excluded.user_id,
    session_id = excluded.session_id, time_zone = excluded.time_zone, updated_at = now();
  -- Keeps only the ten browsers that registered last.
  delete from private.push_subscriptions s where s.user_id = me and s.endpoint not in (
    select l.endpoint from private.push_subscriptions l where l.user_id = me order by l.updated_at desc, l.endpoint limit 10);
end
$$;
comment on function public.subscribe_to_push is
  'Registers the caller''s browser for pushes, with values of its PushSubscription: endpoint, keys.p256dh, keys.auth.';

grant execute on function public.subscribe_to_push(jsonb, text) to authenticated;

insert into private.retention (name, statement) values
  ('push subscriptions: half a year after the app was last open in that browser', $$delete from private.push_subscriptions s
    where s.updated_at < now() - interval '180 days'$$);

insert into private.exports (relation, part, statement) values
  ('private.push_subscriptions', 'push_subscriptions', $$select s.updated_at, s.endpoint, to_jsonb(s) - array['user_id', 'auth']
    from private.push_subscriptions s where s.user_id = $1$$);
