-- The end of an account, and the copy that a user may take along.

-- Tables ---------------------------------------------------------------------------------------------------------

create table private.user_deletions (
  user_id uuid primary key,
  started_at timestamptz not null default now(),
  objects jsonb not null default '[]'
);
comment on table private.user_deletions is 'Deletions under way and the files still to remove; a row stays until all are gone, so that a deletion is finished after a crash.';
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
comment on function public.delete_user_data is 'Deletes all rows of a user and returns which files are to be removed: [{bucket, name}]. Safe to call again; then finish_user_deletion.';

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

create function public.export_user_data(p_user_id uuid) returns jsonb
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
      select coalesce(json_agg(private.pick(to_jsonb(i), 'provider', 'provider_id', 'identity_data', 'email', 'created_at', 'updated_at', 'last_sign_in_at')
        order by i.created_at), '[]')
      from auth.identities i where i.user_id = u.id),
    'sessions', (
      select coalesce(json_agg(private.pick(to_jsonb(s), 'created_at', 'updated_at', 'refreshed_at', 'not_after', 'aal', 'amr', 'user_agent', 'ip')
        order by s.created_at), '[]')
      from auth.sessions s where s.user_id = u.id),
    'second_factors', (
      select coalesce(json_agg(private.pick(to_jsonb(m), 'friendly_name', 'factor_type', 'status', 'phone', 'created_at', 'updated_at', 'last_challenged_at')
        order by m.created_at), '[]')
      from auth.mfa_factors m where m.user_id = u.id),
    'consents', (select to_jsonb(c) - 'user_id' from private.user_consents c where c.user_id = u.id),
    'dogs', (select coalesce(json_agg(to_jsonb(d) - 'owner' order by d.created_at), '[]') from public.dogs d where d.owner = u.id),
    'friends', (
      select coalesce(json_agg(json_build_object('name', o.name, 'status', case f.status when 'declined' then 'pending' else f.status::text end,
        'requested_by_me', f.requester = u.id, 'since', coalesce(f.accepted_at, f.created_at)) order by f.created_at), '[]')
      from private.friendships f join public.users o on o.id = case when f.user_low = u.id then f.user_high else f.user_low end
      where u.id in (f.user_low, f.user_high) and (f.status <> 'declined' or f.requester = u.id) and (f.status = 'accepted' or f.requester <> u.id or not o.hidden)),
    'declined_requests', (
      select coalesce(json_agg(json_build_object('name', o.name, 'declined_at', d.declined_at) order by d.declined_at), '[]')
      from private.declined_requests d join public.users o on o.id = d.requester where d.receiver = u.id),
    'invites', (
      select coalesce(json_agg(json_build_object('park', private.park_name(i.park_id, u.language), 'meet_at', i.meet_at, 'status', i.status,
        'sent_by_me', i.sender_id = u.id, 'name', o.name, 'created_at', i.created_at, 'changed_at', i.changed_at) order by i.created_at), '[]')
      from public.park_invites i join public.users o on o.id = case when i.sender_id = u.id then i.receiver_id else i.sender_id end
      where u.id in (i.sender_id, i.receiver_id)),
    'calendar_feed', (
      select json_build_object('created_at', c.created_at, 'cancelled_meetings', (
        select coalesce(json_agg(json_build_object('park', private.park_name(m.park_id, u.language), 'meet_at', m.meet_at, 'cancelled_at', m.cancelled_at)
          order by m.meet_at), '[]')
        from private.cancelled_meetings m where m.user_id = u.id))
      from private.calendar_feeds c where c.user_id = u.id),
    'blocked', (
      select coalesce(json_agg(json_build_object('name', o.name, 'since', b.created_at) order by b.created_at), '[]')
      from private.listed_blocks(u.id) b join public.users o on o.id = b.blocked),
    'check_ins', (
      select coalesce(json_agg(json_build_object('park', private.park_name(private.present_park(c.park_id), u.language), 'dog_count', c.dog_count,
        'dogs', (select coalesce(json_agg(d.name order by d.name), '[]')
          from public.check_in_dogs x join public.dogs d on d.id = x.dog_id where x.check_in_id = c.id),
        'started_at', c.started_at, 'expires_at', c.expires_at, 'ended_at', c.ended_at, 'planned', c.planned, 'counted', c.counted, 'asked_fact', c.asked_fact, 'question_answered', c.question_answered) order by c.started_at), '[]')
      from public.check_ins c where c.user_id = u.id),
    'reviews', (
      select coalesce(json_agg(to_jsonb(r) - 'author' || jsonb_build_object('park', private.park_name(r.park_id, u.language)) order by r.created_at), '[]')
      from public.reviews r where r.author = u.id),
    'replaced_reviews', (
      select coalesce(json_agg(to_jsonb(r) - 'author' || jsonb_build_object('park', private.park_name(r.park_id, u.language)) order by r.created_at), '[]')
      from private.replaced_reviews r where r.author = u.id),
    'hidden_reviews', (
      select coalesce(json_agg(json_build_object('park', private.park_name(h.park_id, u.language), 'hidden_at', h.hidden_at) order by h.hidden_at), '[]')
      from private.hidden_reviews h where h.author = u.id),
    -- Without the review's id, by which an anonymous one could be recognised.
    'reported_reviews', (
      select coalesce(json_agg(json_build_object('park', private.park_name(r.park_id, u.language), 'reason', x.reason,
        'created_at', x.created_at, 'resolved_at', x.resolved_at) order by x.created_at), '[]')
      from private.review_reports x join public.reviews r on r.id = x.review_id where x.reporter = u.id),
    'reported_photos', (
      select coalesce(json_agg(json_build_object('park', private.park_name(f.park_id, u.language), 'reason', x.reason,
        'created_at', x.created_at, 'resolved_at', x.resolved_at) order by x.created_at), '[]')
      from private.photo_reports x join public.park_photos f on f.path = x.path where x.reporter = u.id),
    -- Without the name, which somebody who hides by now may have changed.
    'reported_people', (
      select coalesce(json_agg(json_build_object('reason', x.reason, 'note', x.note, 'created_at', x.created_at, 'resolved_at', x.resolved_at)
        order by x.created_at), '[]')
      from private.user_reports x where x.reporter = u.id),
    'live_report_votes', (
      select coalesce(json_agg(json_build_object('park', private.park_name(l.park_id, u.language), 'condition', l.condition, 'hazard', l.hazard, 'vote', x.vote,
        'voted_at', x.voted_at, 'standing', x.standing) order by x.voted_at), '[]')
      from private.live_report_votes x join private.live_reports l on l.id = x.report_id where x.user_id = u.id),
    'live_reports', (
      select coalesce(json_agg(json_build_object('park', private.park_name(l.park_id, u.language), 'condition', l.condition, 'hazard', l.hazard, 'reported_at', l.reported_at, 'standing', l.standing) order by l.reported_at), '[]')
      from private.live_reports l where l.reporter = u.id),
    'fact_answers', (
      select coalesce(json_agg(json_build_object('park', private.park_name(a.park_id, u.language), 'fact', a.fact, 'value', a.value,
        'answered_at', a.answered_at, 'standing', a.standing) order by a.answered_at), '[]')
      from private.fact_answers a where a.user_id = u.id),
    'favourite_parks', (
      select coalesce(json_agg(json_build_object('park', private.park_name(f.park_id, u.language), 'since', f.created_at) order by f.created_at), '[]')
      from public.favourite_parks f where f.user_id = u.id),
    'submitted_parks', (
      select coalesce(json_agg(json_build_object('park', private.park_name(p.id, u.language), 'status', p.status, 'created_at', p.created_at) order by p.id), '[]')
      from private.park_submitters s join public.parks p on p.id = s.park_id where s.user_id = u.id),
    'unlicensed_contributions', (
      select coalesce(json_agg(json_build_object('park', private.park_name(x.park_id, u.language), 'field', x.field) order by x.park_id, x.field), '[]')
      from private.unlicensed_contributions x where x.user_id = u.id),
    'suggestions', (select coalesce(json_agg(to_jsonb(s) - 'user_id' order by s.created_at), '[]') from public.park_suggestions s where s.user_id = u.id),
    'notifications', (select coalesce(json_agg(to_jsonb(n) - array['receiver_id', 'sender_id'] order by n.created_at), '[]') from public.notifications n where n.receiver_id = u.id and n.is_ready),
    'measures', (
      select coalesce(json_agg(to_jsonb(m) - array['id', 'user_id', 'shown'] order by m.taken_at), '[]') from private.measures m where m.user_id = u.id),
    'decisions', (
      select coalesce(json_agg(private.pick(to_jsonb(d), 'kind', 'decision', 'reason', 'decided_at', 'undone_at') order by d.decided_at), '[]')
      from private.desk_decisions d where d.subject = u.id),
    'role', (select to_jsonb(r) - 'user_id' from public.user_roles r where r.user_id = u.id),
    'notification_preferences', (select to_jsonb(p) - 'user_id' from public.notifications_preferences p where p.user_id = u.id),
    'devices', (select coalesce(json_agg(json_build_object('platform', d.platform, 'updated_at', d.updated_at)), '[]') from public.device_tokens d where d.user_id = u.id),
    'rate_limits', (
      select coalesce(json_agg(json_build_object('operation', regexp_replace(r.operation, ' to .*', ' to one person'), 'count', r.count, 'since', r.window_start) order by r.operation), '[]')
      from private.rate_limits r where r.user_id = u.id),
    'recent_commands', (
      select coalesce(json_agg(json_build_object('operation', k.operation, 'created_at', k.created_at) order by k.created_at), '[]')
      from private.idempotency_keys k where k.user_id = u.id),
    'files', (
      select coalesce(json_agg(to_jsonb(f) order by f.name), '[]') from private.files_of(u.id) f)
  )
  from public.users u where u.id = p_user_id
$$;
comment on function public.export_user_data is 'Everything stored about a user, as one object; files lists what is in storage. What it leaves out, and why, is in supabase/tests/account.test.ts.';

grant execute on function
  public.delete_user_data(uuid),
  public.finish_user_deletion(uuid),
  public.unfinished_user_deletions(),
  public.export_user_data(uuid)
to service_role;
