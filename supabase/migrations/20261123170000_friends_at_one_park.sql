-- Who is at one park begins with those who are there: a park's open page asks it four times a minute.

drop function private.friends_there();
create function private.friends_there(p_park_id bigint default null) returns table (friend jsonb)
language sql stable security definer set search_path = ''
as $$
  -- Of one park it begins with those who are there, of all parks with the friends: both are few.
  with me as materialized (select private.uid() as id),
  visits as (
    select c.id, c.user_id, c.park_id, c.started_at
    from private.friend_ids() f (id) join public.check_ins c on c.user_id = f.id
    where p_park_id is null and c.ended_at is null and not c.planned and c.expires_at > now()
    union all
    select c.id, c.user_id, c.park_id, c.started_at
    from me join public.check_ins c on c.park_id = p_park_id
    join private.friendships f on f.user_low = least(c.user_id, me.id) and f.user_high = greatest(c.user_id, me.id) and f.status = 'accepted'
    where c.ended_at is null and not c.planned and c.expires_at > now()
  )
  select jsonb_build_object('id', u.id, 'name', u.name, 'picture', u.picture, 'park_id', v.park_id, 'since', v.started_at,
    'dogs', coalesce((
      select jsonb_agg(jsonb_build_object('id', d.id, 'name', d.name, 'photo', d.photo) order by d.name)
      from public.check_in_dogs cd join public.dogs d on d.id = cd.dog_id and d.deleted_at is null
      where cd.check_in_id = v.id), '[]'))
  from visits v
  -- Hidden users are only ever counted, even among friends.
  join public.users u on u.id = v.user_id and not u.hidden
  join public.parks p on p.id = v.park_id and p.status = 'approved'
  order by v.started_at, u.id
$$;
comment on function private.friends_there is 'The caller''s friends who are at a park now, or at this one, with the dogs they brought.';

create or replace function private.friends_at(p_park_id bigint) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(f.friend), '[]') from private.friends_there(p_park_id) f where p_park_id is not null
$$;
