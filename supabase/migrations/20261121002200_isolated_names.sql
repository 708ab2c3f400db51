-- A name that brings its own marks of direction could close the isolation around it and turn the rest of a message.

create or replace function private.isolated(p_text text) returns text
language sql immutable set search_path = ''
as $$
  -- A Hebrew name in an English sentence must not turn the sentence around: FSI ... PDI, and none of these inside.
  select U&'\2068' || translate(p_text, U&'\202A\202B\202C\202D\202E\2066\2067\2068\2069', '') || U&'\2069'
$$;
