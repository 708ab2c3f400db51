-- Creates the large dataset with set-based SQL: the sizes of docs/scale.md times the setting bench.scale. Newer tables and columns
-- are in large-dataset-desk.sql. Triggers are disabled, so the rows that they would write are inserted here.
set session_replication_role = replica;
set synchronous_commit = off;
set maintenance_work_mem = '512MB';
select setseed(0.42);

-- Indexes are dropped and built once at the end, which is much faster.
create temporary table indexes as
select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
from pg_index i join pg_class c on c.oid = i.indrelid
where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace, 'auth'::regnamespace)
  and not exists (select from pg_constraint k where k.conindid = i.indexrelid);
do $$
declare
  statement text;
begin
  for statement in select 'drop index ' || name from indexes loop
    execute statement;
  end loop;
end $$;

create temporary table sizes as
select parks, users, dogs, friendships, visits, reviews, notifications, parks / 10 as busy_parks, (1200 * scale)::int as dogs_now
from (select current_setting('bench.scale')::numeric as scale) s,
  lateral (select (3000 * scale)::int as parks, (200000 * scale)::int as users, (300000 * scale)::int as dogs,
    (400000 * scale)::int as friendships, (2000000 * scale)::int as visits, (50000 * scale)::int as reviews,
    (1000000 * scale)::int as notifications) n;

-- Returns the ID of user number n. The benchmarks compute the same ID.
create function public.bench_user(n bigint) returns uuid language sql immutable as $$ select md5('user ' || n)::uuid $$;

insert into public.parks (lat, long, status, size, materials, shade, has_facilities)
select 29.5 + random() * 3.7, 34.3 + random() * 1.3, 'approved',
  case when n % 3 = 0 then round((300 + random() * 8000)::numeric, 1) end,
  case when n % 4 = 0 then array[(enum_range(null::public.ground))[1 + n % 4]] else '{}' end,
  case when n % 5 = 0 then n % 12 end, case when n % 6 = 0 then n % 12 = 0 end
from sizes, generate_series(1, parks) n;

insert into public.park_translations (park_id, language, name, city, address)
select p.id, l.language, l.words[1 + p.id % 4] || ' ' || l.streets[1 + (p.id * 7) % 6] || ' ' || p.id % 50,
  l.cities[1 + (p.id * 5) % 6], l.streets[1 + (p.id * 11) % 6] || ' ' || (1 + (p.id * 13) % 120)
from public.parks p, (values
  ('en'::public.language, array['Dog Park', 'Dog Garden', 'Meadow', 'Grove'],
    array['HaYarkon', 'Weizmann', 'Herzl', 'Bialik', 'Sokolov', 'Einstein'], array['Tel Aviv', 'Haifa', 'Ramat Gan', 'Jerusalem',
      'Beer Sheva', 'Nazareth']),
  ('he', array['גינת כלבים', 'פארק כלבים', 'אחו', 'חורשת'],
    array['הירקון', 'ויצמן', 'הרצל', 'ביאליק', 'סוקולוב', 'איינשטיין'], array['תל אביב', 'חיפה', 'רמת גן', 'ירושלים', 'באר שבע', 'נצרת'])
) l (language, words, streets, cities);

insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data, created_at)
select public.bench_user(n), 'user-' || n || '@example.test', now() - interval '200 days',
  '{"full_name": "Bench", "age_confirmed": true}',
  now() - interval '200 days' * random()
from sizes, generate_series(1, users) n;

insert into public.users (id, name, hidden, language, created_at)
select u.id, (array['Noa', 'Dana', 'Omer', 'Lior', 'Yael', 'Amir', 'Maya', 'Gal', 'Tamar', 'Eitan', 'Samir', 'Layla', 'Rami', 'Huda',
  'Ron', 'Shira',
    'Ido', 'Neta', 'Tal', 'Adi', 'Or', 'Roni', 'Nadav', 'Hila', 'Yonatan'])[1 + (n * 7919) % 25] || ' ' ||
  (array['Levi', 'Cohen', 'Mizrahi', 'Peretz', 'Biton', 'Dahan', 'Katz', 'Azoulay', 'Haddad', 'Mansour', 'Friedman', 'Malka', 'Gabay',
    'Shapira',
    'Klein', 'Khoury', 'Ohana', 'Segal', 'Amar', 'Nassar', 'Barak', 'Golan', 'Stern', 'Vaknin', 'Zohar'])[1 + (n * 10427) % 25] ||
  case when n % 3 = 0 then ' ' || chr(65 + (n % 26)::int) || lower(substr(md5(n::text), 1, 5)) else '' end,
  n % 50 = 0, (enum_range(null::public.language))[1 + n % 3], u.created_at
from sizes, generate_series(1, users) n, lateral (select public.bench_user(n) as id, now() - interval '200 days' as created_at) u;

insert into private.user_consents (user_id, age_confirmed_at, terms_accepted_at)
select u.id, now(), now() from public.users u;

insert into public.dogs (id, owner, name, breed, gender, birthday, size, created_at)
select md5('dog ' || n)::uuid, public.bench_user(1 + n % users),
  (array['Rex', 'Luna', 'Bella', 'Max', 'Charlie', 'Nala', 'Simba', 'Rocky', 'Lola', 'Toby', 'Mika', 'Shoko', 'Pitzi', 'Bamba', 'Zoe',
    'Oscar',
    'Milo', 'Lucy', 'Buddy', 'Kiara'])[1 + (n * 31) % 20] || case when n % 4 = 0 then ' ' || substr(md5(n::text), 1, 4) else '' end,
  'Mixed', (enum_range(null::public.dog_gender))[1 + n % 2], current_date - (n % 4000)::int,
  (enum_range(null::public.dog_size))[1 + n % 3], now() - interval '100 days' * random()
from sizes, generate_series(0, dogs - 1) n;

-- Two friends on average, and three hundred for each of twenty users.
insert into private.friendships (user_low, user_high, requester, status, created_at, accepted_at)
select distinct on (least(a, b), greatest(a, b)) least(a, b), greatest(a, b), a,
  (case when n % 10 < 8 then 'accepted' when n % 10 = 8 then 'pending' else 'declined' end)::private.friendship_status,
  now() - interval '100 days' * random(), now() - interval '50 days' * random()
from (
  select n, public.bench_user(1 + (n * 7 + n / users) % users) as a, public.bench_user(1 + (n * 13 + 5 + n / users) % users) as b
  from sizes, generate_series(1, (friendships * 1.01)::int) n
  union all
  select 1, public.bench_user(k), public.bench_user(100 + (f * 31 + k) % (users - 100)) from sizes, generate_series(1, 20) k,
    generate_series(1, 300) f
) pair where a <> b;

insert into public.favourite_parks (user_id, park_id, created_at)
select distinct on (1, 2) public.bench_user(n), 1 + (n * k) % parks, now() from sizes, generate_series(1, users) n,
  generate_series(1, 2) k;

-- Visits of the last 85 days. One in three was checked out; the others expired and were ended by the nightly job.
insert into public.check_ins (user_id, park_id, dog_count, started_at, expires_at, ended_at)
select public.bench_user(1 + (n * 17) % users), 1 + ((n * 29 + n / 1000) % parks), 1 + n % 3, since, since + interval '60 minutes',
  since + case when n % 3 = 0 then interval '25 minutes' else interval '60 minutes' end
from sizes, generate_series(1, visits) n, lateral (select now() - interval '5 hours' - interval '85 days' * (n::float / visits) as since) s;

-- Visits in progress, which last longer than a benchmark. Some are by friends of the users with three hundred friends.
insert into public.check_ins (user_id, park_id, dog_count, started_at, expires_at)
select public.bench_user(100 + n * 7), 1 + (n % busy_parks) * 10, 1 + n % 2, now() - interval '20 minutes', now() + interval '10 years'
from sizes, generate_series(0, (dogs_now / 1.5)::int - 1) n;
insert into public.check_in_dogs (check_in_id, dog_id)
select distinct on (c.id) c.id, d.id from public.check_ins c join public.dogs d on d.owner = c.user_id where c.ended_at is null;
-- Visits that expired since the last nightly job stay open until the next one.
insert into public.check_ins (user_id, park_id, dog_count, started_at, expires_at)
select public.bench_user(n), 1 + (n * 37) % parks, 1, now() - interval '5 hours' + interval '1 second' * (n % 7200),
  now() - interval '4 hours' + interval '1 second' * (n % 7200)
from sizes, generate_series(users / 4, users / 4 + users / 100) n;

insert into private.busy_hours (park_id, day, hour, dogs)
select park_id, (started_at at time zone 'Asia/Jerusalem')::date, extract(hour from started_at at time zone 'Asia/Jerusalem'),
  sum(dog_count)
from public.check_ins where ended_at is not null group by 1, 2, 3;

-- One review per park, and ten times as many for every tenth park.
insert into public.reviews (park_id, author, title, content, rank, public_rank, anonymous, created_at, updated_at)
select park, author, 'A good place', repeat('The dogs had room to run and there was water. ', 1 + (n % 4)::int), 1 + (n * 7) % 5,
  1 + (n * 7) % 5, n % 5 = 0, since, since
from (
  select distinct on (park, author) n, park, author, now() - interval '300 days' * random() as since
  from sizes, generate_series(1, reviews) n,
    lateral (select case when n <= parks then n when n % 2 = 0 then 1 + (n * 10) % parks else 1 + (n * 11) % parks end as park,
      public.bench_user(1 + (n * 3) % users) as author) w
) made;
insert into private.park_ratings (park_id, ranks)
select park_id, array[count(*) filter (where rank = 1), count(*) filter (where rank = 2), count(*) filter (where rank = 3), count(*)
  filter (where rank = 4), count(*) filter (where rank = 5)]
from public.reviews group by park_id;

insert into private.live_reports (id, park_id, condition, reporter, reported_at, expires_at, ended_at)
select md5('condition ' || n)::uuid, 1 + (n * 23) % parks, (enum_range(null::public.park_condition))[1 + n % 4], public.bench_user(n),
  now() - interval '1 hour' * n,
  case when n < parks / 20 then now() + interval '10 years' else now() - interval '1 hour' * n + interval '6 hours' end,
  case when n >= parks / 20 then now() - interval '1 hour' * n + interval '6 hours' end
from sizes, generate_series(1, parks / 2) n
on conflict do nothing;

-- Notifications. Twenty users have a thousand each at every scale, because a response that grows with the dataset would hide calls that
-- read more than they return. A quarter of these users has seen none of them.
insert into public.notifications (type, sender_id, receiver_id, title, app_message, push_message, is_ready, seen_at, read_at, created_at)
select (enum_range(null::public.notification_type))[1 + n % 2], public.bench_user(1 + (n * 5) % users),
  case when n % share = 0 then public.bench_user(1 + (n / share) % 20) else public.bench_user(1 + (n * 3) % users) end,
  'New friend request', 'Somebody wants to be your friend', 'Somebody wants to be your friend', true,
  case when age > 0 then since end, case when age > 1 then since end, since
from sizes, generate_series(1, notifications) n, lateral (select notifications / 20000 as share) h,
  lateral (select case when n % share = 0 then 2 * (n / share % 4) else n % 8 end as age,
    now() - interval '300 days' * (n::float / notifications) as since) s;
insert into public.notifications_preferences (user_id) select public.bench_user(n) from sizes, generate_series(1, users / 10) n;

drop table sizes;
do $$
declare
  statement text;
begin
  for statement in select definition from indexes loop
    execute statement;
  end loop;
end $$;
set session_replication_role = origin;
