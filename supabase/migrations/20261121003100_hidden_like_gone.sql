-- A request to somebody who hid afterwards looks like one to somebody who blocked or left: gone, everywhere it is told.

create or replace function private.friendship_state(p_user_id uuid) returns text
language sql stable security definer set search_path = ''
as $$
  select case when p_user_id = private.uid() then 'self' else coalesce((
    select case
      when f.status = 'accepted' then 'friends'
      when f.requester = private.uid() then case when private.may_see(p_user_id) then 'outgoing' end
      when f.status = 'pending' then 'incoming'
    end
    from private.friendships f
    where f.user_low = least(p_user_id, private.uid()) and f.user_high = greatest(p_user_id, private.uid())
  ), 'none') end
$$;

-- The export leaves the same requests out; the rest of the function stays.
do $$
begin
  execute replace(pg_get_functiondef('public.export_user_data(uuid)'::regprocedure),
    '(f.status <> ''declined'' or f.requester = u.id)',
    '(f.status <> ''declined'' or f.requester = u.id) and (f.status = ''accepted'' or f.requester <> u.id or not o.hidden)');
end
$$;
