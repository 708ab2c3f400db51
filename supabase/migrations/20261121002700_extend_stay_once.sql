-- 'Stay longer' adds minutes, so that a repeat after a lost answer would add them twice: it takes a key as other deeds do.

drop function public.extend_stay(integer);

create function public.extend_stay(p_minutes integer, p_key uuid default null) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.me();
  answer jsonb := private.begin_once(p_key, 'extend_stay');
  present public.check_ins;
begin
  if answer is not null then
    return answer;
  end if;
  if p_minutes is null or p_minutes not between 1 and 240 then
    perform private.fail('invalid_input', 'Extend by 1 to 240 minutes.');
  end if;
  update public.check_ins c
  set expires_at = greatest(c.expires_at, least(c.expires_at + make_interval(mins => p_minutes), c.started_at + interval '4 hours'))
  where c.user_id = me and c.ended_at is null and c.expires_at > now()
  returning * into present;
  if present.id is null then
    perform private.fail('not_checked_in', 'Check in first.');
  end if;
  return private.end_once(p_key,
    jsonb_build_object('check_in_id', present.id, 'park_id', present.park_id, 'expires_at', present.expires_at));
end
$$;
comment on function public.extend_stay is 'Adds minutes to the planned stay, up to 4 hours in all; the same key adds them once.';

grant execute on function public.extend_stay(integer, uuid) to authenticated;
