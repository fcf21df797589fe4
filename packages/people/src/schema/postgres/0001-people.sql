-- People of both services: accounts, sessions, set-up links, invitations, and what each may do. Times are
-- milliseconds since the Unix epoch, UTC. Identifiers are texts with a prefix that says of what (usr_, inv_).

-- One row. A change that was planned on what was read takes it before anything else, so that none is planned
-- on what another one is changing. A transaction that ends sessions counts it here, so that processes that
-- hold streams open look whether theirs is among them.
create table head (
  id bigint primary key check (id = 1),
  session_ends bigint not null
) with (fillfactor = 10);

insert into head (id, session_ends) values (1, 0);

create function tell_session_ends() returns trigger language plpgsql as $$
begin
  notify people_ends;
  return null;
end
$$;

create trigger sessions_ended after update on head
for each statement execute function tell_session_ends();

create table accounts (
  id text collate "C" primary key,
  -- In lower case; null once the account is erased.
  email text collate "C" unique,
  -- Stays when the account is erased: it says who did what.
  name text collate "C" not null,
  -- argon2id, in the PHC string format; null: no log-in by password.
  password_hash text collate "C",
  created_at bigint not null,
  erased_at bigint
);

create index accounts_by_age on accounts (created_at, id);

create table sessions (
  -- SHA-256 of the cookie.
  token_hash text collate "C" primary key,
  account_id text collate "C" not null references accounts (id),
  -- What the browser calls itself, for the list of one's own sessions.
  agent text collate "C" not null,
  created_at bigint not null,
  last_seen_at bigint not null,
  expires_at bigint not null,
  -- What the session was begun with at a provider of single sign-on; null: a password or a link.
  sign_on_id text collate "C"
);

create index sessions_by_account on sessions (account_id, created_at);

create table setup_links (
  -- SHA-256 of the secret in the link.
  token_hash text collate "C" primary key,
  created_at bigint not null,
  expires_at bigint not null,
  used_at bigint
);

create table invitations (
  id text collate "C" primary key,
  -- SHA-256 of the secret in the link.
  token_hash text collate "C" not null unique,
  -- Where it leads: `group:` and the id of a group, `brand:` and the name of a tenant, or `hub`.
  place text collate "C" not null,
  role text collate "C" not null,
  -- Whom it is meant for, as the inviting person wrote it; anybody with the link may use it when null.
  email text collate "C",
  -- Null: by the operator's command line.
  invited_by text collate "C" references accounts (id),
  created_at bigint not null,
  expires_at bigint not null,
  accepted_at bigint,
  accepted_by text collate "C" references accounts (id),
  -- When the person was let into a place that keeps its people itself; see invitations/.
  entered_at bigint,
  revoked_at bigint
);

create index invitations_by_place on invitations (place, created_at);
create index invitations_by_age on invitations (expires_at);

-- Roles in brands, and of the hub. Groups keep their members themselves.
create table grants (
  account_id text collate "C" not null references accounts (id),
  -- `brand:` and the name of a tenant, or `hub`.
  place text collate "C" not null,
  role text collate "C" not null,
  -- sign_on: the provider of single sign-on says so, and takes it again; null: somebody gave it.
  source text collate "C",
  -- Null: by the operator's command line, the service itself or the provider of single sign-on.
  granted_by text collate "C" references accounts (id),
  granted_at bigint not null,
  primary key (account_id, place)
);

create index grants_by_place on grants (place, granted_at);

create table audit (
  id bigint generated always as identity primary key,
  at bigint not null,
  -- Null: by the operator's command line or by the service itself.
  account_id text collate "C",
  -- Who, as it was called then.
  actor text collate "C" not null,
  -- See AuditAction in src/store/audit.ts.
  action text collate "C" not null,
  -- As in `invitations`; null: of an account.
  place text collate "C",
  -- What it was done to, such as the id of an account.
  subject text collate "C",
  -- JSON; never a secret.
  details text collate "C" not null
);

create index audit_by_place on audit (place, id);

-- How much each caller has used of what it may do, for all processes together. Unlogged: counting costs no
-- write to disk, and a crash of the server starts anew.
create unlogged table rate_buckets (
  key text collate "C" primary key,
  -- When it may do its whole burst again, in microseconds since the Unix epoch.
  full_at bigint not null,
  -- How many requests the statement that wrote the row last was given.
  granted bigint not null
) with (fillfactor = 50);

-- Work that one of several processes does at a time; see lease.ts of the kit.
create table leases (
  name text collate "C" primary key,
  holder text collate "C" not null,
  expires_at timestamptz not null
) with (fillfactor = 25);
