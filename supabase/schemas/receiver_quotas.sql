-- Receiver quotas: the number of notifications of each severity that a user gets in a day, in total and from one sender.

create table private.receiver_quota_uses (
  receiver_id uuid not null references public.users (id) on delete cascade,
  notification_id uuid not null,
  source text not null,
  severity private.notification_severity not null,
  used_at timestamptz not null default now(),
  is_returned boolean not null default false,
  primary key (receiver_id, notification_id)
);
comment on table private.receiver_quota_uses is 'One row per notification that counts against a quota of its receiver.';
comment on column private.receiver_quota_uses.source is
  'A hash of receiver and sender, because it is private who contacted whom. All newcomers share the source ''newcomers'', and anonymous '
  'senders the source ''anonymous''.';
comment on column private.receiver_quota_uses.is_returned is
  'True if the notification was withdrawn. It then counts only against the quota of its sender.';
alter table private.receiver_quota_uses enable row level security;

create index on private.receiver_quota_uses (used_at);

create function private.receiver_quotas()
returns table (severity private.notification_severity, in_all integer, by_one_sender integer, by_shared_source integer, reserved integer)
language sql immutable set search_path = '' as $$
  values
    ('minor'::private.notification_severity, 30, 4, 5, 0),
    ('severe', 40, 4, 10, 1)
$$;
comment on function private.receiver_quotas is
  'How many notifications one receiver gets in a day. Four senders and both shared sources together cannot use up the overall '
  'quota. If more senders do, each source can still send its reserved number, so no group can suppress another sender''s '
  'notification.';

create function private.quota_source(p_receiver uuid, p_sender uuid) returns text
language sql stable security definer set search_path = '' as $$
  select case
    when p_sender is null then 'anonymous'
    when private.is_regular(p_sender) or exists (
      select from private.friendships f
      where f.user_low = least(p_sender, p_receiver) and f.user_high = greatest(p_sender, p_receiver) and f.status = 'accepted')
      then md5(p_receiver || ' ' || p_sender)
    else 'newcomers'
  end
$$;
comment on function private.quota_source is
  'Regulars and friends of the receiver each have their own quota. All other accounts share one, because anybody can create more of '
  'them.';

create function private.use_receiver_quota(
  p_receiver uuid, p_source text, p_severity private.notification_severity, p_notification_id uuid
) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  is_free boolean;
begin
  -- Counting locks this receiver's row, so that concurrent senders are checked one after the other.
  perform private.count_attempt(p_receiver, 'notified', interval '1 day');
  select (count(*) filter (where not u.is_returned) < q.in_all or count(*) filter (where u.source = p_source) < q.reserved)
    and count(*) filter (where u.source = p_source)
      < case when p_source in ('newcomers', 'anonymous') then q.by_shared_source else q.by_one_sender end
  into is_free
  from private.receiver_quotas() q
  left join private.receiver_quota_uses u
    on u.receiver_id = p_receiver and u.severity = q.severity and u.used_at > now() - interval '1 day'
  where q.severity = p_severity
  group by q.in_all, q.by_one_sender, q.by_shared_source, q.reserved;
  if is_free then
    insert into private.receiver_quota_uses (receiver_id, notification_id, source, severity)
    values (p_receiver, p_notification_id, p_source, p_severity);
  end if;
  return is_free;
end
$$;
comment on function private.use_receiver_quota is 'Returns true and counts the notification if it is within the quotas of its receiver.';

create function private.return_receiver_quota() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update private.receiver_quota_uses u set is_returned = true
  where u.receiver_id = old.receiver_id and u.notification_id = old.id
    -- The notification of a visit that ended as planned was useful, so it still counts.
    and not exists (
      select from public.check_ins c where c.id = (old.data ->> 'visit_id')::uuid and c.type = 'visit');
  return null;
end
$$;
create trigger return_receiver_quota after delete on public.notifications
  for each row execute function private.return_receiver_quota();

insert into private.retention (name, run_order, statement) values
  ('uses of receiver quotas: two days', 50, $$delete from private.receiver_quota_uses u where u.used_at < now() - interval '2 days'$$);

insert into private.exports (relation, left_out) values
  ('private.receiver_quota_uses', 'says only which of the exported notifications count against a daily quota');
