-- The product's name is reserved as whole words only: 'Backpack Parker' is somebody's name.

create or replace function private.is_reserved_name(p_name text) returns boolean
language sql immutable set search_path = ''
as $$
  -- Written as one word, anywhere; written with spaces, as whole words only: 'Backpack Parker' is a name.
  select n.latin ~ 'packpark|(^| )p *a *c *k *p *a *r *k( |$)'
    or n.hebrew ~ 'פא?קפא?רק|(^| )פ *א? *ק *פ *א? *ר *ק( |$)'
    or n.arabic ~ 'باكبارك|(^| )ب *ا *ك *ب *ا *ر *ك( |$)'
  from (
    select
      -- Without accents, in small letters; with the Greek and Cyrillic letters that look like Latin ones.
      regexp_replace(
        translate(regexp_replace(lower(normalize(p_name, nfkd)), '[\u0300-\u036f]', '', 'g'), 'аαрρсϲкκ40', 'aappcckkao'),
        '[^a-z ]', '', 'g') as latin,
      regexp_replace(p_name, '[^\u05d0-\u05ea ]', '', 'g') as hebrew,
      regexp_replace(p_name, '[^\u0620-\u064a ]', '', 'g') as arabic
  ) n
$$;
