-- Reports by users, and how reports and pending contributions are decided. desk.sql defines the queue, and desk_items.sql who may
-- decide.

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
comment on table private.user_reports is 'Users reported by other users: one open report for each reporter, reported user and reason.';
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

create table private.pack_time_reports (
  pack_time_id uuid not null references private.pack_times (id) on delete cascade,
  reporter uuid not null references public.users (id) on delete cascade,
  reason public.report_reason not null,
  created_at timestamptz not null default now(),
  resolved_at timestamptz,
  primary key (pack_time_id, reporter)
);
comment on table private.pack_time_reports is 'One report per user and pack time.';
alter table private.pack_time_reports enable row level security;

create index on private.review_reports (reporter);
create index on private.user_reports (user_id);
create index on private.user_reports (reporter);
create index on private.photo_reports (reporter);
create index on private.pack_time_reports (reporter);
create index pack_time_reports_open on private.pack_time_reports (created_at) where resolved_at is null;
create index photo_reports_open on private.photo_reports (created_at) where resolved_at is null;
create index review_reports_open on private.review_reports (created_at) where resolved_at is null;
create index user_reports_open on private.user_reports (created_at) where resolved_at is null;
-- Indexes for finding the first report about an object, and items of the desk by their ID.
create index photo_reports_open_path on private.photo_reports (path, created_at, reporter) where resolved_at is null;
create index review_reports_open_review on private.review_reports (review_id, created_at, reporter) where resolved_at is null;
create index review_reports_open_id on private.review_reports ((review_id::text)) where resolved_at is null;
create index user_reports_open_user on private.user_reports (user_id, created_at, id) where resolved_at is null;
create index user_reports_open_id on private.user_reports ((user_id::text)) where resolved_at is null;
create unique index user_reports_once on private.user_reports (user_id, reporter, reason) where resolved_at is null;

create trigger clean_row before insert or update of note on private.user_reports
  for each row execute function private.clean_row('note');

-- Functions that apply a decision of the desk (called by private.carry_out).

create function private.decide_park(p_park_id bigint, p_approve boolean) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.parks p set status = case when p_approve then 'approved'::public.park_status else 'rejected' end
  where p.id = p_park_id and p.status = 'pending';
  return found;
end
$$;

create function private.relist_park(p_park_id bigint) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.parks p set status = 'approved' where p.id = p_park_id and p.status = 'rejected';
  if found then
    delete from public.removed_parks f where f.park_id = p_park_id;
  end if;
  return exists (select from public.parks p where p.id = p_park_id and p.status = 'approved');
end
$$;
comment on function private.relist_park is
  'Lists a withdrawn or closed park again. Everything that was merged into another park stays there.';

create function private.decide_photo(p_photo_path text, p_approve boolean) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  bucket text;
begin
  select o.bucket_id into bucket from storage.objects o where o.bucket_id in ('parks', 'pending-photos') and o.name = p_photo_path;
  if not exists (select from public.park_photos f where f.path = p_photo_path and f.status = 'pending') or bucket is null then
    return false;
  end if;
  if p_approve and bucket = 'pending-photos' then
    -- The photo becomes approved when its file has been moved to the public bucket (private.sync_park_photos).
    perform private.move_photo('{parks,pending-photos}', p_photo_path, 'parks');
  else
    update public.park_photos f set status = case when p_approve then 'approved'::public.park_status else 'rejected' end
      where f.path = p_photo_path;
    if bucket = 'parks' and not p_approve then
      perform private.move_photo('{parks,pending-photos}', p_photo_path, 'pending-photos');
    end if;
  end if;
  return true;
end
$$;

create function private.decide_photo_report(p_photo_path text, p_approve boolean) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- The photo is locked first, as in a deletion.
  perform from public.park_photos f where f.path = p_photo_path for no key update;
  update private.photo_reports x set resolved_at = now() where x.path = p_photo_path and x.resolved_at is null;
  if not found then
    return false;
  end if;
  if not p_approve then
    update public.park_photos f set status = 'rejected' where f.path = p_photo_path;
    perform private.move_photo('{parks,pending-photos}', p_photo_path, 'pending-photos');
  end if;
  return true;
end
$$;
comment on function private.decide_photo_report is 'Withdraws a reported photo or keeps it; either way its open reports are resolved.';

create function private.unpublish_photo(p_photo_path text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.park_photos f set status = 'pending' where f.path = p_photo_path;
  perform private.move_photo('{parks,pending-photos}', p_photo_path, 'pending-photos');
end
$$;
comment on function private.unpublish_photo is 'Hides an approved photo immediately and returns it to the queue of the desk.';

create function private.move_photo(p_buckets text[], p_path text, p_to text) returns void
language sql volatile security definer set search_path = '' as $$
  -- The job names the file by its ID. A user may have chosen the same path in another bucket, or may delete the file and upload
  -- another one under its path.
  select private.add_job('move-photo', o.id::text, jsonb_build_object('path', p_path, 'to', p_to), null, interval '7 days')
  from storage.objects o where o.bucket_id = any (p_buckets) and o.name = p_path
$$;
comment on function private.move_photo is
  'Adds a job that moves a photo''s file from one of these buckets to another, or removes it if p_to is null. Only the storage service can do '
  'this.';

create function private.decide_suggestion(p_id uuid, p_approve boolean, p_town private.towns default null) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  suggestion public.park_suggestions;
  unknown text[];
  given record;
begin
  update public.park_suggestions s
  set status = case when p_approve then 'approved'::public.park_status else 'rejected' end, decided_at = now()
  where s.id = p_id and s.status = 'pending' returning * into suggestion;
  if suggestion.id is null or not p_approve then
    return suggestion.id is not null;
  end if;
  if p_town.id is null then
    perform private.reject_facts_of_town(suggestion);
  end if;
  unknown := array(select f.key from jsonb_each(suggestion.facts) f where f.value = 'null');
  update public.parks p set
    size = case when 'size' <> all (unknown) then coalesce(suggestion.size, p.size) end,
    materials = case when 'materials' = any (unknown) then '{}' else coalesce(suggestion.materials, p.materials) end,
    shade = case when 'shade' <> all (unknown) then coalesce(suggestion.shade, p.shade) end,
    has_facilities = case when 'has_facilities' <> all (unknown) then coalesce(suggestion.has_facilities, p.has_facilities) end,
    lat = coalesce(suggestion.lat, p.lat), long = coalesce(suggestion.long, p.long),
    facts = (p.facts || coalesce(suggestion.facts, '{}')) - unknown,
    fact_sources = (p.fact_sources || coalesce((
      select jsonb_object_agg(said.key, case when p_town.id is null
        then jsonb_build_array('community', private.park_day(suggestion.created_at))
        else jsonb_build_array(p_town.name, private.park_day(), p_town.id) end)
      from (
        select jsonb_object_keys(suggestion.facts)
        union all
        select field from jsonb_object_keys(private.suggested_fields(suggestion)) field where field = any (private.fact_columns())
      ) said (key)), '{}')) - unknown
  where p.id = suggestion.park_id;
  -- If a language has no translation yet, missing values are copied from another language.
  for given in select key::public.language as language, value from jsonb_each(suggestion.translations) loop
    insert into public.park_translations as t (park_id, language, name, city, address)
    select o.park_id, given.language, coalesce(given.value ->> 'name', o.name), coalesce(given.value ->> 'city', o.city),
      coalesce(given.value ->> 'address', o.address)
    from public.park_translations o where o.park_id = suggestion.park_id
    order by o.language = given.language desc, o.language = 'en' desc, o.language limit 1
    on conflict (park_id, language) do update set name = excluded.name, city = excluded.city, address = excluded.address;
  end loop;
  -- Contributors who have not agreed to the licence in the suggestion form are recorded, because their fields are excluded from
  -- open data.
  insert into private.unlicensed_contributions (park_id, field, user_id)
  select suggestion.park_id, field, suggestion.user_id
  from jsonb_object_keys(private.suggested_fields(suggestion)) field
  where not exists (select from private.user_consents c where c.user_id = suggestion.user_id and c.licence_agreed_at is not null);
  if suggestion.claim = 'duplicate' then
    perform private.merge_parks(suggestion.park_id, suggestion.duplicate_of);
  elsif suggestion.claim is not null then
    perform private.close_park(suggestion.park_id, suggestion.claim);
  end if;
  return true;
end
$$;
comment on function private.decide_suggestion is 'Applies a pending suggestion, or rejects it; returns false if there is none.';

create function private.decide_review(p_review_id uuid, p_approve boolean) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- The review is locked first, as in a deletion.
  perform from public.reviews r where r.id = p_review_id for no key update;
  update private.review_reports x set resolved_at = now() where x.review_id = p_review_id and x.resolved_at is null;
  if not found then
    return false;
  end if;
  update public.reviews r set hidden_at = case when not p_approve then coalesce(r.hidden_at, now()) end where r.id = p_review_id;
  return true;
end
$$;
comment on function private.decide_review is 'Hides a reported review or keeps it; either way its open reports are resolved.';

create function private.decide_pack_time(p_id uuid, p_approve boolean) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  update private.pack_time_reports x set resolved_at = now() where x.pack_time_id = p_id and x.resolved_at is null;
  if not found then
    return false;
  end if;
  update private.pack_times t set hidden_at = now() where t.id = p_id and not p_approve;
  return true;
end
$$;
comment on function private.decide_pack_time is 'Hides a reported pack time or keeps it; either way its open reports are resolved.';

create function private.decide_user(p_user_id uuid, p_approve boolean) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  if not p_approve then
    perform private.fail('sanction_required', 'Impose a sanction to decide this report.');
  end if;
  update private.user_reports x set resolved_at = now() where x.user_id = p_user_id and x.resolved_at is null;
  return found;
end
$$;
comment on function private.decide_user is
  'Resolves the reports about a user without a sanction; see public.desk_impose_sanction for sanctions.';

create function public.report_review(p_review_id uuid, p_reason public.report_reason) returns void
language plpgsql security definer set search_path = '' as $$
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
language plpgsql security definer set search_path = '' as $$
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
language plpgsql security definer set search_path = '' as $$
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

create function public.report_pack_time(p_pack_time_id uuid, p_reason public.report_reason) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  me uuid := private.require_user();
begin
  perform private.limit_rate('report', 30, '1 day');
  perform private.require_pack_time(p_pack_time_id);
  insert into private.pack_time_reports (pack_time_id, reporter, reason) values (p_pack_time_id, me, p_reason)
  on conflict do nothing;
end
$$;

create function public.choose_primary_photo(p_path text) returns boolean
language sql volatile security definer set search_path = '' as $$
  with chosen as (
    update public.parks p set primary_photo = f.path
    from public.park_photos f where f.path = p_path and f.status = 'approved' and not f.of_hazard and p.id = f.park_id returning p.id
  ) select exists (select from chosen)
$$;
comment on function public.choose_primary_photo is 'Makes an approved photo the primary photo of its park.';

create function public.claim_photo_moves(p_limit integer default 20, p_lease_seconds integer default 60)
returns table (id bigint, lease uuid, path text, bucket text, target text, new_path text)
language plpgsql volatile security definer set search_path = '' as $$
declare
  claimed bigint[] := array(select c.id from private.claim_jobs('move-photo', p_limit, p_lease_seconds) c);
begin
  return query
    -- The photo is moved to the dog's current owner. Photos of a deleted dog are removed.
    select j.id, j.lease, j.payload ->> 'path', o.bucket_id, case when d.id is null then j.payload ->> 'to' else o.bucket_id end,
      coalesce(d.owner || substr(o.name, 37), j.payload ->> 'path')
    from private.jobs j
    left join public.dogs d on d.id = (j.payload ->> 'dog_id')::uuid
    left join storage.objects o on o.id = private.to_uuid(j.key)
    where j.id = any (claimed);
end
$$;
comment on function public.claim_photo_moves is
  'Leases photos whose files must be moved to another bucket or another user''s folder, or removed if target is null. bucket is null if '
  'the file no longer exists.';

create function public.finish_photo_move(p_id bigint, p_lease uuid, p_error text default null) returns void
language sql volatile security definer set search_path = '' as $$
  select private.finish_job(p_id, p_lease, p_error)
$$;

grant execute on function
  public.report_review(uuid, public.report_reason),
  public.report_photo(text, public.report_reason),
  public.report_pack_time(uuid, public.report_reason),
  public.report_user(uuid, public.report_reason, text)
to authenticated;

grant execute on function
  public.choose_primary_photo(text),
  public.claim_photo_moves(integer, integer),
  public.finish_photo_move(bigint, uuid, text)
to service_role;

insert into private.exports (relation, part, statement) values
  -- The review's ID is excluded, because it could identify an anonymous review.
  ('private.review_reports', 'reported_reviews',
    $$select x.created_at, x.review_id::text, jsonb_build_object('park', private.park_name(r.park_id, $2), 'reason', x.reason,
      'created_at', x.created_at, 'resolved_at', x.resolved_at)
    from private.review_reports x join public.reviews r on r.id = x.review_id where x.reporter = $1$$),
  -- The name is excluded, because a user who is hidden by now may have changed it.
  ('private.user_reports', 'reported_users',
    $$select x.created_at, x.id::text, jsonb_build_object('reason', x.reason, 'note', x.note, 'created_at', x.created_at, 'resolved_at',
      x.resolved_at)
    from private.user_reports x where x.reporter = $1$$),
  ('private.photo_reports', 'reported_photos',
    $$select x.created_at, x.path, jsonb_build_object('park', private.park_name(f.park_id, $2), 'reason', x.reason,
      'created_at', x.created_at, 'resolved_at', x.resolved_at)
    from private.photo_reports x join public.park_photos f on f.path = x.path where x.reporter = $1$$),
  ('private.pack_time_reports', 'reported_pack_times',
    $$select x.created_at, x.pack_time_id::text, jsonb_build_object('park', private.park_name(t.park_id, $2), 'reason', x.reason,
      'created_at', x.created_at, 'resolved_at', x.resolved_at)
    from private.pack_time_reports x join private.pack_times t on t.id = x.pack_time_id where x.reporter = $1$$);
