-- The part of Supabase's auth schema that the host's auth service needs, with GoTrue's names of tables and columns, so that an
-- export of auth.users and auth.identities can be loaded unchanged. Never applied on Supabase. The API roles have no privileges on
-- these tables, and row-level security without policies also denies access.

create table auth.users (
  id uuid primary key default gen_random_uuid(),
  instance_id uuid,
  aud text not null default 'authenticated',
  role text not null default 'authenticated',
  email text,
  encrypted_password text,
  email_confirmed_at timestamptz,
  invited_at timestamptz,
  confirmation_token text default '',
  confirmation_sent_at timestamptz,
  recovery_token text default '',
  recovery_sent_at timestamptz,
  email_change_token_new text default '',
  email_change_token_current text default '',
  email_change text default '',
  email_change_sent_at timestamptz,
  email_change_confirm_status smallint not null default 0 check (email_change_confirm_status between 0 and 2),
  last_sign_in_at timestamptz,
  raw_app_meta_data jsonb not null default '{}',
  raw_user_meta_data jsonb not null default '{}',
  is_super_admin boolean,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  phone text unique,
  phone_confirmed_at timestamptz,
  phone_change text default '',
  phone_change_token text default '',
  phone_change_sent_at timestamptz,
  confirmed_at timestamptz generated always as (least(email_confirmed_at, phone_confirmed_at)) stored,
  banned_until timestamptz,
  reauthentication_token text default '',
  reauthentication_sent_at timestamptz,
  is_sso_user boolean not null default false,
  is_anonymous boolean not null default false,
  deleted_at timestamptz,
  -- The limit exists because the metadata is part of every access token, and so of the headers of every request.
  constraint users_metadata_size check (octet_length(raw_user_meta_data::text) <= 10000)
);
comment on table auth.users is
  'One row per account. Codes and links are in auth.one_time_tokens; the *_token columns only make it possible to load an export.';
-- In collation "C", only ASCII letters have a lower case, as in auth/emails.ts.
create unique index users_email_key on auth.users (lower(email collate "C"));
create index users_created_at_idx on auth.users (created_at);

create table auth.identities (
  id uuid primary key default gen_random_uuid(),
  provider_id text not null,
  user_id uuid not null references auth.users on delete cascade,
  identity_data jsonb not null default '{}',
  provider text not null,
  last_sign_in_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  email text generated always as (lower((identity_data ->> 'email') collate "C")) stored,
  unique (provider_id, provider)
);
comment on table auth.identities is 'The ways to log in to an account: email, google or apple.';
create index identities_user_id_idx on auth.identities (user_id);

create table auth.sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  refreshed_at timestamptz,
  not_after timestamptz,
  aal text not null default 'aal1' check (aal in ('aal1', 'aal2')),
  amr jsonb not null default '[]',
  factor_id uuid,
  refresh_token_counter integer not null default 0,
  first_refresh_token integer not null default 0,
  user_agent text
);
comment on table auth.sessions is 'One row per login. Refresh tokens are not stored: they are signed and contain the counter.';
create index sessions_user_id_idx on auth.sessions (user_id);

create table auth.one_time_tokens (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  token_type text not null check (token_type in
    ('confirmation_token', 'recovery_token', 'magic_link_token', 'email_change_token_new', 'email_change_token_current',
      'reauthentication_token')),
  token_hash text not null,
  code_hash text not null,
  relates_to text not null,
  network_hash text not null,
  flow_id uuid,
  created_at timestamptz not null default now()
);
comment on table auth.one_time_tokens is 'Mailed links (token_hash) and six-digit codes (code_hash), as hashes.';
comment on column auth.one_time_tokens.network_hash is
  'The network from which the mail was requested, as a keyed hash. Requests from other networks do not replace the token.';
comment on column auth.one_time_tokens.flow_id is
  'The row of auth.flow_state with the PKCE challenge of the browser that requested the mail.';
create index one_time_tokens_user_id_idx on auth.one_time_tokens (user_id, token_type);
create index one_time_tokens_relates_to_idx on auth.one_time_tokens (relates_to);
create index one_time_tokens_token_hash_idx on auth.one_time_tokens (token_hash);

create table auth.flow_state (
  id uuid primary key default gen_random_uuid(),
  user_id uuid references auth.users on delete cascade,
  auth_code text unique,
  code_challenge text,
  code_challenge_method text check (code_challenge_method in ('s256', 'plain')),
  provider_type text not null,
  provider_access_token text,
  provider_refresh_token text,
  provider_nonce text,
  provider_code_verifier text,
  authentication_method text not null,
  redirect_to text,
  created_at timestamptz not null default now(),
  auth_code_issued_at timestamptz,
  password_hash text
);
comment on table auth.flow_state is
  'Logins in progress: to a provider and back, or from a mailed link to the browser that requested it (PKCE).';
comment on column auth.flow_state.password_hash is
  'The password entered at a sign-up for an unconfirmed account. It takes effect when the browser that entered it opens the mailed link.';
create index flow_state_created_at_idx on auth.flow_state (created_at);

create table auth.known_networks (
  user_id uuid not null references auth.users on delete cascade,
  network_hash text not null,
  used_at timestamptz not null default now(),
  primary key (user_id, network_hash)
);
comment on table auth.known_networks is
  'Networks from which an account has logged in, as keyed hashes, for half a year. Rate limits count attempts from other networks '
  'separately.';
create index known_networks_used_at_idx on auth.known_networks (used_at);

create table auth.provider_tokens (
  user_id uuid not null references auth.users on delete cascade,
  provider text not null,
  refresh_token text not null,
  updated_at timestamptz not null default now(),
  primary key (user_id, provider)
);
comment on table auth.provider_tokens is 'Encrypted refresh tokens of providers that must be notified when an account is deleted (Apple).';

create table auth.mfa_factors (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  friendly_name text,
  factor_type text not null check (factor_type in ('totp', 'phone')),
  status text not null default 'unverified' check (status in ('unverified', 'verified')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  secret text,
  phone text,
  last_challenged_at timestamptz,
  last_step bigint
);
comment on column auth.mfa_factors.last_step is 'The time step of the last accepted TOTP code, so that no code is accepted twice.';
create index mfa_factors_user_id_idx on auth.mfa_factors (user_id);
create unique index mfa_factors_friendly_name_key on auth.mfa_factors (user_id, friendly_name) where trim(friendly_name) <> '';

create table auth.mfa_challenges (
  id uuid primary key default gen_random_uuid(),
  factor_id uuid not null references auth.mfa_factors on delete cascade,
  created_at timestamptz not null default now(),
  verified_at timestamptz,
  otp_code text
);
create index mfa_challenges_factor_id_idx on auth.mfa_challenges (factor_id);

create table auth.mfa_recovery_codes (
  user_id uuid not null references auth.users on delete cascade,
  code_hash text not null,
  factor_id uuid not null references auth.mfa_factors on delete cascade,
  created_at timestamptz not null default now(),
  primary key (user_id, code_hash)
);
comment on table auth.mfa_recovery_codes is 'One-time codes that replace a factor, as hashes.';
create index mfa_recovery_codes_factor_id_idx on auth.mfa_recovery_codes (factor_id);

create table auth.account_changes (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  email text not null,
  token_hash text unique,
  created_at timestamptz not null default now()
);
comment on table auth.account_changes is
  'Changes of password, email address or factor, which a mailed link (token_hash) can revert for three days. The email column is the '
  'previous address.';
create index account_changes_user_id_idx on auth.account_changes (user_id);

create table auth.local_mails (
  id bigint generated always as identity primary key,
  recipient text not null,
  subject text not null,
  html text not null,
  plain text not null,
  created_at timestamptz not null default now()
);
comment on table auth.local_mails is 'Mails, if no SMTP server is set. Only the newest are stored. /inbox shows them to this machine only.';

create unlogged table auth.rate_limits (
  key text primary key,
  points integer not null,
  expire bigint
);
comment on table auth.rate_limits is
  'Rate limit counters of the library rate-limiter-flexible, shared by all host processes. Keys are hashed, so no IP or email address is '
  'stored.';
comment on column auth.rate_limits.points is 'The number of attempts since the counter started.';
comment on column auth.rate_limits.expire is 'Time at which the counter restarts, in milliseconds since 1970.';

do $$
declare
  name text;
begin
  for name in select tablename from pg_catalog.pg_tables where schemaname = 'auth' loop
    execute format('alter table auth.%I enable row level security', name);
  end loop;
end
$$;

-- Notifies every host process of a banned account or ended session, so that open sockets close before their next periodic check.
create function auth.report_revoked() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform pg_notify('packpark_revoked', old.id::text);
  return null;
end
$$;
create trigger report_ban after update of banned_until on auth.users
  for each row when (new.banned_until > now() and new.banned_until is distinct from old.banned_until)
  execute function auth.report_revoked();
create trigger report_end after delete on auth.sessions
  for each row execute function auth.report_revoked();
