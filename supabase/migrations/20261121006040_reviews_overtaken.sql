-- A review that waited on a device without a network does not write over a newer one of the same person.

drop function public.save_review(bigint, text, text, integer, boolean, uuid);
create function public.save_review(
  p_park_id bigint, p_title text, p_content text, p_rank integer, p_anonymous boolean default false, p_key uuid default null,
  p_based_on timestamptz default null
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_consent();
  answer jsonb := private.begin_once(p_key, 'save_review');
  review_id uuid;
begin
  if answer is not null then
    return answer #>> '{}';
  end if;
  if p_rank is null or p_rank not between 1 and 5 or char_length(p_title) > 120 or char_length(p_content) > 4000 then
    perform private.fail('invalid_input', 'A rank of 1 to 5, at most 120 characters of title and 4000 of text.');
  end if;
  insert into public.reviews as r (park_id, author, title, content, rank, anonymous)
  values (p_park_id, me, btrim(coalesce(p_title, '')), btrim(coalesce(p_content, '')), p_rank, coalesce(p_anonymous, false))
  on conflict (author, park_id) do update
    set title = excluded.title, content = excluded.content, rank = excluded.rank, anonymous = excluded.anonymous
    -- One that a moderator hid is shown to nobody, so that nobody could have seen how new it is.
    where p_based_on is null or r.updated_at <= p_based_on or r.hidden_at is not null
  returning id into review_id;
  if review_id is null then
    perform private.fail('review_changed', 'There is a newer review than the one that this one was written over.');
  end if;
  return private.end_once(p_key, to_jsonb(review_id)) #>> '{}';
end
$$;
comment on function public.save_review is 'p_based_on: the updated_at of the review that the author saw, 1970 where there was none; a newer one is then kept, and review_changed raised. Null writes over whatever is there.';

grant execute on function public.save_review(bigint, text, text, integer, boolean, uuid, timestamptz) to authenticated;
