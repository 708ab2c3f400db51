-- The data export of a user. Each table's own file adds what is exported from it.

create table private.exports (
  relation text primary key,
  part text,
  is_list boolean not null default true,
  statement text,
  left_out text,
  check ((part is null) <> (left_out is null) and (part is not null or statement is null))
);
comment on table private.exports is
  'For each table that refers to a user: what the export contains from it, or why it is left out. No personal data.';
comment on column private.exports.part is 'The name in the export. Several tables may be one part, with one statement.';
comment on column private.exports.is_list is 'True for a list, which may continue on the next page; false for a single value.';
comment on column private.exports.statement is
  'Reads the data of the user $1, with names in the language $2: a list as rows of timestamp, ID as text and item; otherwise one value.';
alter table private.exports enable row level security;

create function public.export_user_page(p_user_id uuid, p_after jsonb default null) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  language public.language := (select u.language from public.users u where u.id = p_user_id);
  begins_at timestamptz := coalesce((p_after ->> 'at')::timestamptz, '-infinity');
  begins_with text := coalesce(p_after ->> 'id', '');
  -- Page size, so that a page is read in a few milliseconds.
  room integer := 50;
  heads jsonb := '{}';
  lists jsonb := '[]';
  export private.exports;
  content jsonb;
  rows record;
begin
  if language is null then
    return null;
  end if;
  if p_after is null then
    for export in select * from private.exports e where not e.is_list and e.statement is not null loop
      execute export.statement into content using p_user_id, language;
      heads := heads || jsonb_build_object(export.part, content);
    end loop;
    heads := heads || jsonb_build_object('exported_at', now());
  end if;
  for export in
    select * from private.exports e where e.is_list and e.statement is not null and e.part >= coalesce(p_after ->> 'list', '')
    order by e.part
  loop
    execute 'select count(*) as many, coalesce(jsonb_agg(r.item), ''[]'') as items, max(r.at) as at, (array_agg(r.id))[count(*)] as id
      from (select * from (' || export.statement || ') x (at, id, item) where (x.at, x.id) > ($3, $4) order by 1, 2 limit $5) r'
      into rows using p_user_id, language, begins_at, begins_with, room;
    lists := lists || jsonb_build_object('name', export.part, 'items', rows.items);
    room := room - rows.many;
    if room = 0 then
      return jsonb_build_object('heads', case when p_after is null then heads end, 'lists', lists,
        'after', jsonb_build_object('list', export.part, 'at', rows.at, 'id', rows.id));
    end if;
    begins_at := '-infinity';
    begins_with := '';
  end loop;
  return jsonb_build_object('heads', case when p_after is null then heads end, 'lists', lists, 'after', null);
end
$$;
comment on function public.export_user_page is
  'One page of a user''s data export: {heads: {name: value}, on the first page, lists: [{name, items}], after: the argument for the next '
  'page, null on the last}. A list may continue on the next page. Null for a deleted user.';

grant execute on function public.export_user_page(uuid, jsonb) to service_role;
