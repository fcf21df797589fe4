// Copies the people of an inbox of before into their own database: accounts, sessions, set-up links and
// invitations, with their ids.
import { DatabaseError } from '@lothub/kit/database';
import { SqliteConnection } from '@lothub/kit/sqlite/connection';

/** The first schema of this service that keeps no people. */
const SCHEMA_WITHOUT_PEOPLE = 2;

/** @param present number of the newest schema file that the inbox has; 0: it has none */
export function isWithPeople(present: number): boolean {
  return present > 0 && present < SCHEMA_WITHOUT_PEOPLE;
}

/**
 * Copies what is not there yet, in one transaction of the people's database. A crash behind it leaves the rows
 * in both databases; the next start copies what is missing, which is nothing. The schema file that drops them
 * here refuses to as long as an account is missing there.
 * @param files both are there; `file` has people still
 */
export function copyPeople(files: { readonly file: string; readonly people: string }): void {
  const connection = new SqliteConnection(files.people, 'write');
  try {
    connection.attach('inbox', files.file);
    connection.transaction(() => {
      refuseTwins(connection);
      connection.database.exec(COPY);
    });
  } finally {
    connection.database.close();
  }
}

/** Refuses two accounts with one e-mail, which exist if a hub was set up alone first: it is unknown which is meant. */
function refuseTwins({ database }: SqliteConnection): void {
  const twin = database
    .prepare(
      `select old.email as email
      from inbox.accounts old
      join accounts on accounts.email = old.email and accounts.id <> old.id
      limit 1`,
    )
    .get();
  if (twin === undefined) return;
  throw new DatabaseError(
    'database_failed',
    `moving the people of notifications.db to people.db: both have an account with the e-mail ` +
      `${String(twin['email'])}. Move people.db away, start again, and invite its people anew`,
  );
}

const COPY = `
  insert into accounts (id, email, name, password_hash, created_at)
  select id, email, name, password_hash, created_at
  from inbox.accounts
  where true
  on conflict (id) do nothing;

  insert or ignore into sessions (
    token_hash, account_id, agent, created_at, last_seen_at, expires_at
  )
  select token_hash, account_id, agent, created_at, last_seen_at, expires_at
  from inbox.sessions;

  insert or ignore into setup_links (token_hash, created_at, expires_at, used_at)
  select token_hash, created_at, expires_at, used_at
  from inbox.setup_links;

  insert or ignore into invitations (
    id, token_hash, place, role, email, invited_by, created_at, expires_at, accepted_at, accepted_by,
    entered_at, revoked_at
  )
  select
    id, token_hash, 'group:' || group_id, role, email, invited_by, created_at, expires_at, accepted_at,
    accepted_by, accepted_at, revoked_at
  from inbox.invitations;
`;
