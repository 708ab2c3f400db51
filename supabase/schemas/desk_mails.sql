-- Mails of the desk: to moderators about waiting items, and to users about sanctions and decisions.


create function private.notify_desk() returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  member record;
  told integer := 0;
begin
  if private.mail_is_late() then
    perform private.notify('mailsFail', null, r.user_id) from public.user_roles r
    where r.role = 'administrator' and not private.is_limited(r.user_id) and not exists (
      select from public.notifications n
      where n.receiver_id = r.user_id and n.type = 'mailsFail' and n.created_at > now() - interval '1 day');
  end if;
  for member in
    -- The items are read once for all moderators, because there may be thousands of items and dozens of moderators.
    with items as materialized (
      select i.type, i.author, i.since, i.urgent, exists (select from public.user_roles r where r.user_id = i.author) as of_member
      from private.waiting_items() i
    )
    select r.user_id, r.notified_at, waiting.* from public.user_roles r
    cross join lateral (
      select count(*) as items, max(i.since) as newest, max(i.since) filter (where i.urgent) as newest_urgent,
        floor(extract(epoch from now() - min(i.since)) / 3600)::integer as hours
      from items i
      -- Counts only items that this moderator may decide. A higher number would reveal to moderators that they were reported.
      where not i.of_member or private.may_decide(i.type, i.author, r.user_id)
    ) waiting
    -- Does not read the queue if all moderators were notified recently, because many reports may arrive in a short time.
    where r.role > 'town' and not private.is_limited(r.user_id)
      and r.notified_at < now() - least(interval '6 hours', power(2, least(r.mails_unanswered, 9)) * case when exists (
        select from private.lost_dogs l
        where l.queued_at > r.notified_at and not l.by_local and l.approved_at is null and private.is_lost(l))
        then interval '1 minute' else interval '15 minutes' end)
    for update of r skip locked
  loop
    if member.newest_urgent > member.notified_at
      or (member.newest > member.notified_at and member.notified_at < now() - interval '6 hours') then
      update public.user_roles r set notified_at = now(), mails_unanswered = r.mails_unanswered + 1 where r.user_id = member.user_id;
      delete from public.notifications n where n.receiver_id = member.user_id and n.type = 'deskWaiting' and n.seen_at is null;
      perform private.notify('deskWaiting', null, member.user_id, jsonb_build_object('waiting', member.items, 'hours', member.hours));
      perform private.add_job('desk-mail', 'waiting ' || member.user_id, jsonb_build_object('user_id', member.user_id), member.user_id,
        interval '1 day');
      told := told + 1;
    end if;
  end loop;
  return told;
end
$$;
comment on function private.notify_desk is
  'Notifies administrators once a day that mails are delayed, and each moderator of items that arrived since their last notification and '
  'that they may decide: of a card that is not shown yet after a minute, of other urgent ones after 15 minutes, of others after 6 hours. '
  'Until the moderator opens an item, each notification doubles these times, up to 6 hours, because a few accounts could cause one each '
  'time. Runs every 15 minutes, and when something urgent arrives.';

create function private.request_desk_mail() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.add_job('notify-desk', '');
  return null;
end
$$;
create trigger request_desk_mail after insert on private.user_reports for each statement execute function private.request_desk_mail();
create trigger request_desk_mail after insert on private.photo_reports for each statement execute function private.request_desk_mail();
create trigger request_desk_mail after insert or update of queued_at on private.lost_dogs for each statement execute function private.request_desk_mail();
create trigger request_desk_mail after insert on private.lost_dog_reports for each statement execute function private.request_desk_mail();
create trigger request_desk_mail after insert on private.live_reports
  for each row when (new.hazard is not null) execute function private.request_desk_mail();

create function private.desk_mail(p_user_id uuid, p_sanction_id uuid, p_contact text, p_decided_since timestamptz default null)
returns table (email text, language public.language, subject text, lines text[], path text)
language plpgsql stable security definer set search_path = '' as $$
begin
  -- The mail is sent later than it was requested, so its text describes the state at the time of sending.
  if p_decided_since is not null then
    return query
      select a.email::text, u.language, case when count(*) = 1 then min(t.title) else private.messages(u.language) ->> 'decided.several' end,
        array_agg(case when d.many = 1 then t.message else t.title || '. ' || t.message end order by d.created_at, d.id)
          || (private.messages(u.language) ->> 'decided.switch_off'), '/notifications'
      from public.users u join auth.users a on a.id = u.id
      cross join lateral (
        select n.id, n.created_at, n.data, count(*) over () as many from public.notifications n
        where n.receiver_id = u.id and n.type = 'deskDecision' and n.is_ready and n.created_at >= p_decided_since
      ) d
      cross join lateral private.desk_message('deskDecision', u.language, d.data) t
      where u.id = p_user_id and a.email is not null
      group by a.email, u.language;
  elsif p_sanction_id is null then
    return query
      select a.email::text, u.language, t.title, array[t.message], '/desk'
      from public.user_roles r join public.users u on u.id = r.user_id join auth.users a on a.id = u.id
      cross join lateral (
        select jsonb_build_object('waiting', count(*), 'hours',
          floor(extract(epoch from now() - min(i.since)) / 3600)::integer) as data, count(*) as items
        from private.waiting_items(p_member => r.user_id) i
      ) w
      cross join lateral private.desk_message('deskWaiting', u.language, w.data) t
      where r.user_id = p_user_id and r.role > 'town' and w.items > 0 and not private.is_limited(u.id) and a.email is not null;
  else
    return query
      select a.email::text, u.language, t.title,
        array_remove(array[t.message,
          case when p_contact is not null then format(private.messages(u.language) ->> 'sanction.appeal', p_contact) end], null),
        null::text
      from private.sanctions m join public.users u on u.id = m.user_id join auth.users a on a.id = u.id
      cross join lateral private.desk_message('sanction', u.language, to_jsonb(m)) t
      where m.id = p_sanction_id and m.user_id = p_user_id and m.revoked_at is null and a.email is not null;
  end if;
end
$$;
comment on function private.desk_mail is
  'A mail of the desk: waiting items, a sanction with the contact for an appeal, or the decisions since a time; no row if there '
  'is nothing left to report. path is the page that the mail is about.';

create function private.town_mail(p_town_id bigint, p_report_id uuid)
returns table (email text, language public.language, subject text, lines text[], path text)
language sql stable security definer set search_path = '' as $$
  select t.mail, t.mail_language, w.title, array[w.message, private.messages(t.mail_language) ->> 'town.mail'], '/desk'
  from private.live_reports l join public.parks p on p.id = l.park_id
  join private.towns t on t.id = p_town_id and private.is_of_town(t, p) and t.mail_code is null
  cross join lateral private.notification_messages('hazard', t.mail_language, null, private.park_name(p.id, t.mail_language), null, null,
    l.hazard::text) w
  where t.mail is not null and l.id = p_report_id and l.verified_at is not null and l.ended_at is null and l.expires_at > now()
    and exists (select from public.user_roles r where r.town_id = t.id)
$$;
comment on function private.town_mail is
  'The mail to the confirmed email address of a town about a verified hazard; no row if the hazard is over.';

create function private.town_code_mail(p_town_id bigint)
returns table (email text, language public.language, subject text, lines text[], path text)
language plpgsql volatile security definer set search_path = '' as $$
declare
  -- The code is generated at the time of sending, so that it is never stored.
  code text := private.new_code();
begin
  update private.towns t set mail_code = private.role_code_hash(code) where t.id = p_town_id and t.mail_code is not null;
  return query
    select t.mail, t.mail_language, w.said ->> 0,
      array[format(w.said ->> 1, private.isolate_direction(t.name), private.isolate_direction(code))], '/desk'
    from private.towns t cross join lateral (select private.messages(t.mail_language) -> 'town.code' as said) w
    where t.id = p_town_id and t.mail_code = private.role_code_hash(code);
end
$$;
comment on function private.town_code_mail is
  'The mail with a code that confirms a town''s email address; no row if it is confirmed already.';
