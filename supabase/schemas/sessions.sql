-- The caller's sessions: the list, and ending one of them.

create function public.my_sessions() returns table (id uuid, created_at timestamptz, last_used_at timestamptz, user_agent text,
  is_current boolean)
language sql stable security definer set search_path = '' as $$
  select s.id, s.created_at, s.updated_at, left(s.user_agent, 300), s.id::text = coalesce(auth.jwt() ->> 'session_id', '')
  from auth.sessions s
  where s.user_id = private.uid() and coalesce(s.not_after > now(), true)
  order by 5 desc, s.updated_at desc, s.id
  limit 100
$$;
comment on function public.my_sessions is
  'The caller''s sessions: the current one first, then by last use, which is updated about hourly when a token is refreshed; at most '
  '100.';

create function public.end_my_session(p_session_id uuid) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  me uuid := private.require_user();
begin
  delete from auth.sessions s where s.id = p_session_id and s.user_id = me;
  return found;
end
$$;
comment on function public.end_my_session is
  'Ends one session of the caller, including its pushes; returns false if the session does not exist.';

grant execute on function public.my_sessions(), public.end_my_session(uuid) to authenticated;

insert into private.exports (relation, part, statement) values
  ('auth.sessions', 'sessions',
    $$select coalesce(s.created_at, 'epoch'), s.id::text, private.pick(to_jsonb(s), 'created_at', 'updated_at', 'refreshed_at',
      'not_after', 'aal', 'amr', 'user_agent', 'ip')
    from auth.sessions s where s.user_id = $1$$);
