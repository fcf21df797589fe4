// What begins with every proof of who somebody is: a session, with room made for it.
import type { DatabaseReader } from '@lothub/kit/database';
import type { Sql } from 'sql-template-tag';
import { endSession } from '../access/access-ends.ts';
import { SESSIONS_MAX, newSession } from '../access/sessions.ts';
import { knownBrowserMark } from './known-browser.ts';
import { deleteExpiredSessions, sessionsOf } from './people-queries.ts';
import type { Account } from './people-queries.ts';

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
  readonly browserMark: string;
}

export interface BegunSession {
  /** The signals of sessions that make room stand last. */
  readonly statements: readonly Sql[];
  readonly loggedIn: LoggedIn;
}

/** The session stands once the statements are written. */
export async function beginSession(
  reader: DatabaseReader,
  of: { readonly account: Account; readonly browser: Browser; readonly nowMs: number },
): Promise<BegunSession> {
  const { account, browser, nowMs } = of;
  const { id: accountId, email, name } = account;
  const old = await sessionsOf(reader, { accountId, nowMs, limit: SESSIONS_MAX * 2 });
  const tooMany = old.slice(SESSIONS_MAX - 1);
  const session = newSession({ accountId, agent: browser.agent, nowMs });
  return {
    statements: [
      deleteExpiredSessions(accountId, nowMs),
      ...session.statements,
      ...tooMany.flatMap(({ tokenHash }) => endSession({ accountId, tokenHash }, nowMs)),
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
