// Logging in and out with e-mail and password.
import { toClientNetwork } from '@lothub/kit/http/client-address';
import type { Clock } from '@lothub/kit/clock';
import { nextWorkTurn } from '@lothub/kit/in-turns';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { endSession } from '../access/session-ends.ts';
import { foldEmail } from '../access/email.ts';
import type { Passwords } from '../passwords/passwords.ts';
import { SESSIONS_MAX, findSession, type SessionKey } from '../access/sessions.ts';
import { PeopleProblem } from '../errors.ts';
import { changePlanned } from '@lothub/kit/writer/change-planned';
import type { PeopleStore } from '../store/store.ts';
import type { SignOnSettings } from '../sign-on/settings.ts';
import { beginSession, type Browser, type LoggedIn } from './begin-session.ts';
import { knownBrowserId } from './known-browser.ts';
import type { Guesser, LoginThrottle } from './login-throttle.ts';
import { accountOfEmail, updatePassword, whilePasswordIs, type Account } from './queries.ts';

export interface LogInDeps {
  readonly store: PeopleStore;
  readonly clock: Clock;
  readonly passwords: Passwords;
  readonly throttle: LoginThrottle;
  /** Says whether people log in with passwords at all; undefined: they do. */
  readonly signOn?: { readonly settings: Pick<SignOnSettings, 'passwordLogin'> } | undefined;
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
 * @throws PeopleProblem `login_failed` in the same words and after the same time whatever is wrong;
 * `rate_limited`; `unavailable` when too many try at once; `password_login_off`
 */
export async function logIn(deps: LogInDeps, request: LogInRequest): Promise<LoggedIn> {
  const { store, passwords, throttle } = deps;
  const { password, browser } = request;
  assertPasswordLogin(deps);
  const email = foldEmail(request.email);
  const loggedIn = await changePlanned(store, async () => {
    const account = await accountOfEmail(store.reader, email);
    const guesser = identifyGuesser(account, { ...request, email });
    const right = await throttle.attempt(guesser, async () => {
      const verdict = await passwords.verify(password, account?.passwordHash);
      return verdict.isRight && account !== undefined ? { account, verdict } : undefined;
    });
    if (right === undefined) {
      throw new PeopleProblem(
        'login_failed',
        'There is no account with this e-mail and this password',
      );
    }
    const nowMs = deps.clock.nowMs();
    const newHash = right.verdict.isOutdated ? await passwords.hash(password) : undefined;
    const present = { ...right.account, passwordHash: newHash ?? right.account.passwordHash };
    const old = await oldSession(deps, { request, accountId: present.id, nowMs });
    const begun = await beginSession(store.reader, { account: present, browser, nowMs });
    return {
      // Who changes the password ends all sessions: none may begin with the old one behind that.
      guard: whilePasswordIs(right.account),
      rowsPerStatementMax: SESSIONS_MAX,
      // A session that a loss of power undoes is begun again; one that this browser has ended stays so.
      mayBeLost: old === undefined,
      statements: [
        ...(newHash === undefined ? [] : [updatePassword(present.id, newHash)]),
        ...begun.statements,
        ...(old === undefined ? [] : endSession(old)),
      ],
      result: begun.loggedIn,
    };
  });
  // Those that were written together are answered one by one, and others in between.
  await nextWorkTurn();
  return loggedIn;
}

/** @throws PeopleProblem `password_login_off` */
export function assertPasswordLogin({ signOn }: Pick<LogInDeps, 'signOn'>): void {
  if (signOn?.settings.passwordLogin !== 'off') return;
  throw new PeopleProblem(
    'password_login_off',
    'Nobody logs in with a password here: use the single sign-on',
  );
}

/** Ends a session; nothing happens when it has ended. */
export async function logOut(
  { store }: Pick<LogInDeps, 'store'>,
  session: SessionKey,
): Promise<void> {
  await store.write(endSession(session));
}

function identifyGuesser(
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
    address: toClientNetwork(request.address),
  };
}

async function oldSession(
  { store }: Pick<LogInDeps, 'store'>,
  lookup: { readonly request: LogInRequest; readonly accountId: string; readonly nowMs: number },
): Promise<SessionKey | undefined> {
  const { oldSecret } = lookup.request;
  if (oldSecret === undefined) return undefined;
  const found = await findSession(store.reader, { secret: oldSecret, nowMs: lookup.nowMs });
  if (found === undefined) return undefined;
  return { accountId: found.person.accountId, tokenHash: found.tokenHash };
}
