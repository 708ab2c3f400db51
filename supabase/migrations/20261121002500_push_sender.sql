-- A push says from whom it is: a tap on an approval opens the new friend's page, also where nothing can be asked first.

create or replace function public.claim_push_outbox(p_limit integer default 50, p_lease_seconds integer default 60)
returns table (
  id bigint, attempts integer, token text, platform public.device_platform,
  notification_id uuid, type public.notification_type, title text, body text, data jsonb
)
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- Seen in the app meanwhile, or the device has another user now: nothing to push.
  delete from private.push_outbox o using public.notifications n, public.device_tokens d
  where n.id = o.notification_id and d.device_id = o.device_id and o.due_at <= now()
    and (n.seen_at is not null or d.user_id <> n.receiver_id);
  return query
    with due as (
      select o.id from private.push_outbox o where o.due_at <= now()
      order by o.due_at limit p_limit for update skip locked
    ), leased as (
      update private.push_outbox o set attempts = o.attempts + 1, due_at = now() + make_interval(secs => p_lease_seconds)
      from due where o.id = due.id returning o.*
    )
    select l.id, l.attempts::integer, d.token, d.platform, n.id, n.type, n.title, n.push_message,
      n.data || jsonb_build_object('sender_id', n.sender_id)
    from leased l
    join public.notifications n on n.id = l.notification_id
    join public.device_tokens d on d.device_id = l.device_id
    order by l.id;
end
$$;
