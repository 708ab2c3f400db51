-- Basic rules: functions cannot be called and tables cannot be written without a grant, internal objects are in the schema private,
-- every error has a code, and a session that has not used the second factor counts as anonymous.

create schema if not exists extensions;
create extension if not exists pg_trgm with schema extensions;
create schema private;

-- New functions are executable by PUBLIC unless this is revoked globally: default privileges per schema can only add privileges.
alter default privileges revoke execute on functions from public;
alter default privileges in schema public revoke all on functions from anon, authenticated, service_role;
alter default privileges in schema public revoke all on tables from anon, authenticated;
alter default privileges in schema public revoke all on sequences from anon, authenticated;

-- Policies and views call helpers in private with the caller's privileges. REST exposes only the schema public, so no caller
-- reaches them directly.
grant usage on schema private to anon, authenticated, service_role;

create function private.fail(code text, explanation text, state text default 'P0001') returns void
language plpgsql set search_path = '' as $$
begin
  raise exception using errcode = state, message = code, hint = explanation;
end
$$;
comment on function private.fail is 'Raises an error with a code in snake_case (the message) and an English sentence (the hint).';

create function private.touch_updated_at() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.updated_at := now();
  return new;
end
$$;

create function private.clean_text(p_text text) returns text
language sql immutable set search_path = '' as $$
  -- Removes control characters (except newline and tab), bidirectional control characters, and invisible tag characters, and
  -- normalises to NFC. The length is limited first, to far more than any column allows, because cleaning a long text is slow.
  select normalize(regexp_replace(left(p_text, 10000),
    '[\u0001-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb\U000e0000-\U000e0fff]', '', 'g'), nfc)
$$;
comment on function private.clean_text is 'Cleans text written by users from characters that control a screen or a terminal.';

create function private.undisguised(p_text text) returns text
language sql immutable set search_path = '' as $$
  select translate(regexp_replace(normalize(p_text, nfkc),
    '[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff]', '', 'g'),
    '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९০১২৩৪৫৬৭৮৯。․‧∙·•', '0123456789012345678901234567890123456789......')
$$;
comment on function private.undisguised is 'A text without invisible characters, with one form of digits, dots and at signs.';

create function private.has_link(p_text text) returns boolean
language sql immutable set search_path = '' as $$
  select private.undisguised(p_text) ~* '://|www[.]|@|[[:alnum:]][.][[:alpha:]]{2,}|[[:alnum:]] +[.] *[[:alpha:]]{2,}'
$$;
comment on function private.has_link is 'True if a text has a link or an email address.';

create function private.has_contact(p_text text) returns boolean
language sql immutable set search_path = '' as $$
  -- Seven digits that are separated by anything but letters count as a telephone number.
  select private.has_link(p_text) or private.undisguised(p_text) ~ '[0-9]([^[:alpha:]0-9]*[0-9]){6,}'
$$;
comment on function private.has_contact is 'True if a text has a link, an email address or a telephone number.';

create function private.clean_name(p_name text) returns text
language sql immutable set search_path = '' as $$
  select btrim(regexp_replace(regexp_replace(regexp_replace(regexp_replace(
    private.clean_text(regexp_replace(left(p_name, 10000), '[\u0009-\u000d\u0085\u2028\u2029]', ' ', 'g')),
    -- Removes invisible characters, so that names that look equal are equal.
    '[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufff8]',
      '', 'g'),
    -- Removes variation selectors that do not follow an emoji.
    '(?<![' || e.emoji || '0-9#*])\ufe0f|(?<=[0-9#*])\ufe0f(?!\u20e3)', '', 'g'),
    -- Removes joiners that are not between two emoji or between two letters of a joining script.
    '(?<![' || e.emoji || '\ufe0f' || e.joined || '])\u200d|(?<=[' || e.emoji || '\ufe0f])\u200d(?![' || e.emoji || '\ufe0f])|(?<=['
      || e.joined || '])\u200d(?![' || e.joined || '])|(?<![' || e.joined || '])\u200c|\u200c(?![' || e.joined || '])', '', 'g'),
    '[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000]+', ' ', 'g'))
  from (values (
    '\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a-\u23ff\u24c2\u25aa-\u25fe\u2600-\u27bf\u2934\u2935'
    '\u2b05-\u2b55\u3030\u303d\u3297\u3299\U0001f000-\U0001faff',
    '\u0620-\u065f\u066e-\u06ef\u06fa-\u06ff\u0750-\u077f\u08a0-\u08ff\u0900-\u0dff'
  )) e (emoji, joined)
$$;
comment on function private.clean_name is
  'A name in one line, without invisible characters except joiners with an effect. clean-name.ts does the same, and a test compares the '
  'two.';

create function private.fold_text(p_text text) returns text
language plpgsql immutable set search_path = '' as $$
begin
  -- Most names consist of these letters, for which the steps below would take six times as long.
  if p_text ~ '^[0-9A-Za-z\u05d0-\u05ea\u0627-\u063a\u0641-\u064a]+( [0-9A-Za-z\u05d0-\u05ea\u0627-\u063a\u0641-\u064a]+)*$' then
    return translate(lower(p_text collate "C"), 'ךםןףץىة', 'כמנפצيه');
  end if;
  -- translate() is the slowest step, so it is only called for texts that contain a character which it may replace.
  return (select btrim(case when t.text ~ '[\u00c0-\u058f]' then translate(t.text,
      'ıØøŁłĐđÐðĦħŦŧςΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩЀЁЂЃЄЅІЇЈЉЊЋЌЍЎЏАБВГДЕЖЗИЙКЛМНОП'
      'РСТУФХЦЧШЩЪЫЬЭЮЯԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖ',
      'ioollddddhhttσαβγδεζηθικλμνξοπρστυφχψωѐёђѓєѕіїјљњћќѝўџабвгдежзийклмноп'
      'рстуфхцчшщъыьэюяաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ')
    else t.text end)
  from (
    select translate(lower(
      replace(replace(replace(replace(replace(replace(replace(replace(
        regexp_replace(regexp_replace(normalize(p_text, nfkd),
        -- Combining marks (niqqud, harakat, accents), quotes and joiners, which users omit in a search.
        '[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670'
        '\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u08d3-\u08ff\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0'
        '\ufe20-\ufe2f\u0022\u0027\u0060\u00ad\u02bc\u05f3\u05f4\u0640\u200b-\u200f\u2018-\u201f\u2032-\u2036'
        '\u2060-\u2064\ufe00-\ufe0f\ufeff]', '', 'g'),
        -- Spaces, punctuation and symbols.
        '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u00d7\u00f7\u02b0-\u02ff\u055a-\u055f\u0589-\u058f\u05be'
        '\u05c0\u05c3\u05c6\u0600-\u060f\u061b-\u061f\u066a-\u066d\u06d4\u06dd\u06de\u06e9\u0964\u0965\u2000-\u2bff'
        '\u2e00-\u2e7f\u3000-\u3004\u3007-\u3020\u3030\u303d\ue000-\uf8ff\ufd3e\ufd3f\ufe10-\ufe6f\ufff9-\uffff'
        '\U0001f000-\U0001faff\U000e0000-\U000e0fff]+', ' ', 'g'),
        'ß', 'ss'), 'ẞ', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'), 'þ', 'th'), 'Þ', 'th')
        collate "C"),
      'ךםןףץٱىیةک٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹',
      'כמנפצاييهك01234567890123456789') as text
    -- `offset 0` prevents the planner from merging the two queries, which would evaluate the inner expression twice.
    offset 0) t);
end
$$;
comment on function private.fold_text is
  'Normalised text for searches, the same as foldText in the app; a test compares the two. Unlike lower(), the letter tables do not '
  'depend on the database''s locale.';
-- Indexes on names evaluate this function with the privileges of the user who writes the row.
grant execute on function private.fold_text(text) to authenticated, service_role;

create function private.clean_row() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  given jsonb := to_jsonb(new);
begin
  new := jsonb_populate_record(new, (
    select jsonb_object_agg(field, case when field = 'name' then private.clean_name(given ->> field)
      else private.clean_text(given ->> field) end)
    from unnest(tg_argv) field));
  return new;
end
$$;
comment on function private.clean_row is 'Cleans the columns named in the trigger''s arguments before the row is validated and written.';

create function private.to_uuid(p_text text) returns uuid
language sql immutable as $$
  -- Only the form that PostgreSQL writes, because files are found by names that contain it.
  select case when p_text ~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then p_text::uuid end
$$;

-- Setting search_path would prevent PostgreSQL from inlining this function.
create function private.metres_between(
  p_lat double precision, p_long double precision, p_other_lat double precision, p_other_long double precision
) returns double precision
language sql immutable as $$
  select 2 * 6371008.8 * asin(sqrt(least(1,
    sind((p_lat - p_other_lat) / 2) ^ 2 + cosd(p_lat) * cosd(p_other_lat) * sind((p_long - p_other_long) / 2) ^ 2)))
$$;

create function private.pick(p_row jsonb, variadic p_keys text[]) returns jsonb
language sql immutable set search_path = '' as $$
  select coalesce(jsonb_object_agg(r.key, r.value), '{}') from jsonb_each(p_row) r where r.key = any (p_keys)
$$;
comment on function private.pick is
  'Returns only the given columns, because tables in the schema auth have more columns on the Supabase platform and some are secrets.';

-- For a user with a second factor, the password alone is not enough, whatever client is used: until the code is entered, a session
-- sees only what an anonymous caller sees, and cannot write. Three guards enforce this. Each table with user data has the
-- restrictive policy "nothing before the second factor". Functions with their owner's privileges, which bypass policies, call
-- private.uid() or private.require_user(). Views call private.uid(). Tables that anonymous callers may read (parks, their names and
-- photos) need the guard only for the user's own data.
create function private.second_factor_done() returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(auth.jwt() ->> 'aal' = 'aal2', false)
    or not exists (select from auth.mfa_factors f where f.user_id = (select auth.uid()) and f.status = 'verified')
$$;
comment on function private.second_factor_done is 'Returns true if the session has used the second factor, or the user has none.';

create function private.uid() returns uuid
language sql stable security definer set search_path = '' as $$
  select case when private.second_factor_done() then auth.uid() end
$$;
comment on function private.uid is
  'The caller''s ID for data that only this user may see; null for anonymous callers and before the second factor.';

grant execute on function private.second_factor_done() to authenticated;
grant execute on function private.uid() to anon, authenticated;

create function private.isolate_direction(p_text text) returns text
language sql immutable set search_path = '' as $$
  -- Isolates the text with the Unicode characters FSI and PDI, so that a Hebrew name does not reverse an English sentence.
  -- Bidirectional control characters within the name are removed, because they could end the isolation.
  select U&'\2068' || translate(p_text, U&'\202A\202B\202C\202D\202E\2066\2067\2068\2069', '') || U&'\2069'
$$;
