-- Reports by users, and what moderators do with them and with pending contributions. Moderators hold the service key.

-- Types ----------------------------------------------------------------------------------------------------------

create type public.report_reason as enum ('spam', 'inappropriate', 'misinformation', 'fake', 'personal_information');

-- Tables ---------------------------------------------------------------------------------------------------------

create table private.review_reports (
  review_id uuid not null references public.reviews (id) on update cascade on delete cascade,
  reporter uuid not null references public.users (id) on delete cascade,
  reason public.report_reason not null,
  created_at timestamptz not null default now(),
  resolved_at timestamptz,
  primary key (review_id, reporter)
);
comment on table private.review_reports is 'One report per user and review.';
alter table private.review_reports enable row level security;

create table private.user_reports (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.users (id) on delete cascade,
  reporter uuid not null references public.users (id) on delete cascade,
  reason public.report_reason not null,
  note text check (char_length(note) <= 1000),
  created_at timestamptz not null default now(),
  resolved_at timestamptz
);
comment on table private.user_reports is 'Users reported by users: one open report for each reporter, person and reason.';
alter table private.user_reports enable row level security;

create table private.photo_reports (
  path text not null references public.park_photos (path) on update cascade on delete cascade,
  reporter uuid not null references public.users (id) on delete cascade,
  reason public.report_reason not null,
  created_at timestamptz not null default now(),
  resolved_at timestamptz,
  primary key (path, reporter)
);
comment on table private.photo_reports is 'One report per user and photo of a park.';
alter table private.photo_reports enable row level security;

-- Indexes --------------------------------------------------------------------------------------------------------

create index on private.review_reports (reporter);
create index on private.user_reports (user_id);
create index on private.user_reports (reporter);
create index on private.photo_reports (reporter);
create index photo_reports_open on private.photo_reports (created_at) where resolved_at is null;
create index review_reports_open on private.review_reports (created_at) where resolved_at is null;
create index user_reports_open on private.user_reports (created_at) where resolved_at is null;
create unique index user_reports_once on private.user_reports (user_id, reporter, reason) where resolved_at is null;

-- Triggers -------------------------------------------------------------------------------------------------------

create trigger clean_row before insert or update of note on private.user_reports
  for each row execute function private.clean_row('note');

-- RPCs -----------------------------------------------------------------------------------------------------------

create function public.report_review(p_review_id uuid, p_reason public.report_reason) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_user();
begin
  perform private.limit_rate('report', 30, '1 day');
  insert into private.review_reports (review_id, reporter, reason)
  select v.id, me, p_reason from public.park_reviews v where v.id = p_review_id and not v.mine
  on conflict do nothing;
end
$$;

create function public.report_user(p_user_id uuid, p_reason public.report_reason, p_note text default null) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_user();
begin
  perform private.limit_rate('report', 30, '1 day');
  if p_user_id <> me and (private.may_see(p_user_id) or private.has_contacted_caller(p_user_id)) then
    insert into private.user_reports (user_id, reporter, reason, note)
    values (p_user_id, me, p_reason, left(btrim(p_note), 1000))
    on conflict (user_id, reporter, reason) where resolved_at is null do update
      set note = coalesce(nullif(excluded.note, ''), user_reports.note);
  end if;
end
$$;

create function public.report_photo(p_path text, p_reason public.report_reason) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_user();
begin
  perform private.limit_rate('report', 30, '1 day');
  insert into private.photo_reports (path, reporter, reason)
  select f.path, me, p_reason from public.park_photos f
  where f.path = p_path and f.status = 'approved' and f.path not in (select private.uploaded_photo_paths())
  on conflict do nothing;
end
$$;

create function public.moderate_park(p_park_id bigint, p_approve boolean) returns boolean
language sql volatile security definer set search_path = ''
as $$
  with decided as (
    update public.parks p set status = case when p_approve then 'approved'::public.park_status else 'rejected' end
    where p.id = p_park_id returning p.id
  ), listed_again as (
    delete from public.former_parks f using decided d where f.park_id = d.id and p_approve
  ) select exists (select from decided)
$$;

create function public.moderate_photo(p_photo_path text, p_approve boolean) returns boolean
language sql volatile security definer set search_path = ''
as $$
  with decided as (
    update public.park_photos f set status = case when p_approve then 'approved'::public.park_status else 'rejected' end
    where f.path = p_photo_path
      and (not p_approve or exists (select from storage.objects o where o.bucket_id = 'parks' and o.name = f.path))
    returning f.path
  ) select exists (select from decided)
$$;
comment on function public.moderate_photo is 'Shows or hides a photo. A pending one is approved by moving its file from pending-photos to parks through storage; remove a rejected file through storage, and its row goes too.';

create function public.moderate_suggestion(p_id uuid, p_approve boolean) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  suggestion public.park_suggestions;
  given record;
begin
  update public.park_suggestions s
  set status = case when p_approve then 'approved'::public.park_status else 'rejected' end, decided_at = now()
  where s.id = p_id and s.status = 'pending' returning * into suggestion;
  if suggestion.id is null or not p_approve then
    return suggestion.id is not null;
  end if;
  update public.parks p set
    size = coalesce(suggestion.size, p.size), materials = coalesce(suggestion.materials, p.materials),
    shade = coalesce(suggestion.shade, p.shade), has_facilities = coalesce(suggestion.has_facilities, p.has_facilities),
    lat = coalesce(suggestion.lat, p.lat), long = coalesce(suggestion.long, p.long),
    facts = p.facts || coalesce(suggestion.facts, '{}'),
    fact_sources = p.fact_sources || coalesce((
      select jsonb_object_agg(said.key, jsonb_build_array('people', (suggestion.created_at at time zone 'Asia/Jerusalem')::date))
      from (
        select jsonb_object_keys(suggestion.facts)
        union all
        select field from jsonb_object_keys(private.suggested_fields(suggestion)) field where field in ('size', 'materials', 'shade', 'has_facilities')
      ) said (key)), '{}')
  where p.id = suggestion.park_id;
  -- A language that the park had no words in takes what is not given from another one.
  for given in select key::public.language as language, value from jsonb_each(suggestion.words) loop
    insert into public.park_translations as t (park_id, language, name, city, address)
    select o.park_id, given.language, coalesce(given.value ->> 'name', o.name), coalesce(given.value ->> 'city', o.city),
      coalesce(given.value ->> 'address', o.address)
    from public.park_translations o where o.park_id = suggestion.park_id
    order by o.language = given.language desc, o.language = 'en' desc, o.language limit 1
    on conflict (park_id, language) do update set name = excluded.name, city = excluded.city, address = excluded.address;
  end loop;
  -- Suggested before the terms asked for the licence.
  insert into private.unlicensed_contributions (park_id, field, user_id)
  select suggestion.park_id, field, suggestion.user_id
  from jsonb_object_keys(private.suggested_fields(suggestion)) field
  where not exists (select from private.user_consents c where c.user_id = suggestion.user_id and c.licence_agreed_at is not null);
  if suggestion.claim = 'double' then
    perform public.merge_parks(suggestion.park_id, suggestion.double_of);
  elsif suggestion.claim is not null then
    perform public.close_park(suggestion.park_id, suggestion.claim);
  end if;
  return true;
end
$$;
comment on function public.moderate_suggestion is 'Carries out a pending suggestion, or rejects it; false where there is none.';

create function public.pending_suggestions()
returns table (id uuid, park_id bigint, park text, created_at timestamptz, standing public.standing, changes jsonb)
language sql stable security definer set search_path = ''
as $$
  select s.id, s.park_id, private.park_name(s.park_id, 'en'), s.created_at, private.standing_at(s.user_id, s.park_id), (
      select jsonb_agg(jsonb_build_object('field', f.key, 'before', s.before -> f.key, 'now', now.says -> f.key, 'suggested', f.value) order by f.key)
      from jsonb_each(private.suggested_fields(s)) f)
  from public.park_suggestions s cross join lateral (select private.park_fields(s.park_id) as says) now
  where s.status = 'pending'
  order by s.created_at, s.id
$$;
comment on function public.pending_suggestions is 'For moderators: what changed side by side, as [{field, before, now, suggested}]: before is what the park said when it was suggested. Without who suggested, but how well they are known.';

create function public.choose_primary_photo(p_path text) returns boolean
language sql volatile security definer set search_path = ''
as $$
  with chosen as (
    update public.parks p set primary_photo = f.path
    from public.park_photos f where f.path = p_path and f.status = 'approved' and not f.of_hazard and p.id = f.park_id returning p.id
  ) select exists (select from chosen)
$$;
comment on function public.choose_primary_photo is 'Makes an approved photo the one that a park is shown with.';

create function public.moderate_review(p_review_id uuid, p_hide boolean) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  known boolean;
begin
  update public.reviews r set hidden_at = case when p_hide then coalesce(r.hidden_at, now()) end where r.id = p_review_id;
  known := found;
  update private.review_reports x set resolved_at = now() where x.review_id = p_review_id and x.resolved_at is null;
  return known;
end
$$;
comment on function public.moderate_review is 'Hides a review or shows it again; either way its open reports are resolved.';

create function public.open_reports()
returns table (kind text, id text, park_id bigint, subject text, reasons public.report_reason[], notes text[], reports integer, first_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select 'review', r.id::text, r.park_id, concat_ws(': ', nullif(r.title, ''), r.content),
    array_agg(distinct x.reason), '{}'::text[], count(*)::integer, min(x.created_at)
  from private.review_reports x join public.reviews r on r.id = x.review_id
  where x.resolved_at is null group by r.id
  union all
  select 'user', u.id::text, null, u.name,
    array_agg(distinct x.reason), coalesce(array_agg(x.note) filter (where x.note <> ''), '{}'), count(*)::integer, min(x.created_at)
  from private.user_reports x join public.users u on u.id = x.user_id
  where x.resolved_at is null group by u.id
  union all
  select 'photo', f.path, f.park_id, private.park_name(f.park_id, 'en'),
    array_agg(distinct x.reason), '{}'::text[], count(*)::integer, min(x.created_at)
  from private.photo_reports x join public.park_photos f on f.path = x.path
  where x.resolved_at is null group by f.path
  order by 8
$$;
comment on function public.open_reports is 'The moderators'' queue, oldest first; the id of a photo is its path; without reporters and without the authors of reviews.';

create function public.dismiss_reports(p_id text) returns integer
language sql volatile security definer set search_path = ''
as $$
  with reviews as (
    update private.review_reports x set resolved_at = now() where x.review_id::text = p_id and x.resolved_at is null returning 1
  ), users as (
    update private.user_reports x set resolved_at = now() where x.user_id::text = p_id and x.resolved_at is null returning 1
  ), photos as (
    update private.photo_reports x set resolved_at = now() where x.path = p_id and x.resolved_at is null returning 1
  )
  select ((select count(*) from reviews) + (select count(*) from users) + (select count(*) from photos))::integer
$$;
comment on function public.dismiss_reports is 'Resolves the open reports of a review, user or photo without doing anything; how many there were.';

grant execute on function
  public.report_review(uuid, public.report_reason),
  public.report_photo(text, public.report_reason),
  public.report_user(uuid, public.report_reason, text)
to authenticated;

grant execute on function
  public.moderate_park(bigint, boolean),
  public.moderate_photo(text, boolean),
  public.moderate_suggestion(uuid, boolean),
  public.moderate_review(uuid, boolean),
  public.open_reports(),
  public.dismiss_reports(text),
  public.pending_suggestions(),
  public.choose_primary_photo(text)
to service_role;
