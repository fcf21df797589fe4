-- People of both services: accounts, sessions, set-up links, invitations, and what each may do. Times are
-- milliseconds since the Unix epoch, UTC. Identifiers are texts with a prefix that says of what (usr_, inv_).

-- One row. A transaction that ends sessions counts it here, so that processes that hold streams open look
-- whether theirs is among them.
create table head (
  id integer primary key check (id = 1),
  session_ends integer not null
) strict;

insert into head (id, session_ends) values (1, 0);

create table accounts (
  id text primary key,
  -- In lower case; null once the account is erased.
  email text unique,
  -- Stays when the account is erased: it says who did what.
  name text not null,
  -- argon2id, in the PHC string format; null: no log-in by password.
  password_hash text,
  created_at integer not null,
  erased_at integer
) strict;

create index accounts_by_age on accounts (created_at, id);

create table sessions (
  -- SHA-256 of the cookie.
  token_hash text primary key,
  account_id text not null references accounts (id),
  -- What the browser calls itself, for the list of one's own sessions.
  agent text not null,
  created_at integer not null,
  last_seen_at integer not null,
  expires_at integer not null,
  -- What the session was begun with at a provider of single sign-on; null: a password or a link.
  sign_on_id text
) strict;

create index sessions_by_account on sessions (account_id, created_at);

create table setup_links (
  -- SHA-256 of the secret in the link.
  token_hash text primary key,
  created_at integer not null,
  expires_at integer not null,
  used_at integer
) strict;

create table invitations (
  id text primary key,
  -- SHA-256 of the secret in the link.
  token_hash text not null unique,
  -- Where it leads: `group:` and the id of a group, `brand:` and the name of a tenant, or `hub`.
  place text not null,
  role text not null,
  -- Whom it is meant for, as the inviting person wrote it; anybody with the link may use it when null.
  email text,
  -- Null: by the operator's command line.
  invited_by text references accounts (id),
  created_at integer not null,
  expires_at integer not null,
  accepted_at integer,
  accepted_by text references accounts (id),
  -- When the person was let into a place that keeps its people itself; see invitations/.
  entered_at integer,
  revoked_at integer
) strict;

create index invitations_by_place on invitations (place, created_at);
create index invitations_by_age on invitations (expires_at);

-- Roles in brands, and of the hub. Groups keep their members themselves.
create table grants (
  account_id text not null references accounts (id),
  -- `brand:` and the name of a tenant, or `hub`.
  place text not null,
  role text not null,
  -- sign_on: the provider of single sign-on says so, and takes it again; null: somebody gave it.
  source text,
  -- Null: by the operator's command line, the service itself or the provider of single sign-on.
  granted_by text references accounts (id),
  granted_at integer not null,
  primary key (account_id, place)
) strict;

create index grants_by_place on grants (place, granted_at);

create table audit (
  id integer primary key autoincrement,
  at integer not null,
  -- Null: by the operator's command line or by the service itself.
  account_id text,
  -- Who, as it was called then.
  actor text not null,
  -- See AuditAction in src/store/audit.ts.
  action text not null,
  -- As in `invitations`; null: of an account.
  place text,
  -- What it was done to, such as the id of an account.
  subject text,
  -- JSON; never a secret.
  details text not null
) strict;

create index audit_by_place on audit (place, id);
