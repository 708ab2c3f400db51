-- An unconfirmed account that somebody signs up for again with another password: whose password counts is shown by whose
-- browser comes back (see docs/decisions/020-repeated-signups.md).

alter table auth.flow_state add column password_hash text;
comment on column auth.flow_state.password_hash is 'The password typed at a contested signup: it counts once the browser that typed it comes back from the mail.';
