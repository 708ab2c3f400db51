-- A ban is told to every host process by NOTIFY: sockets that are open are asked about their sessions only now and then.

create function auth.report_ban() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_notify('packpark_bans', new.id::text);
  return null;
end
$$;
create trigger report_ban after update of banned_until on auth.users
  for each row when (new.banned_until > now() and new.banned_until is distinct from old.banned_until)
  execute function auth.report_ban();
