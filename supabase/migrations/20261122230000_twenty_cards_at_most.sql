-- Cards are answered for twenty parks at most, also where they are asked for by an array of arrays.

create or replace function public.park_cards(p_park_ids bigint[]) returns json
-- To plan it anew for the parks that are asked for takes as long as to run it.
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_generic_plan'
as $$
declare
  -- Not as a slice: of an array of arrays that bounds the outer one only, and anybody may ask for a country.
  asked bigint[] := array(select id from unnest(p_park_ids) id limit 20);
begin
  -- The hours change by the day, and a photo seldom: whoever looks at the same parks may be answered by a cache.
  perform set_config('response.headers', '[{"Cache-Control": "public, max-age=0, s-maxage=60"}]', true);
  return (
    select coalesce(json_object_agg(p.id, json_build_object('photo', p.primary_photo, 'hours', usual.hours)), '{}')
    from (
      select u.park_id, json_agg(json_build_array(u.dogs, u.samples) order by u.day_kind, u.hour) as hours
      from private.usual_hours(asked) u
      group by u.park_id
    ) usual join public.parks p on p.id = usual.park_id
  );
end
$$;
