-- Links to log in and links to a new password live apart, so that asking for one ends none of the other kind.

alter table auth.one_time_tokens drop constraint one_time_tokens_token_type_check;
alter table auth.one_time_tokens add constraint one_time_tokens_token_type_check check (token_type in
  ('confirmation_token', 'recovery_token', 'magic_link_token', 'email_change_token_new', 'email_change_token_current',
    'reauthentication_token'));
