-- A licence that says in words that it is not for commerce, or for no derived work, is none for open data.

create or replace function private.is_open_licence(p_licence text) returns boolean
language sql immutable set search_path = ''
as $$
  select coalesce(p_licence ~* '^(odbl|odc[ -]by|pddl|cc0|cc[ -]by([ -]sa)?|ogl|public domain)\M' and p_licence !~* '\m((nc|nd)\M|non[ -]?commercial|no[ -]?deriv)', false)
$$;
comment on function private.is_open_licence is 'Whether everybody may publish again what is under this licence, as an import names it: ODbL, ODC-By, PDDL, CC0, CC BY, CC BY-SA, OGL, public domain.';
