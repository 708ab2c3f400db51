-- Photos of parks tell everybody the day on which they came, and before the second factor a session lists what anonymous callers list.

create or replace function private.forget_minute_of_photo() returns trigger
language plpgsql set search_path = ''
as $$
declare
  day timestamptz := date_trunc('day', now(), 'Asia/Jerusalem');
begin
  new.created_at := date_trunc('day', new.created_at, 'Asia/Jerusalem');
  new.updated_at := day;
  new.last_accessed_at := day;
  if new.metadata ? 'lastModified' then
    new.metadata := jsonb_set(new.metadata, '{lastModified}', to_jsonb(to_char(day at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')));
  end if;
  return new;
end
$$;
comment on function private.forget_minute_of_photo is 'Of a photo of a park everybody reads the day only: a minute tells who was there.';
-- Named to run after those that note when a row changed.
create trigger without_minutes before insert or update on storage.objects
  for each row when (new.bucket_id = 'parks' and new.name ~ '^\d{1,18}/') execute function private.forget_minute_of_photo();

update storage.objects o set updated_at = o.updated_at where o.bucket_id = 'parks' and o.name ~ '^\d{1,18}/';

drop policy "nothing before the second factor" on storage.objects;
-- What is listed for everybody stays so: before the second factor a session is an anonymous caller, not less.
create policy "nothing of people before the second factor" on storage.objects as restrictive for select to authenticated
  using (bucket_id = 'parks' or (select private.second_factor_done()));
create policy "nothing is added before the second factor" on storage.objects as restrictive for insert to authenticated
  with check ((select private.second_factor_done()));
create policy "nothing is moved before the second factor" on storage.objects as restrictive for update to authenticated
  using ((select private.second_factor_done())) with check ((select private.second_factor_done()));
create policy "nothing is removed before the second factor" on storage.objects as restrictive for delete to authenticated
  using ((select private.second_factor_done()));
