-- The end of an account, and the copy that a user may take along.

-- Tables ---------------------------------------------------------------------------------------------------------

create table private.user_deletions (
  user_id uuid primary key,
  started_at timestamptz not null default now(),
  objects jsonb not null default '[]'
);
comment on table private.user_deletions is
  'Deletions under way and the files still to remove; a row stays until all are gone, so that a deletion is finished after a crash.';
alter table private.user_deletions enable row level security;

-- Functions ------------------------------------------------------------------------------------------------------

create function private.files_of(p_user_id uuid) returns table (bucket text, name text)
language sql stable
as $$
  -- Two searches by name: with "or" between them every file of everybody would be looked at.
  select o.bucket_id, o.name from storage.objects o
  where o.bucket_id = 'users' and o.name >= p_user_id || '/' and o.name < p_user_id || '0'
  union all
  select o.bucket_id, o.name from private.photo_uploaders u
  join storage.objects o on o.bucket_id in ('parks', 'pending-photos') and o.name = u.path
  where u.user_id = p_user_id
$$;
comment on function private.files_of is 'What somebody has in storage.';

-- RPCs -----------------------------------------------------------------------------------------------------------

create function public.delete_user_data(p_user_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  found_objects jsonb;
  left_over jsonb;
begin
  select coalesce(jsonb_agg(to_jsonb(f)), '[]') into found_objects from private.files_of(p_user_id) f;
  insert into private.user_deletions as d (user_id, objects) values (p_user_id, found_objects)
  on conflict (user_id) do update set objects = (
    select coalesce(jsonb_agg(distinct o), '[]') from jsonb_array_elements(d.objects || excluded.objects) o)
  returning d.objects into left_over;
  -- Approved parks belong to everybody, also those that are no more; pending and rejected ones are deleted.
  delete from public.parks p using private.park_submitters s
  where s.park_id = p.id and s.user_id = p_user_id and p.status <> 'approved'
    and not exists (select from public.former_parks f where f.park_id = p.id);
  delete from public.park_photos f using private.photo_uploaders u where u.path = f.path and u.user_id = p_user_id;
  delete from public.users u where u.id = p_user_id;
  delete from private.idempotency_keys k where k.user_id = p_user_id;
  delete from private.rate_limits r where r.user_id = p_user_id;
  return left_over;
end
$$;
comment on function public.delete_user_data is
  'Deletes all rows of a user and returns which files are to be removed: [{bucket, name}]. Safe to call again; then finish_user_deletion.';

create function public.finish_user_deletion(p_user_id uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  delete from private.user_deletions d where d.user_id = p_user_id
$$;

create function public.unfinished_user_deletions() returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select d.user_id from private.user_deletions d order by d.started_at
$$;

create function private.export_lists() returns text[]
language sql immutable set search_path = ''
as $$
  select array[
    'identities', 'sessions', 'second_factors', 'dogs', 'friends', 'declined_requests', 'invites',
    'blocked', 'check_ins', 'reviews', 'replaced_reviews', 'hidden_reviews', 'reported_reviews', 'reported_photos',
    'reported_people', 'live_report_votes', 'live_reports', 'fact_answers', 'favourite_parks', 'submitted_parks',
      'unlicensed_contributions',
    'suggestions', 'notifications', 'measures', 'decisions', 'devices', 'rate_limits', 'recent_commands',
    'files']
$$;
comment on function private.export_lists is 'The lists of an export, in their order.';

create function private.export_rows(
  p_user_id uuid, p_language public.language, p_list text, p_at timestamptz default '-infinity', p_id text default '',
    p_most integer default null
) returns table (at timestamptz, id text, item jsonb)
language plpgsql stable set search_path = '' set plan_cache_mode = 'force_generic_plan'
as $$
begin
  case p_list
  when 'identities' then return query
    select coalesce(i.created_at, 'epoch'), i.id::text, private.pick(to_jsonb(i), 'provider', 'provider_id', 'identity_data', 'email',
      'created_at', 'updated_at', 'last_sign_in_at')
    from auth.identities i where i.user_id = p_user_id
      and (coalesce(i.created_at, 'epoch'), i.id::text) > (p_at, p_id) order by 1, 2 limit p_most;
  when 'sessions' then return query
    select coalesce(s.created_at, 'epoch'), s.id::text, private.pick(to_jsonb(s), 'created_at', 'updated_at', 'refreshed_at',
      'not_after', 'aal', 'amr', 'user_agent', 'ip')
    from auth.sessions s where s.user_id = p_user_id
      and (coalesce(s.created_at, 'epoch'), s.id::text) > (p_at, p_id) order by 1, 2 limit p_most;
  when 'second_factors' then return query
    select m.created_at, m.id::text, private.pick(to_jsonb(m), 'friendly_name', 'factor_type', 'status', 'phone', 'created_at',
      'updated_at', 'last_challenged_at')
    from auth.mfa_factors m where m.user_id = p_user_id
      and (m.created_at, m.id::text) > (p_at, p_id) order by 1, 2 limit p_most;
  when 'dogs' then return query
    select d.created_at, d.id::text, to_jsonb(d) - 'owner'
    from public.dogs d where d.owner = p_user_id
      and (d.created_at, d.id::text) > (p_at, p_id) order by 1, 2 limit p_most;
  when 'friends' then return query
    -- Here and among the invites, rows are sorted before the others' names are looked up: then only those of this page are.
    select f.created_at, f.other_id, jsonb_build_object('name', o.name, 'status', case f.status when 'declined' then 'pending'
      else f.status::text end,
      'requested_by_me', f.requester = p_user_id, 'since', coalesce(f.accepted_at, f.created_at))
    from (
      select *, x.other::text as other_id
      from private.friendships y, lateral (select case when y.user_low = p_user_id then y.user_high else y.user_low end as other) x
      where p_user_id in (y.user_low, y.user_high) and (y.status <> 'declined' or y.requester = p_user_id) and (y.created_at,
        x.other::text) > (p_at, p_id)
      order by y.created_at, other_id
    ) f join public.users o on o.id = f.other
    where f.status = 'accepted' or f.requester <> p_user_id or not o.hidden
    order by 1, 2 limit p_most;
  when 'declined_requests' then return query
    select d.declined_at, o.id::text, jsonb_build_object('name', o.name, 'declined_at', d.declined_at)
    from private.declined_requests d join public.users o on o.id = d.requester where d.receiver = p_user_id
      and (d.declined_at, o.id::text) > (p_at, p_id) order by 1, 2 limit p_most;
  when 'invites' then return query
    select i.created_at, i.own_id, jsonb_build_object('park', private.park_name(i.park_id, p_language), 'meet_at', i.meet_at, 'status',
      i.status,
      'sent_by_me', i.sender_id = p_user_id, 'name', o.name, 'created_at', i.created_at, 'changed_at', i.changed_at)
    from (
      select *, x.id::text as own_id from public.park_invites x
      where p_user_id in (x.sender_id, x.receiver_id) and (x.created_at, x.id::text) > (p_at, p_id)
      order by x.created_at, own_id
    ) i join public.users o on o.id = case when i.sender_id = p_user_id then i.receiver_id else i.sender_id end
    order by 1, 2 limit p_most;
  when 'blocked' then return query
    select b.created_at, o.id::text, jsonb_build_object('name', o.name, 'since', b.created_at)
    from private.listed_blocks(p_user_id) b join public.users o on o.id = b.blocked where
      (b.created_at, o.id::text) > (p_at, p_id) order by 1, 2 limit p_most;
  when 'check_ins' then return query
    select c.started_at, c.id::text, jsonb_build_object('park', private.park_name(private.present_park(c.park_id), p_language),
      'dog_count', c.dog_count,
      'dogs', (select coalesce(jsonb_agg(d.name order by d.name), '[]')
        from public.check_in_dogs x join public.dogs d on d.id = x.dog_id where x.check_in_id = c.id),
      'started_at', c.started_at, 'expires_at', c.expires_at, 'ended_at', c.ended_at, 'planned', c.planned, 'counted', c.counted,
        'asked_fact', c.asked_fact,
      'question_answered', c.question_answered)
    from public.check_ins c where c.user_id = p_user_id
      and (c.started_at, c.id::text) > (p_at, p_id) order by 1, 2 limit p_most;
  when 'reviews' then return query
    select r.created_at, r.id::text, to_jsonb(r) - 'author' || jsonb_build_object('park', private.park_name(r.park_id, p_language))
    from public.reviews r where r.author = p_user_id
      and (r.created_at, r.id::text) > (p_at, p_id) order by 1, 2 limit p_most;
  when 'replaced_reviews' then return query
    select r.created_at, r.id::text, to_jsonb(r) - 'author' || jsonb_build_object('park', private.park_name(r.park_id, p_language))
    from private.replaced_reviews r where r.author = p_user_id
      and (r.created_at, r.id::text) > (p_at, p_id) order by 1, 2 limit p_most;
  when 'hidden_reviews' then return query
    select h.hidden_at, h.park_id::text, jsonb_build_object('park', private.park_name(h.park_id, p_language), 'hidden_at', h.hidden_at)
    from private.hidden_reviews h where h.author = p_user_id
      and (h.hidden_at, h.park_id::text) > (p_at, p_id) order by 1, 2 limit p_most;
  -- Without the review's id, by which an anonymous one could be recognised.
  when 'reported_reviews' then return query
    select x.created_at, x.review_id::text, jsonb_build_object('park', private.park_name(r.park_id, p_language), 'reason', x.reason,
      'created_at', x.created_at, 'resolved_at', x.resolved_at)
    from private.review_reports x join public.reviews r on r.id = x.review_id where x.reporter = p_user_id
      and (x.created_at, x.review_id::text) > (p_at, p_id) order by 1, 2 limit p_most;
  when 'reported_photos' then return query
    select x.created_at, x.path, jsonb_build_object('park', private.park_name(f.park_id, p_language), 'reason', x.reason,
      'created_at', x.created_at, 'resolved_at', x.resolved_at)
    from private.photo_reports x join public.park_photos f on f.path = x.path where x.reporter = p_user_id
      and (x.created_at, x.path) > (p_at, p_id) order by 1, 2 limit p_most;
  -- Without the name, which somebody who hides by now may have changed.
  when 'reported_people' then return query
    select x.created_at, x.id::text, jsonb_build_object('reason', x.reason, 'note', x.note, 'created_at', x.created_at, 'resolved_at',
      x.resolved_at)
    from private.user_reports x where x.reporter = p_user_id
      and (x.created_at, x.id::text) > (p_at, p_id) order by 1, 2 limit p_most;
  when 'live_report_votes' then return query
    select x.voted_at, x.report_id::text, jsonb_build_object('park', private.park_name(l.park_id, p_language), 'condition', l.condition,
      'hazard', l.hazard, 'vote', x.vote,
      'voted_at', x.voted_at, 'standing', x.standing)
    from private.live_report_votes x join private.live_reports l on l.id = x.report_id where x.user_id = p_user_id
      and (x.voted_at, x.report_id::text) > (p_at, p_id) order by 1, 2 limit p_most;
  when 'live_reports' then return query
    select l.reported_at, l.id::text, jsonb_build_object('park', private.park_name(l.park_id, p_language), 'condition', l.condition,
      'hazard', l.hazard, 'reported_at', l.reported_at,
      'standing', l.standing)
    from private.live_reports l where l.reporter = p_user_id
      and (l.reported_at, l.id::text) > (p_at, p_id) order by 1, 2 limit p_most;
  when 'fact_answers' then return query
    select a.answered_at, a.park_id || ' ' || a.fact, jsonb_build_object('park', private.park_name(a.park_id, p_language), 'fact',
      a.fact, 'value', a.value,
      'answered_at', a.answered_at, 'standing', a.standing)
    from private.fact_answers a where a.user_id = p_user_id
      and (a.answered_at, a.park_id || ' ' || a.fact) > (p_at, p_id) order by 1, 2 limit p_most;
  when 'favourite_parks' then return query
    select f.created_at, f.park_id::text, jsonb_build_object('park', private.park_name(f.park_id, p_language), 'since', f.created_at)
    from public.favourite_parks f where f.user_id = p_user_id
      and (f.created_at, f.park_id::text) > (p_at, p_id) order by 1, 2 limit p_most;
  when 'submitted_parks' then return query
    select p.created_at, p.id::text, jsonb_build_object('park', private.park_name(p.id, p_language), 'status', p.status, 'created_at',
      p.created_at)
    from private.park_submitters s join public.parks p on p.id = s.park_id where s.user_id = p_user_id
      and (p.created_at, p.id::text) > (p_at, p_id) order by 1, 2 limit p_most;
  when 'unlicensed_contributions' then return query
    select 'epoch'::timestamptz, x.park_id || ' ' || x.field, jsonb_build_object('park', private.park_name(x.park_id, p_language),
      'field', x.field)
    from private.unlicensed_contributions x where x.user_id = p_user_id
      and ('epoch'::timestamptz, x.park_id || ' ' || x.field) > (p_at, p_id) order by 1, 2 limit p_most;
  when 'suggestions' then return query
    select s.created_at, s.id::text, to_jsonb(s) - 'user_id'
    from public.park_suggestions s where s.user_id = p_user_id
      and (s.created_at, s.id::text) > (p_at, p_id) order by 1, 2 limit p_most;
  when 'notifications' then return query
    select n.created_at, n.id::text, to_jsonb(n) - array['receiver_id', 'sender_id']
    from public.notifications n where n.receiver_id = p_user_id and n.is_ready
      and (n.created_at, n.id::text) > (p_at, p_id) order by 1, 2 limit p_most;
  when 'measures' then return query
    select m.taken_at, m.id::text, to_jsonb(m) - array['id', 'user_id', 'shown']
    from private.measures m where m.user_id = p_user_id
      and (m.taken_at, m.id::text) > (p_at, p_id) order by 1, 2 limit p_most;
  when 'decisions' then return query
    select d.decided_at, d.id::text, private.pick(to_jsonb(d), 'kind', 'decision', 'reason', 'decided_at', 'undone_at')
    from private.desk_decisions d where d.subject = p_user_id
      and (d.decided_at, d.id::text) > (p_at, p_id) order by 1, 2 limit p_most;
  when 'devices' then return query
    select d.updated_at, d.device_id::text, jsonb_build_object('platform', d.platform, 'updated_at', d.updated_at)
    from public.device_tokens d where d.user_id = p_user_id
      and (d.updated_at, d.device_id::text) > (p_at, p_id) order by 1, 2 limit p_most;
  when 'rate_limits' then return query
    select 'epoch'::timestamptz, r.operation, jsonb_build_object('operation', regexp_replace(r.operation, ' to .*', ' to one person'),
      'count', r.count, 'since', r.window_start)
    from private.rate_limits r where r.user_id = p_user_id
      and ('epoch'::timestamptz, r.operation) > (p_at, p_id) order by 1, 2 limit p_most;
  when 'recent_commands' then return query
    select k.created_at, k.key::text, jsonb_build_object('operation', k.operation, 'created_at', k.created_at)
    from private.idempotency_keys k where k.user_id = p_user_id
      and (k.created_at, k.key::text) > (p_at, p_id) order by 1, 2 limit p_most;
  when 'files' then return query
    select 'epoch'::timestamptz, f.bucket || '/' || f.name, to_jsonb(f)
    from private.files_of(p_user_id) f where
      ('epoch'::timestamptz, f.bucket || '/' || f.name) > (p_at, p_id) order by 1, 2 limit p_most;
  end case;
end
$$;
comment on function private.export_rows is
  'What is stored about a user in a list of the export: p_most rows after the one of p_at and p_id, else all. No plan depends on its '
  'values.';

create function private.export_heads(p_user_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'exported_at', now(),
    'user', to_jsonb(u),
    'account', (
      select private.pick(to_jsonb(a), 'email', 'email_change', 'email_confirmed_at', 'phone', 'phone_confirmed_at', 'created_at',
        'updated_at',
        'last_sign_in_at', 'invited_at', 'banned_until', 'raw_user_meta_data', 'raw_app_meta_data')
      from auth.users a where a.id = u.id),
    'consents', (select to_jsonb(c) - 'user_id' from private.user_consents c where c.user_id = u.id),
    'calendar_feed', (
      select json_build_object('created_at', c.created_at, 'cancelled_meetings', (
        select coalesce(json_agg(json_build_object('park', private.park_name(m.park_id, u.language), 'meet_at', m.meet_at,
          'cancelled_at', m.cancelled_at)
          order by m.meet_at), '[]')
        from private.cancelled_meetings m where m.user_id = u.id))
      from private.calendar_feeds c where c.user_id = u.id),
    'role', (select to_jsonb(r) - 'user_id' from public.user_roles r where r.user_id = u.id),
    'notification_preferences', (select to_jsonb(p) - 'user_id' from public.notifications_preferences p where p.user_id = u.id)
  )
  from public.users u where u.id = p_user_id
$$;
comment on function private.export_heads is 'What an export holds of a user besides lists; null for one who is gone.';

create function public.export_user_page(p_user_id uuid, p_after jsonb default null) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  language public.language := (select u.language from public.users u where u.id = p_user_id);
  first integer := coalesce(array_position(private.export_lists(), p_after ->> 'list'), 1);
  begins_at timestamptz := coalesce((p_after ->> 'at')::timestamptz, '-infinity');
  begins_with text := coalesce(p_after ->> 'id', '');
  -- So many rows take a few milliseconds, however many there are.
  room integer := 50;
  lists jsonb := '[]';
  list text;
  rows record;
begin
  if language is null then
    return null;
  end if;
  foreach list in array (private.export_lists())[first:] loop
    select count(*) as many, coalesce(jsonb_agg(r.item), '[]') as items, max(r.at) as at, (array_agg(r.id))[count(*)] as id into rows
    from private.export_rows(p_user_id, language, list, begins_at, begins_with, room) r;
    lists := lists || jsonb_build_object('name', list, 'items', rows.items);
    room := room - rows.many;
    if room = 0 then
      return jsonb_build_object('heads', case when p_after is null then private.export_heads(p_user_id) end, 'lists', lists,
        'after', jsonb_build_object('list', list, 'at', rows.at, 'id', rows.id));
    end if;
    begins_at := '-infinity';
    begins_with := '';
  end loop;
  return jsonb_build_object('heads', case when p_after is null then private.export_heads(p_user_id) end, 'lists', lists, 'after', null);
end
$$;
comment on function public.export_user_page is
  'A part of everything stored about a user: {heads: {name: value}, with the first page, lists: [{name, items}], after: what to ask with '
  'for the next page, null with the last}. A list may go on in the next page. What is left out, and why, is in '
  'supabase/tests/account.test.ts. Null for a user who is gone.';

grant execute on function
  public.delete_user_data(uuid),
  public.finish_user_deletion(uuid),
  public.unfinished_user_deletions(),
  public.export_user_page(uuid, jsonb)
to service_role;
