-- The published list of a hundred thousand parks is larger than any photo may be: the bucket takes it, and photos keep
-- their own limit. A photo is a picture, whatever its name says.

update storage.buckets set file_size_limit = 52428800 where id = 'parks';

create function private.check_photo() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if new.bucket_id not in ('users', 'parks') or (new.bucket_id = 'parks' and new.name ~ '^parks-(en|he|ar)\.json$') then
    return new;
  end if;
  -- A row without metadata tries out who may write, before there is a file.
  if new.metadata is not null then
    if coalesce(new.metadata ->> 'mimetype', '') not like 'image/%' then
      raise exception using errcode = 'PT415', message = 'Only pictures are kept here';
    elsif coalesce((new.metadata ->> 'size')::bigint, 0) > 5242880 then
      raise exception using errcode = 'PT413', message = 'The object exceeded the maximum allowed size';
    end if;
  end if;
  return new;
end
$$;
comment on function private.check_photo is 'Photos have at most 5 MB and are pictures; PTnnn tells the HTTP status.';
create trigger check_photo before insert or update of name, bucket_id, metadata on storage.objects
  for each row execute function private.check_photo();
