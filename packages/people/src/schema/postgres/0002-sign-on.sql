-- Single sign-on: who an account is at a provider, and log-ins that are under way there.

create table sign_ons (
  id text collate "C" primary key,
  account_id text collate "C" not null references accounts (id),
  -- The provider, and what it calls the person for ever.
  issuer text collate "C" not null,
  subject text collate "C" not null,
  joined_at bigint not null,
  last_used_at bigint not null,
  unique (issuer, subject),
  unique (account_id, issuer)
);

create index sessions_by_sign_on on sessions (sign_on_id);

create table sign_on_attempts (
  -- SHA-256 of what comes back in the address.
  state_hash text collate "C" primary key,
  -- SHA-256 of a cookie: only the browser that began it may end it.
  browser_hash text collate "C" not null,
  nonce text collate "C" not null,
  verifier text collate "C" not null,
  -- Where the browser goes in the end.
  next text collate "C" not null,
  expires_at bigint not null
);

create index sign_on_attempts_by_age on sign_on_attempts (expires_at);
