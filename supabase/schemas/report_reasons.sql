-- Reasons that users give in reports, and moderators in decisions.

create type public.report_reason as enum ('spam', 'inappropriate', 'misinformation', 'fake', 'personal_information');

-- Moderators can choose from the reasons for reports and a few additional ones.
do $$ begin
  execute (select 'create type public.decision_reason as enum (' || string_agg(quote_literal(r), ', ' order by n) || ')' from unnest(
    '{duplicate,not_a_park,wrong_place,not_true,unclear,wrong_park,poor_photo,people_in_photo}'::text[]
    || enum_range(null::public.report_reason)::text[] || '{harassment}') with ordinality x (r, n));
end $$;
comment on type public.decision_reason is
  'Why a moderator rejected or sanctioned something. The user reads it in their own language (private.messages).';
