-- An account that nobody confirmed is nobody yet: whoever typed the email need not own it. Its public half (what others
-- find, ask and see) is made when somebody proves the email, or is let in where no proof is asked for.

do $$
begin
  -- Who has a public half already keeps it, whatever is confirmed anew.
  execute replace(pg_get_functiondef('private.make_user()'::regprocedure), E'\nbegin\n',
    E'\nbegin\n  if exists (select from public.users u where u.id = new.id) then\n    return null;\n  end if;\n');
end
$$;

drop trigger make_user on auth.users;
create trigger make_user after insert on auth.users for each row
  when (coalesce(new.email_confirmed_at, new.phone_confirmed_at, new.last_sign_in_at) is not null)
  execute function private.make_user();
create trigger make_confirmed_user after update on auth.users for each row
  when (coalesce(old.email_confirmed_at, old.phone_confirmed_at, old.last_sign_in_at) is null
    and coalesce(new.email_confirmed_at, new.phone_confirmed_at, new.last_sign_in_at) is not null)
  execute function private.make_user();

-- Those who wait for their confirmation now get theirs then. Nobody was ever let in there: nothing of theirs is lost.
delete from public.users u using auth.users a
where a.id = u.id and coalesce(a.email_confirmed_at, a.phone_confirmed_at, a.last_sign_in_at) is null
  and not exists (select from auth.sessions s where s.user_id = u.id);
