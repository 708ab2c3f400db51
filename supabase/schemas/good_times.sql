-- Good times: notifies users once a day that a favourite park is good to go to. The function good-times evaluates each park once for
-- all its watchers.

create view private.waiting_for_good_time as
  select w.user_id, w.park_id, w.created_at
  from (
    select f.user_id, f.park_id, f.created_at,
      row_number() over (partition by f.user_id order by f.created_at, f.park_id) as place
    from public.favourite_parks f
    join public.parks p on p.id = f.park_id and p.status = 'approved'
    left join public.notifications_preferences s on s.user_id = f.user_id
    where extract(hour from private.park_time()) >= f.good_from and extract(hour from private.park_time()) < f.good_to
      and coalesce(s.good_time and not s.muted, true)
      and not exists (
        select from public.notifications n
        where n.receiver_id = f.user_id and n.type = 'goodTime' and n.created_at >= private.day_start())
  ) w
  -- The limit exists because one user with all parks as favourites could use up the day's forecasts.
  where w.place <= 10;
comment on view private.waiting_for_good_time is
  'The favourites whose users want a notification at this hour and have not received one today; the first ten of each user.';

create function public.good_time_parks() returns json
language sql stable security definer set search_path = '' as $$
  select json_build_object('time_zone', s.time_zone, 'weekend', s.weekend, 'parks', coalesce((
    select json_agg(json_build_object('id', p.id, 'lat', p.lat, 'long', p.long, 'size', p.size, 'size_label', p.size_label,
      'materials', p.materials, 'shade', p.shade, 'has_facilities', p.has_facilities, 'facts', p.facts) order by w.users desc, p.id)
    from (select park_id, count(*) as users from private.waiting_for_good_time group by park_id) w
    join public.parks p on p.id = w.park_id), '[]'))
  from private.site_settings s
$$;
comment on function public.good_time_parks is
  'The parks that users wait for now, each once and those of most users first, with the facts that the verdict needs and without the '
  'users.';

create function public.notify_of_good_times(p_parks jsonb) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  many integer;
begin
  -- Only one run at a time, because two runs would both find that a user has not been notified today.
  perform pg_advisory_xact_lock(hashtextextended('good_times', 0));
  select count(*) filter (where private.notify('goodTime', null, w.user_id, g.value || jsonb_build_object('park_id', w.park_id)))
  into many
  from (
    select distinct on (w.user_id) w.user_id, w.park_id from private.waiting_for_good_time w
    where p_parks ? w.park_id::text
    order by w.user_id, w.created_at, w.park_id
  ) w join jsonb_each(p_parks) g on g.key = w.park_id::text;
  return many;
end
$$;
comment on function public.notify_of_good_times is
  'Notifies the users who wait for one of these parks, each of one park: {park id: {reasons: names in goodReasons of database.json, '
  'separated by spaces; temperature}}. Returns how many.';

grant execute on function
  public.good_time_parks(),
  public.live_counts(integer, boolean),
  public.park_cards(bigint[]),
  public.notify_of_good_times(jsonb)
to service_role;
