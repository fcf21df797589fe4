// Logging in and out with e-mail and password.
import { clientOf } from '@lothub/kit/http/client-address';
import type { Clock } from '@lothub/kit/clock';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { endSession } from '../access/access-ends.ts';
import { foldEmail } from '../access/email.ts';
import type { Passwords } from '../access/passwords.ts';
import { findSession } from '../access/sessions.ts';
import type { SessionKey } from '../access/sessions.ts';
import { Problem } from '../errors.ts';
import { changePlanned } from '../store/planned-change.ts';
import type { NotificationStore } from '../store/store.ts';
import { beginSession } from './begin-session.ts';
import type { Browser, LoggedIn } from './begin-session.ts';
import { knownBrowserId } from './known-browser.ts';
import type { Guesser, LoginThrottle } from './login-throttle.ts';
import { accountOfEmail, updatePassword, whilePasswordIs } from './people-queries.ts';
import type { Account } from './people-queries.ts';

export interface LogInDeps {
  readonly store: NotificationStore;
  readonly clock: Clock;
  readonly passwords: Passwords;
  readonly throttle: LoginThrottle;
}

export interface LogInRequest {
  readonly email: string;
  readonly password: string;
  /** Where the request comes from, as the network says. */
  readonly address: string;
  readonly browser: Browser;
  /** Cookie of a session that the new one takes the place of. */
  readonly oldSecret: string | undefined;
}

/**
 * @throws Problem `login_failed` in the same words and after the same time whatever is wrong;
 * `rate_limited`; `unavailable` when too many try at once
 */
export async function logIn(deps: LogInDeps, request: LogInRequest): Promise<LoggedIn> {
  const { store, passwords, throttle } = deps;
  const { password, browser } = request;
  const email = foldEmail(request.email);
  return await changePlanned(store, async () => {
    const account = await accountOfEmail(store.reader, email);
    const guesser = guesserOf(account, { ...request, email });
    const right = await throttle.attempt(guesser, async () => {
      const verdict = await passwords.verify(password, account?.passwordHash);
      return verdict.isRight && account !== undefined ? { account, verdict } : undefined;
    });
    if (right === undefined) {
      throw new Problem('login_failed', 'There is no account with this e-mail and this password');
    }
    const nowMs = deps.clock.nowMs();
    const present = right.verdict.isOutdated
      ? { ...right.account, passwordHash: await passwords.hash(password) }
      : right.account;
    const old = await oldSession(deps, { request, accountId: present.id, nowMs });
    const begun = await beginSession(store.reader, { account: present, browser, nowMs });
    return {
      // Who changes the password ends all sessions: none may begin with the old one behind that.
      guard: whilePasswordIs(right.account),
      statements: [
        ...(right.verdict.isOutdated ? [updatePassword(present.id, present.passwordHash)] : []),
        ...begun.statements,
        ...(old === undefined ? [] : endSession(old, nowMs)),
      ],
      result: begun.loggedIn,
    };
  });
}

/** Ends a session; nothing happens when it has ended. */
export async function logOut(
  { store, clock }: Pick<LogInDeps, 'store' | 'clock'>,
  session: SessionKey,
): Promise<void> {
  await store.write(endSession(session, clock.nowMs()));
}

function guesserOf(
  account: Account | undefined,
  request: Pick<LogInRequest, 'email' | 'address' | 'browser'>,
): Guesser {
  const { mark } = request.browser;
  if (account !== undefined && mark !== undefined) {
    const id = knownBrowserId(account, mark);
    if (id !== undefined) return { kind: 'known', id };
  }
  // Counters may lie in a table: an address that somebody mistyped is no business of it.
  return {
    kind: 'stranger',
    account: sha256Hex(request.email),
    address: clientOf(request.address),
  };
}

async function oldSession(
  { store }: Pick<LogInDeps, 'store'>,
  of: { readonly request: LogInRequest; readonly accountId: string; readonly nowMs: number },
): Promise<SessionKey | undefined> {
  const { oldSecret } = of.request;
  if (oldSecret === undefined) return undefined;
  const found = await findSession(store.reader, { secret: oldSecret, nowMs: of.nowMs });
  if (found === undefined) return undefined;
  return { accountId: found.person.accountId, tokenHash: found.tokenHash };
}
