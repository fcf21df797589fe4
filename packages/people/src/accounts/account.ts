// What people do with their own account: name, password, sessions; and what the operator does for those
// who have lost their password.
import { instantText, type Clock } from '@lothub/kit/clock';
import type { Static } from 'typebox';
import { endSession, endSessions } from '../access/session-ends.ts';
import { foldEmail } from '../access/email.ts';
import type { Passwords } from '../passwords/passwords.ts';
import { toActor, type Person } from '../access/person.ts';
import { SESSIONS_MAX } from '../access/sessions.ts';
import { PeopleProblem } from '../errors.ts';
import { insertAuditEntry, type Actor, type AuditAction } from '../store/audit.ts';
import type { PeopleStore } from '../store/store.ts';
import { knownBrowserMark } from './known-browser.ts';
import type { LogInDeps } from './log-in.ts';
import {
  accountOfEmail,
  accountOfId,
  readSessions,
  updateName,
  updatePassword,
  whilePasswordIs,
} from './queries.ts';
import type { SessionRow } from './queries.ts';
import { checkName, checkNewPassword } from './schema.ts';
import type { PersonSchema, SessionListSchema, SessionSchema } from './schema.ts';

export interface AccountDeps {
  readonly store: PeopleStore;
  readonly clock: Clock;
}

/** Digits of a token hash that name a session in lists: they open nothing. */
const SESSION_ID_LENGTH = 16;

/** @throws PeopleProblem `fields_invalid` */
export async function renamePerson(
  { store, clock }: AccountDeps,
  person: Person,
  name: string,
): Promise<Static<typeof PersonSchema>> {
  checkName(name, '/name');
  const { accountId: id, email } = person;
  if (name !== person.name) {
    const entry = accountEntry('account_changed', toActor(person), { id, at: clock.nowMs() });
    await store.write([updateName(id, name), entry]);
  }
  return { id, email, name };
}

/**
 * Ends all other sessions.
 * @returns the new mark of the browser, whose old one ends with the old password
 * @throws PeopleProblem `login_failed` when the old password is wrong, or there is none; `rate_limited`,
 * `fields_invalid`, `unavailable`
 */
export async function changePassword(
  deps: LogInDeps,
  person: Person,
  { oldPassword, newPassword }: { readonly oldPassword: string; readonly newPassword: string },
): Promise<string | null> {
  const { store, clock, passwords, throttle } = deps;
  const { accountId } = person;
  checkNewPassword(newPassword, { email: person.email, pointer: '/new_password' });
  const staying = person.via.tokenHash;
  const account = await accountOfId(store.reader, accountId);
  const right = await throttle.attempt({ kind: 'known', id: `account ${accountId}` }, async () => {
    const verdict = await passwords.verify(oldPassword, account?.passwordHash);
    return verdict.isRight ? account : undefined;
  });
  if (right === undefined) throw new PeopleProblem('login_failed', 'The old password is not right');
  const passwordHash = await passwords.hash(newPassword);
  const at = clock.nowMs();
  const { kind } = await store.change({
    guard: whilePasswordIs(right),
    statements: [
      updatePassword(accountId, passwordHash),
      accountEntry('account_password_changed', toActor(person), { id: accountId, at }),
      ...endSessions({ accountId, staying }),
    ],
  });
  if (kind === 'stale') {
    throw new PeopleProblem('conflict', 'The password was changed elsewhere at the same moment');
  }
  return knownBrowserMark({ id: accountId, passwordHash }, undefined);
}

/**
 * For somebody who has lost the password, or the account to a thief: ends all sessions.
 * @returns id of the account, for whatever else lets its owner in
 * @throws PeopleProblem `not_found` when no account has this e-mail; `fields_invalid`
 */
export async function resetPassword(
  { store, clock, passwords }: AccountDeps & { readonly passwords: Passwords },
  actor: Actor,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<string> {
  const account = await accountOfEmail(store.reader, foldEmail(email));
  if (account === undefined)
    throw new PeopleProblem('not_found', 'Nobody has an account with this e-mail');
  checkNewPassword(password, { email: account.email, pointer: '/password' });
  const passwordHash = await passwords.hash(password);
  const at = clock.nowMs();
  await store.write([
    updatePassword(account.id, passwordHash),
    accountEntry('account_password_reset', actor, { id: account.id, at }),
    ...endSessions({ accountId: account.id, staying: null }),
  ]);
  return account.id;
}

/** The newest first; there are at most SESSIONS_MAX. */
export async function listSessions(
  { store, clock }: AccountDeps,
  person: Person,
): Promise<Static<typeof SessionListSchema>> {
  const rows = await openSessions({ store, clock }, person);
  return { items: rows.map((row) => sessionFrom(row, person)), next: null };
}

/** @throws PeopleProblem `not_found` */
export async function endOneSession(
  deps: AccountDeps,
  person: Person,
  sessionId: string,
): Promise<void> {
  const rows = await openSessions(deps, person);
  const row = rows.find(({ tokenHash }) => toId(tokenHash) === sessionId);
  if (row === undefined) throw new PeopleProblem('not_found', 'You have no such session');
  const at = deps.clock.nowMs();
  const { accountId } = person;
  await deps.store.write([
    accountEntry('sessions_ended', toActor(person), { id: accountId, at }),
    ...endSession({ accountId, tokenHash: row.tokenHash }),
  ]);
}

/** Ends all but the one that asks. */
export async function endOtherSessions(
  { store, clock }: AccountDeps,
  person: Person,
): Promise<void> {
  const at = clock.nowMs();
  const { accountId } = person;
  const staying = person.via.tokenHash;
  await store.write([
    accountEntry('sessions_ended', toActor(person), { id: accountId, at }),
    ...endSessions({ accountId, staying }),
  ]);
}

async function openSessions(
  { store, clock }: AccountDeps,
  { accountId }: Person,
): Promise<readonly SessionRow[]> {
  return await readSessions(store.reader, {
    accountId,
    nowMs: clock.nowMs(),
    limit: SESSIONS_MAX,
  });
}

function sessionFrom(row: SessionRow, { via }: Person): Static<typeof SessionSchema> {
  return {
    id: toId(row.tokenHash),
    agent: row.agent,
    created_at: instantText(row.createdAt),
    last_seen_at: instantText(row.lastSeenAt),
    expires_at: instantText(row.expiresAt),
    is_current: via.tokenHash === row.tokenHash,
  };
}

function toId(tokenHash: string): string {
  return tokenHash.slice(0, SESSION_ID_LENGTH);
}

function accountEntry(
  action: AuditAction,
  actor: Actor,
  { id: subject, at }: { readonly id: string; readonly at: number },
) {
  return insertAuditEntry({ at, actor, action, place: null, subject, details: {} });
}
