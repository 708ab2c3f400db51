-- Calendar feeds: meetings by a secret address.

-- park_invites.sql
alter table public.park_invites add column changed_at timestamptz not null default now();
comment on column public.park_invites.changed_at is 'When it was answered, or answered anew; before, when it was made.';
update public.park_invites set changed_at = created_at;

create function private.meetings_of(p_user_id uuid)
returns table (park_id bigint, meet_at timestamptz, host_id uuid, invite_id uuid, status public.invite_status, changed_at timestamptz)
language sql stable security definer set search_path = '' rows 10
as $$
  select i.park_id, i.meet_at, i.sender_id,
    (array_agg(i.id) filter (where i.receiver_id = p_user_id))[1],
    (array_agg(i.status) filter (where i.receiver_id = p_user_id))[1],
    -- Of a meeting of one's own nothing changes when others answer.
    coalesce(max(i.changed_at) filter (where i.receiver_id = p_user_id), min(i.created_at))
  from public.park_invites i
  where (i.sender_id = p_user_id or i.receiver_id = p_user_id) and private.is_meeting_open(i.meet_at)
  group by i.park_id, i.meet_at, i.sender_id
  order by i.meet_at, i.park_id, i.sender_id
  limit 100
$$;
comment on function private.meetings_of is 'Meetings to come that somebody hosts (without invite_id and status) or is invited to, soonest first, at most 100.';

create or replace function public.respond_to_invite(p_invite_id uuid, p_accept boolean) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_user();
  answer public.invite_status := case when p_accept then 'accepted'::public.invite_status else 'declined' end;
  invite public.park_invites;
begin
  select * into invite from public.park_invites i where i.id = p_invite_id and i.receiver_id = me for update;
  if invite.id is null then
    perform private.fail('invite_not_found', 'This invite is gone.');
  elsif invite.status <> answer then
    if not private.is_meeting_open(invite.meet_at) then
      perform private.fail('invite_expired', 'The time of this invite has passed.');
    end if;
    -- Each change of mind is told to whoever invited.
    perform private.limit_pair(me, invite.sender_id, 'respond_to_invite', 20, '1 day');
    update public.park_invites i set status = answer, changed_at = now() where i.id = p_invite_id;
  end if;
  return answer;
end
$$;
comment on function public.respond_to_invite is 'The status afterwards; an answer may be changed until the meeting is over.';

create or replace function public.my_meetings() returns table (
  park_id bigint, park_name text, meet_at timestamptz, host_id uuid, host_name text, invite_id uuid, status public.invite_status,
  guests jsonb, more_coming integer
)
language sql stable security definer set search_path = ''
as $$
  -- Asked once: these functions would otherwise run for each guest of each meeting.
  with me as materialized (
    select private.uid() as id, private.my_language() as language
  )
  select m.park_id, private.park_name(m.park_id, me.language), m.meet_at, m.host_id, h.name, m.invite_id, m.status,
    coalesce(g.guests, '[]'), coalesce(g.more_coming, 0)::integer
  from me cross join lateral private.meetings_of(me.id) m
  join public.users h on h.id = m.host_id
  -- Who comes is presence to be: of people who hide or are no friends of the caller, a guest learns only how many.
  left join lateral (
    select
      jsonb_agg(jsonb_build_object('id', u.id, 'name', u.name, 'picture', u.picture, 'status', i.status) order by i.status = 'accepted' desc, i.status, u.name, u.id)
        filter (where m.host_id = me.id or (i.status = 'accepted' and not u.hidden and u.id in (select private.friend_ids()))) as guests,
      count(*) filter (where m.host_id <> me.id and i.status = 'accepted'
        and (u.hidden or u.id not in (select private.friend_ids())) and u.id not in (select private.blocked_ids())) as more_coming
    from public.park_invites i join public.users u on u.id = i.receiver_id
    where i.sender_id = m.host_id and i.park_id = m.park_id and i.meet_at = m.meet_at and u.id <> me.id
  ) g on true
  order by m.meet_at, m.park_id, m.host_id
$$;
comment on function public.my_meetings is 'The caller''s meetings (private.meetings_of) with who comes; guests: [{id, name, picture, status}].';

-- calendar_feeds.sql
create table private.calendar_feeds (
  user_id uuid primary key references public.users (id) on delete cascade,
  secret_hash bytea not null unique,
  event_salt uuid not null default gen_random_uuid(),
  created_at timestamptz not null default now()
);
comment on table private.calendar_feeds is 'Whose meetings a calendar program may read. Of the secret in the address only the SHA-256 is stored: whoever reads the database cannot open it.';
comment on column private.calendar_feeds.event_salt is 'Goes into the ids of the events, so that a file that leaks does not tell who invited; a new address keeps it, so that events keep their ids.';
alter table private.calendar_feeds enable row level security;

create table private.cancelled_meetings (
  user_id uuid not null references private.calendar_feeds (user_id) on delete cascade,
  event_id uuid not null,
  park_id bigint not null references public.parks (id) on delete cascade,
  meet_at timestamptz not null,
  cancelled_at timestamptz not null default now(),
  primary key (user_id, event_id)
);
comment on table private.cancelled_meetings is 'Meetings that are off, until their time has passed: calendar programs strike out what they are told is cancelled, and some keep what only vanishes.';
alter table private.cancelled_meetings enable row level security;

create index on private.cancelled_meetings (park_id);

create function private.calendar_event_id(p_salt uuid, p_host_id uuid, p_park_id bigint, p_meet_at timestamptz) returns uuid
language sql immutable set search_path = ''
as $$
  select md5(concat_ws(' ', p_salt, p_host_id, p_park_id, extract(epoch from p_meet_at)))::uuid
$$;
comment on function private.calendar_event_id is 'The id of a meeting in one person''s calendar.';

create function private.remember_cancelled_meeting() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.cancelled_meetings as c (user_id, event_id, park_id, meet_at)
  select f.user_id, private.calendar_event_id(f.event_salt, old.sender_id, old.park_id, old.meet_at), old.park_id, old.meet_at
  from private.calendar_feeds f
  -- A park that is deleted takes its invites along.
  where f.user_id in (old.sender_id, old.receiver_id) and exists (select from public.parks p where p.id = old.park_id)
  on conflict (user_id, event_id) do update set cancelled_at = excluded.cancelled_at;
  return null;
end
$$;
create trigger remember_cancelled_meeting after delete on public.park_invites
  for each row when (private.is_meeting_open(old.meet_at)) execute function private.remember_cancelled_meeting();

create function public.my_calendar_feed() returns timestamptz
language sql stable security definer set search_path = ''
as $$
  select f.created_at from private.calendar_feeds f where f.user_id = private.uid()
$$;
comment on function public.my_calendar_feed is 'Since when the caller''s address for calendar programs opens their meetings; null where there is none.';

create function public.make_calendar_feed() returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := private.require_user();
  secret text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
begin
  perform private.limit_rate('make_calendar_feed', 10, '1 day');
  insert into private.calendar_feeds as f (user_id, secret_hash) values (me, sha256(convert_to(secret, 'utf8')))
  on conflict (user_id) do update set secret_hash = excluded.secret_hash, created_at = excluded.created_at;
  return secret;
end
$$;
comment on function public.make_calendar_feed is 'The secret of a new address of the caller''s meetings, 64 hexadecimal digits, told this once; the earlier address opens nothing any more.';

create function public.end_calendar_feed() returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := private.require_user();
begin
  delete from private.calendar_feeds f where f.user_id = me;
  return found;
end
$$;
comment on function public.end_calendar_feed is 'From now on the caller''s address opens nothing; false where there was none.';

create function public.calendar_of(p_secret_hash bytea) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('language', u.language, 'events', (
    select coalesce(jsonb_agg(jsonb_build_object('id', e.id, 'park', private.park_summary(e.park_id, u.language), 'meet_at', e.meet_at,
      'answer', e.answer, 'changed_at', e.changed_at) order by e.meet_at, e.id), '[]')
    from (
      -- Whoever was invited anew is no longer uninvited.
      select distinct on (x.id) x.* from (
        select private.calendar_event_id(f.event_salt, m.host_id, m.park_id, m.meet_at) as id, m.park_id, m.meet_at,
          coalesce(m.status::text, 'host') as answer, m.changed_at
        from private.meetings_of(f.user_id) m
        union all
        select c.event_id, c.park_id, c.meet_at, 'cancelled', c.cancelled_at
        from private.cancelled_meetings c where c.user_id = f.user_id and private.is_meeting_open(c.meet_at)
      ) x order by x.id, x.answer = 'cancelled'
    ) e))
  from private.calendar_feeds f join public.users u on u.id = f.user_id join auth.users a on a.id = f.user_id
  where f.secret_hash = p_secret_hash and (a.banned_until is null or a.banned_until <= now())
$$;
comment on function public.calendar_of is 'What the address with this secret (its SHA-256) tells: {language, events: [{id, park, meet_at, answer, changed_at}]}, answer being host, pending, accepted, declined or cancelled; null where it opens nothing. Nobody''s name is in it.';

grant execute on function
  public.my_calendar_feed(),
  public.make_calendar_feed(),
  public.end_calendar_feed()
to authenticated;

grant execute on function public.calendar_of(bytea) to service_role;

-- account.sql
create or replace function public.export_user_data(p_user_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'exported_at', now(),
    'user', to_jsonb(u),
    'account', (
      select private.pick(to_jsonb(a), 'email', 'email_change', 'email_confirmed_at', 'phone', 'phone_confirmed_at', 'created_at', 'updated_at',
        'last_sign_in_at', 'invited_at', 'banned_until', 'raw_user_meta_data', 'raw_app_meta_data')
      from auth.users a where a.id = u.id),
    'identities', (
      select coalesce(jsonb_agg(private.pick(to_jsonb(i), 'provider', 'provider_id', 'identity_data', 'email', 'created_at', 'updated_at', 'last_sign_in_at')
        order by i.created_at), '[]')
      from auth.identities i where i.user_id = u.id),
    'sessions', (
      select coalesce(jsonb_agg(private.pick(to_jsonb(s), 'created_at', 'updated_at', 'refreshed_at', 'not_after', 'aal', 'amr', 'user_agent', 'ip')
        order by s.created_at), '[]')
      from auth.sessions s where s.user_id = u.id),
    'second_factors', (
      select coalesce(jsonb_agg(private.pick(to_jsonb(m), 'friendly_name', 'factor_type', 'status', 'phone', 'created_at', 'updated_at', 'last_challenged_at')
        order by m.created_at), '[]')
      from auth.mfa_factors m where m.user_id = u.id),
    'consents', (select to_jsonb(c) - 'user_id' from private.user_consents c where c.user_id = u.id),
    'dogs', (select coalesce(jsonb_agg(to_jsonb(d) - 'owner' order by d.created_at), '[]') from public.dogs d where d.owner = u.id),
    'friends', (
      select coalesce(jsonb_agg(jsonb_build_object('name', o.name, 'status', case f.status when 'declined' then 'pending' else f.status::text end,
        'requested_by_me', f.requester = u.id, 'since', coalesce(f.accepted_at, f.created_at)) order by f.created_at), '[]')
      from private.friendships f join public.users o on o.id = case when f.user_low = u.id then f.user_high else f.user_low end
      where u.id in (f.user_low, f.user_high) and (f.status <> 'declined' or f.requester = u.id) and (f.status = 'accepted' or f.requester <> u.id or not o.hidden)),
    'declined_requests', (
      select coalesce(jsonb_agg(jsonb_build_object('name', o.name, 'declined_at', d.declined_at) order by d.declined_at), '[]')
      from private.declined_requests d join public.users o on o.id = d.requester where d.receiver = u.id),
    'invites', (
      select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(i.park_id, u.language), 'meet_at', i.meet_at, 'status', i.status,
        'sent_by_me', i.sender_id = u.id, 'name', o.name, 'created_at', i.created_at, 'changed_at', i.changed_at) order by i.created_at), '[]')
      from public.park_invites i join public.users o on o.id = case when i.sender_id = u.id then i.receiver_id else i.sender_id end
      where u.id in (i.sender_id, i.receiver_id)),
    'calendar_feed', (
      select jsonb_build_object('created_at', c.created_at, 'cancelled_meetings', (
        select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(m.park_id, u.language), 'meet_at', m.meet_at, 'cancelled_at', m.cancelled_at)
          order by m.meet_at), '[]')
        from private.cancelled_meetings m where m.user_id = u.id))
      from private.calendar_feeds c where c.user_id = u.id),
    'blocked', (
      select coalesce(jsonb_agg(jsonb_build_object('name', o.name, 'since', b.created_at) order by b.created_at), '[]')
      from private.listed_blocks(u.id) b join public.users o on o.id = b.blocked),
    'check_ins', (
      select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(c.park_id, u.language), 'dog_count', c.dog_count,
        'dogs', (select coalesce(jsonb_agg(d.name order by d.name), '[]')
          from public.check_in_dogs x join public.dogs d on d.id = x.dog_id where x.check_in_id = c.id),
        'started_at', c.started_at, 'expires_at', c.expires_at, 'ended_at', c.ended_at, 'planned', c.planned, 'counted', c.counted, 'asked_fact', c.asked_fact, 'question_answered', c.question_answered) order by c.started_at), '[]')
      from public.check_ins c where c.user_id = u.id),
    'reviews', (
      select coalesce(jsonb_agg(to_jsonb(r) - 'author' || jsonb_build_object('park', private.park_name(r.park_id, u.language)) order by r.created_at), '[]')
      from public.reviews r where r.author = u.id),
    'replaced_reviews', (
      select coalesce(jsonb_agg(to_jsonb(r) - 'author' || jsonb_build_object('park', private.park_name(r.park_id, u.language)) order by r.created_at), '[]')
      from private.replaced_reviews r where r.author = u.id),
    'hidden_reviews', (
      select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(h.park_id, u.language), 'hidden_at', h.hidden_at) order by h.hidden_at), '[]')
      from private.hidden_reviews h where h.author = u.id),
    -- Without the review's id, by which an anonymous one could be recognised.
    'reported_reviews', (
      select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(r.park_id, u.language), 'reason', x.reason,
        'created_at', x.created_at, 'resolved_at', x.resolved_at) order by x.created_at), '[]')
      from private.review_reports x join public.reviews r on r.id = x.review_id where x.reporter = u.id),
    'reported_photos', (
      select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(f.park_id, u.language), 'reason', x.reason,
        'created_at', x.created_at, 'resolved_at', x.resolved_at) order by x.created_at), '[]')
      from private.photo_reports x join public.park_photos f on f.path = x.path where x.reporter = u.id),
    -- Without the name, which somebody who hides by now may have changed.
    'reported_people', (
      select coalesce(jsonb_agg(jsonb_build_object('reason', x.reason, 'note', x.note, 'created_at', x.created_at, 'resolved_at', x.resolved_at)
        order by x.created_at), '[]')
      from private.user_reports x where x.reporter = u.id),
    'live_report_votes', (
      select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(l.park_id, u.language), 'condition', l.condition, 'hazard', l.hazard, 'vote', x.vote,
        'voted_at', x.voted_at, 'standing', x.standing) order by x.voted_at), '[]')
      from private.live_report_votes x join private.live_reports l on l.id = x.report_id where x.user_id = u.id),
    'live_reports', (
      select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(l.park_id, u.language), 'condition', l.condition, 'hazard', l.hazard, 'reported_at', l.reported_at, 'standing', l.standing) order by l.reported_at), '[]')
      from private.live_reports l where l.reporter = u.id),
    'fact_answers', (
      select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(a.park_id, u.language), 'fact', a.fact, 'value', a.value,
        'answered_at', a.answered_at, 'standing', a.standing) order by a.answered_at), '[]')
      from private.fact_answers a where a.user_id = u.id),
    'favourite_parks', (
      select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(f.park_id, u.language), 'since', f.created_at) order by f.created_at), '[]')
      from public.favourite_parks f where f.user_id = u.id),
    'submitted_parks', (
      select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(p.id, u.language), 'status', p.status, 'created_at', p.created_at) order by p.id), '[]')
      from private.park_submitters s join public.parks p on p.id = s.park_id where s.user_id = u.id),
    'unlicensed_contributions', (
      select coalesce(jsonb_agg(jsonb_build_object('park', private.park_name(x.park_id, u.language), 'field', x.field) order by x.park_id, x.field), '[]')
      from private.unlicensed_contributions x where x.user_id = u.id),
    'suggestions', (select coalesce(jsonb_agg(to_jsonb(s) - 'user_id' order by s.created_at), '[]') from public.park_suggestions s where s.user_id = u.id),
    'notifications', (select coalesce(jsonb_agg(to_jsonb(n) - 'receiver_id' - 'sender_id' order by n.created_at), '[]') from public.notifications n where n.receiver_id = u.id and n.is_ready),
    'measures', (
      select coalesce(jsonb_agg(to_jsonb(m) - 'id' - 'user_id' - 'shown' order by m.taken_at), '[]') from private.measures m where m.user_id = u.id),
    'decisions', (
      select coalesce(jsonb_agg(private.pick(to_jsonb(d), 'kind', 'decision', 'reason', 'decided_at', 'undone_at') order by d.decided_at), '[]')
      from private.desk_decisions d where d.subject = u.id),
    'role', (select to_jsonb(r) - 'user_id' from public.user_roles r where r.user_id = u.id),
    'notification_preferences', (select to_jsonb(p) - 'user_id' from public.notifications_preferences p where p.user_id = u.id),
    'devices', (select coalesce(jsonb_agg(jsonb_build_object('platform', d.platform, 'updated_at', d.updated_at)), '[]') from public.device_tokens d where d.user_id = u.id),
    'rate_limits', (
      select coalesce(jsonb_agg(jsonb_build_object('operation', regexp_replace(r.operation, ' to .*', ' to one person'), 'count', r.count, 'since', r.window_start) order by r.operation), '[]')
      from private.rate_limits r where r.user_id = u.id),
    'recent_commands', (
      select coalesce(jsonb_agg(jsonb_build_object('operation', k.operation, 'created_at', k.created_at) order by k.created_at), '[]')
      from private.idempotency_keys k where k.user_id = u.id),
    'files', (
      select coalesce(jsonb_agg(jsonb_build_object('bucket', o.bucket_id, 'name', o.name) order by o.name), '[]')
      from storage.objects o
      where (o.bucket_id = 'users' and o.name >= u.id || '/' and o.name < u.id || '0')
        or (o.bucket_id in ('parks', 'pending-photos') and o.name in (select x.path from private.photo_uploaders x where x.user_id = u.id)))
  )
  from public.users u where u.id = p_user_id
$$;
comment on function public.export_user_data is 'Everything stored about a user, as one object; files lists what is in storage. What it leaves out, and why, is in supabase/tests/account.test.ts.';

-- retention.sql
create or replace function private.reduce_history() returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- Before the others are ended, so that the index of open visits finds them.
  delete from public.check_ins c where c.planned and c.ended_at is null and c.expires_at < now();
  -- A visit is counted into busy_hours when it ends; those that nobody ended are ended here.
  update public.check_ins c set ended_at = c.expires_at where c.ended_at is null and c.expires_at < now();
  delete from public.check_ins c where c.started_at < now() - interval '90 days' and c.ended_at is not null;
  perform private.renew_review_standings();
  delete from private.busy_hours b where b.day < current_date - 180;
  delete from private.live_reports r where r.expires_at < now() - interval '90 days';
  delete from private.fact_answers a where a.answered_at < now() - interval '90 days';
  delete from public.park_invites i where i.meet_at < now() - interval '90 days';
  delete from private.cancelled_meetings c where not private.is_meeting_open(c.meet_at);
  delete from public.reviews r where r.remove_at < now();
  delete from public.dogs d where d.deleted_at < now() - interval '90 days';
  delete from public.notifications n where n.created_at < now() - interval '1 year';
  -- Of what was decided: the copies for undoing, the files of rejected photos, and then the decision itself.
  delete from private.desk_changes c using private.desk_decisions d where d.id = c.decision_id and d.decided_at < now() - interval '30 days';
  perform private.move_photo(f.path, null) from public.park_photos f
  where f.status = 'rejected' and not exists (
    select from private.desk_decisions d
    where d.decided_at > now() - interval '30 days' and ((d.kind in ('photo', 'photo_report') and d.item_id = f.path)
      or (d.kind = 'hazard' and d.item_id in (select h.report_id::text from private.hazard_photos h where h.path = f.path))));
  delete from private.desk_decisions d where d.decided_at < now() - interval '1 year';
  delete from private.desk_claims c where c.expires_at < now();
  -- Dead letters, and jobs that nobody runs here, such as pushes where none can be sent.
  delete from private.jobs j where j.failed_at < now() - interval '30 days' or (j.failed_at is null and j.expires_at < now() - interval '1 day');
  delete from private.idempotency_keys k where k.created_at < now() - interval '30 days';
  -- No device repeats what it sent a thousand commands ago; a program that sends keys without end fills no disk.
  delete from private.idempotency_keys k using (
    select n.user_id, n.key, row_number() over (partition by n.user_id order by n.created_at desc, n.key) as place from private.idempotency_keys n
    where n.user_id in (select m.user_id from private.idempotency_keys m group by m.user_id having count(*) > 1000)
  ) ranked
  where ranked.user_id = k.user_id and ranked.key = k.key and ranked.place > 1000;
  delete from private.declined_requests d where d.declined_at < now() - interval '30 days';
  delete from private.rate_limits r where r.window_start < now() - interval '2 days';
end
$$;
comment on function private.reduce_history is 'Run daily (the host does; on Supabase pg_cron): after 90 days only anonymous hourly counts are left of a visit.';
