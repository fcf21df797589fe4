-- Single sign-on: who an account is at a provider, and log-ins that are under way there.

create table sign_ons (
  id text primary key,
  account_id text not null references accounts (id),
  -- The provider, and what it calls the person for ever.
  issuer text not null,
  subject text not null,
  joined_at integer not null,
  last_used_at integer not null,
  unique (issuer, subject),
  unique (account_id, issuer)
) strict;

create index sessions_by_sign_on on sessions (sign_on_id);

create table sign_on_attempts (
  -- SHA-256 of what comes back in the address.
  state_hash text primary key,
  -- SHA-256 of a cookie: only the browser that began it may end it.
  browser_hash text not null,
  nonce text not null,
  verifier text not null,
  -- Where the browser goes in the end.
  next text not null,
  expires_at integer not null
) strict;

create index sign_on_attempts_by_age on sign_on_attempts (expires_at);
