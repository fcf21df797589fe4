// What begins with every proof of who somebody is: a session, with room made for it.
import type { DatabaseReader } from '@lothub/kit/database';
import type { Sql } from 'sql-template-tag';
import { endOldestSessions } from '../access/session-ends.ts';
import { newSession } from '../access/sessions.ts';
import { knownBrowserMark } from './known-browser.ts';
import { deleteExpiredSessions, hasAllSessions, type Account } from './queries.ts';

/** Where a session begins. */
export interface Browser {
  /** As its User-Agent header has it. */
  readonly agent: string;
  /** Cookie of an earlier log-in. */
  readonly mark: string | undefined;
}

/** Somebody who has just logged in. Both secrets go into cookies of the browser and nowhere else. */
export interface LoggedIn {
  readonly accountId: string;
  readonly email: string;
  readonly name: string;
  readonly sessionSecret: string;
  /** Null for an account without a password, which needs no protection from guessing. */
  readonly browserMark: string | null;
}

export interface BegunSession {
  readonly statements: readonly Sql[];
  readonly loggedIn: LoggedIn;
}

/** Begins a session, which is valid once the statements are written. */
export async function beginSession(
  reader: DatabaseReader,
  {
    account,
    browser,
    nowMs,
    signOnId,
  }: {
    readonly account: Account;
    readonly browser: Browser;
    /** As of `newSession`. */
    readonly signOnId?: string;
    readonly nowMs: number;
  },
): Promise<BegunSession> {
  const { id: accountId, email, name } = account;
  const isFull = await hasAllSessions(reader, accountId);
  const session = newSession({ accountId, agent: browser.agent, nowMs, signOnId });
  return {
    statements: [
      deleteExpiredSessions(accountId, nowMs),
      ...session.statements,
      ...(isFull ? endOldestSessions(accountId) : []),
    ],
    loggedIn: {
      accountId,
      email,
      name,
      sessionSecret: session.secret,
      browserMark: knownBrowserMark(account, browser.mark),
    },
  };
}
