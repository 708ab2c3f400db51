-- The second part of the large dataset: facts, hazards, photos, meetings, sessions, and the desk with thousands of waiting items,
-- its decisions and its audit log. Runs after large-dataset.sql with the same bench.scale. The IDs match large-dataset-sizes.ts.
set session_replication_role = replica;
set synchronous_commit = off;
select setseed(0.43);

create temporary table sizes as
select (3000 * scale)::int as parks, (200000 * scale)::int as users, (2500 * scale)::int as targets, (150 * scale)::int as hazards, scale
from (select current_setting('bench.scale')::numeric as scale) s;

-- Users.

update private.user_consents set licence_agreed_at = now();
update public.users u set show_friends = true, show_favourites = true, picture = u.id || '/dogs/' || u.id || '/primary/dog.webp'
where hashtext(u.id::text) % 3 = 0 or u.id in (select public.bench_user(n) from generate_series(1, 20) n);

-- Blocked users and users on whom others act are not callers of the benchmark.
insert into public.blocks (blocker, blocked)
select distinct public.bench_user(users - n % 900), public.bench_user(1 + (n * 7) % (users - 1000)) from sizes, generate_series(1,
  (20000 * scale)::int) n
union
select public.bench_user(k), public.bench_user(users - f) from sizes, generate_series(1, 20) k, generate_series(1, 50) f;

-- Pairs of users for accepting, declining and cancelling a request, and for ending a friendship.
insert into private.friendships (user_low, user_high, requester, status, accepted_at)
select least(a, b), greatest(a, b), a, case when kind = 3 then 'accepted' else 'pending' end::private.friendship_status, case
  when kind = 3 then now() end
from sizes, generate_series(1, targets) n, generate_series(0, 3) kind,
  lateral (select public.bench_user(14000 + n) as a, public.bench_user(14000 + n + 700 * (kind + 1)) as b) pair
on conflict (user_low, user_high) do update set requester = excluded.requester, status = excluded.status,
  accepted_at = excluded.accepted_at;

insert into auth.sessions (id, user_id, created_at, updated_at, refreshed_at, user_agent)
select md5('session ' || n)::uuid, public.bench_user(1 + n % users), since, since, since,
  'Mozilla/5.0 (Linux; Android 10; K) Chrome/142.0.0.0 Mobile'
from sizes, generate_series(1, (300000 * scale)::int) n, lateral (select now() - interval '60 days' * random() as since) s
union all
select gen_random_uuid(), public.bench_user(k), now(), now(), now(), 'Mozilla/5.0 (iPhone)' from generate_series(1, 20) k,
  generate_series(1, 20);

insert into public.device_tokens (device_id, user_id, platform, token)
select 'country-' || n, public.bench_user(1 + (n * 3) % users), 'android', md5(n::text) from sizes, generate_series(1,
  (100000 * scale)::int) n;

insert into private.rate_limits (subject, operation, count)
select public.bench_user(n), operation, 1
from sizes, generate_series(1, (70000 * scale)::int) n, unnest(array['check_in', 'check_in_without_place', 'search_users']) operation;
insert into private.idempotency_keys (user_id, key, operation, result, created_at)
select public.bench_user(1 + n % users), gen_random_uuid(), 'check_in', '{"status": "checked_in"}', now() - interval '30 days' * random()
from sizes, generate_series(1, (400000 * scale)::int) n;

insert into public.favourite_parks (user_id, park_id, created_at)
select public.bench_user(k), 1 + (f * 13) % parks, now() from sizes, generate_series(1, 20) k, generate_series(1, 100) f
on conflict do nothing;

-- Parks.

update public.parks p set
  facts = jsonb_strip_nulls(jsonb_build_object(
    'fenced', case p.id % 3 when 0 then 'yes' when 1 then 'no' end,
    'drinking_water', case when p.id % 2 = 0 then 'yes' end,
    'lit', case p.id % 4 when 0 then 'yes' when 1 then 'no' end,
    'small_dog', case p.id % 5 when 0 then 'separate' when 1 then 'shared' end,
    'bench', case when p.id % 3 = 1 then 'yes' end,
    'wheelchair', case p.id % 6 when 0 then 'limited' when 2 then 'yes' end,
    'opening_hours', case when p.id % 5 = 2 then 'Mo-Su 06:00-23:00' end)),
  fact_sources = case when p.id % 3 = 0 then '{"fenced": ["community", "2026-11-01"]}' else '{}' end::jsonb,
  outline = case when p.id % 2 = 0 then jsonb_build_object('type', 'Polygon', 'coordinates', jsonb_build_array((
    select jsonb_agg(jsonb_build_array(round((p.long + 0.0004 * cosd(a * 30))::numeric, 6),
      round((p.lat + 0.0004 * sind(a * 30))::numeric, 6)) order by a)
    from generate_series(0, 12) a))) end,
  primary_photo = case when p.id % 3 > 0 then p.id || '/other/' || md5('shown ' || p.id)::uuid || '.webp' end;

-- Three public photos per park, and pending ones. Each shows a hazard of its park.
create temporary table photos as
select parks.n as number, 1 + parks.n % parks.parks as park_id, (1 + parks.n % parks.parks) || '/other/' ||
    case when parks.n <= parks.parks then md5('shown ' || (1 + parks.n % parks.parks)) else md5('photo shown ' || parks.n) end::uuid
      || '.webp' as path,
  'approved'::public.park_status as status
from (select n, parks from sizes, generate_series(1, 3 * parks) n) parks
union all
select n, 1 + (n % hazards) * 20, (1 + (n % hazards) * 20) || '/other/' || md5('photo ' || n)::uuid || '.webp', 'pending'
from sizes, generate_series(1, targets) n;
insert into storage.objects (bucket_id, name, owner_id, created_at, metadata, version)
select case status when 'approved' then 'parks' else 'pending-photos' end, path, public.bench_user(5000 + number)::text,
  now() - interval '1 minute' * number,
  '{"mimetype": "image/webp", "size": 80000}', gen_random_uuid()
from photos;
insert into public.park_photos (path, park_id, status, created_at, of_hazard)
select path, park_id, status, date_trunc('day', now()), false from photos;
insert into private.waiting_photos (path, since) select path, now() - interval '1 minute' * number from photos where status = 'pending';
insert into private.photo_uploaders (path, user_id) select path, public.bench_user(5000 + number) from photos;
drop table photos;

insert into private.live_reports (id, park_id, hazard, reporter, reported_at, expires_at, verified_at)
select md5('hazard ' || n)::uuid, 1 + (n % hazards) * 20, (enum_range(null::public.park_hazard))[1 + n % 7],
  public.bench_user(4000 + n), now() - interval '1 minute' * n,
  now() + interval '10 years', case when n % 2 = 0 then now() end
from sizes, generate_series(1, hazards) n;
insert into private.live_reports (park_id, hazard, reporter, reported_at, expires_at, ended_at)
select 1 + n % parks, (enum_range(null::public.park_hazard))[1 + n % 7], public.bench_user(n), since, since + interval '3 days',
  since + interval '1 day'
from sizes, generate_series(1, (6000 * scale)::int) n,
  lateral (select now() - interval '2 days' - interval '80 days' * random() as since) s;
insert into private.live_report_votes (report_id, user_id, vote)
select md5('hazard ' || case when n % hazards = 0 then hazards else n % hazards end)::uuid, public.bench_user(5000 + n), 'confirm'
from sizes, generate_series(1, targets) n;

insert into private.fact_answers (park_id, fact, value, user_id, trust_level, answered_at)
select 1 + n % parks, (private.questioned_facts())[1 + (n / parks) % 13], case when n % 4 = 0 then 'no' else 'yes' end,
  public.bench_user(1 + (n * 11) % users), 'regular_there',
  now() - interval '80 days' * random()
from sizes, generate_series(1, (60000 * scale)::int) n
where (private.questioned_facts())[1 + (n / parks) % 13] not in ('small_dog', 'dog')
on conflict do nothing;

-- Today's visits with an unanswered question.
insert into public.check_ins (id, user_id, park_id, dog_count, started_at, expires_at, ended_at, asked_fact)
select md5('asked ' || n)::uuid, public.bench_user(3000 + n), 1 + n % parks, 1, now() - interval '3 hours',
  now() - interval '2 hours', now() - interval '2 hours', 'bin'
from sizes, generate_series(1, targets) n;

-- Invites to meetings: those that the benchmark's calls change, past ones, and those of users with many meetings.
insert into public.park_invites (id, park_id, sender_id, receiver_id, meet_at, status)
select md5('meeting ' || n)::uuid, 1 + n % parks, public.bench_user(3000 + n), public.bench_user(12000 + n),
  timestamptz '2036-01-01 00:00Z' + interval '1 minute' * n, 'accepted'::public.invite_status
from sizes, generate_series(1, targets) n
union all
select md5('invite ' || n)::uuid, 1 + n % parks, public.bench_user(4000 + n), public.bench_user(11000 + n),
  timestamptz '2036-01-02 00:00Z' + interval '1 minute' * n, 'pending'::public.invite_status
from sizes, generate_series(1, targets) n
union all
select gen_random_uuid(), 1 + n % parks, public.bench_user(1 + (n * 11) % users), public.bench_user(1 + (n * 13 + 1) % users),
  now() - interval '80 days' * random(), 'accepted'::public.invite_status
from sizes, generate_series(1, (100000 * scale)::int) n where (n * 11) % users <> (n * 13 + 1) % users
union all
select gen_random_uuid(), 1 + m % parks, public.bench_user(k), public.bench_user(100 + (f * 31 + k) % (users - 100)),
  timestamptz '2036-02-01 00:00Z' + interval '1 hour' * m,
  case when f % 3 = 0 then 'pending' else 'accepted' end::public.invite_status
from sizes, generate_series(1, 20) k, generate_series(1, 30) m, generate_series(1, 10) f
on conflict do nothing;

-- Items that wait at the desk.

insert into public.parks (id, lat, long, status, size, source, created_at)
select parks + n, 29.5 + random() * 3.7, 34.3 + random() * 1.3, 'pending', 900, 'user', now() - interval '1 minute' * n
from sizes, generate_series(1, targets) n;
select setval(pg_get_serial_sequence('public.parks', 'id'), (select max(id) from public.parks));
insert into public.park_translations (park_id, language, name, city, address)
select parks + n, 'he', 'גינה חדשה ' || n, 'חיפה', 'רחוב ' || n from sizes, generate_series(1, targets) n;
insert into private.park_submitters (park_id, user_id) select parks + n, public.bench_user(6000 + n) from sizes, generate_series(1,
  targets) n;

insert into public.park_suggestions (id, park_id, user_id, shade, facts, before, created_at)
select md5('suggestion ' || n)::uuid, 1 + (n * 7) % parks, public.bench_user(7000 + n), 1 + n % 8, '{"lit": "yes"}',
  '{"shade": null}', now() - interval '1 minute' * n
from sizes, generate_series(1, targets) n;
-- Suggestions to merge parks. Each park occurs in at most one of them.
insert into public.park_suggestions (id, park_id, user_id, claim, duplicate_of, created_at)
select md5('merge ' || n)::uuid, 10 * n + 1, public.bench_user(7000 + n), 'duplicate', 10 * n + 2, now() - interval '1 minute' * n
from sizes, generate_series(1, parks / 10 - 1) n;
insert into public.park_suggestions (id, park_id, user_id, shade, status, created_at, decided_at)
select md5('decided ' || n)::uuid, 1 + (n * 7) % parks, public.bench_user(1 + (n * 3) % users), 1 + n % 8,
  case when n % 5 = 0 then 'rejected' else 'approved' end::public.park_status, now() - interval '200 days' * random(), now()
from sizes, generate_series(1, (20000 * scale)::int) n;

-- Reviews that their authors will delete.
insert into public.reviews (id, park_id, author, title, content, rank, public_rank)
select md5('own review ' || n)::uuid, 1 + n % parks, public.bench_user(13000 + n), 'Good', 'Water.', 3, 3 from sizes, generate_series(1,
  targets) n
on conflict do nothing;
-- Numbered reviews, which reports refer to.
create temporary table numbered as select id as old_id, md5('review ' || row_number() over (order by park_id, author))::uuid as id,
  row_number() over (order by park_id, author) as n from public.reviews where title <> 'Good';
update public.reviews r set id = x.id from numbered x where x.old_id = r.id;
insert into private.review_reports (review_id, reporter, reason, created_at, resolved_at)
select x.id, public.bench_user(users - n % 900), (enum_range(null::public.report_reason))[1 + n % 5],
  now() - interval '1 minute' * n, case when n % 2 = 0 then now() end
from sizes, numbered x where n <= targets;
drop table numbered;
update private.park_ratings g set ranks[3] = (select count(*) from public.reviews r where r.park_id = g.park_id and r.rank = 3);

insert into private.user_reports (user_id, reporter, reason, note, created_at, resolved_at)
select public.bench_user(8000 + n), public.bench_user(users - n % 900), (enum_range(null::public.report_reason))[1 + n % 5],
  'Rude at the gate', now() - interval '1 minute' * n,
  case when n % 2 = 0 then now() end
from sizes, generate_series(1, targets) n;
insert into private.photo_reports (path, reporter, reason, created_at)
select f.path, public.bench_user(users - 1), 'spam', now() - interval '1 minute' * row_number() over (order by f.path) from sizes,
  public.park_photos f where f.status = 'approved' and f.park_id % 10 = 0;

-- Moderators and past decisions.

insert into auth.mfa_factors (user_id, factor_type, status, secret) select public.bench_user(n), 'totp', 'verified', 'bench'
  from generate_series(21, 44) n;
insert into public.user_roles (user_id, role, notified_at, factor_id)
select f.user_id, case when n < 41 then 'moderator' else 'administrator' end::public.role, now(), f.id from generate_series(21, 44) n
  join auth.mfa_factors f on f.user_id = public.bench_user(n);
insert into private.audit_handles (user_id) select public.bench_user(n) from generate_series(21, 44) n;

insert into private.desk_decisions (id, type, item_id, park_id, decision, actor, decided_at)
select md5('decision ' || n)::uuid, 'correction', md5('decided ' || n), 1 + (n * 7) % parks, case when n % 5 = 0 then 'reject'
  else 'approve' end,
  public.bench_user(21 + n % 20), now() - interval '360 days' * (n / (100000 * scale))
from sizes, generate_series(1, (100000 * scale)::int) n;
update private.desk_decisions d set item_id = md5('decided ' || n)::uuid, decided_at = now() - interval '1 minute' * n
from sizes, generate_series(1, targets) n where d.id = md5('decision ' || n)::uuid;
insert into private.desk_changes (decision_id, relation, before, after, user_ids)
select md5('decision ' || n)::uuid, 'public.park_suggestions', to_jsonb(s) || '{"status": "pending"}', to_jsonb(s), array[s.user_id]
from sizes, generate_series(1, targets) n join public.park_suggestions s on s.id = md5('decided ' || n)::uuid;

insert into private.sanctions (id, user_id, sanction, reason, shown, imposed_at)
select md5('sanction ' || n)::uuid, public.bench_user(users - n % 900), 'limit', 'spam', true, now() - interval '1 day' * (n % 90)
  from sizes, generate_series(1, targets) n;

-- The hashes are invalid, because no benchmark checks them.
insert into private.audit_log (at, actor, act, item, details, hash)
select now() - interval '360 days' * (1 - n / (200000 * scale)), h.handle, 'approve', 'correction:' || md5('decided ' || n)::uuid,
  jsonb_build_object('decision', md5('decision ' || n)::uuid), '\x00'
from sizes, generate_series(1, (200000 * scale)::int) n
join (select handle, row_number() over () as place from private.audit_handles) h on h.place = 1 + n % 24;

drop table sizes;
set session_replication_role = origin;
