// Single sign-on: people log in at a provider of OpenID Connect, and return with its claims about them.
import type { Clock } from '@lothub/kit/clock';
import type { TokenBucket } from '@lothub/kit/http/token-bucket';
import { toClientNetwork } from '@lothub/kit/http/client-address';
import { rateProblem } from '../access/rate.ts';
import { endSession } from '../access/session-ends.ts';
import { findSession } from '../access/sessions.ts';
import { beginSession, type Browser, type LoggedIn } from '../accounts/begin-session.ts';
import type { BrandNames } from '../brands/brand-names.ts';
import { setRolesBySignOn, type SignOnRole } from '../brands/sign-on-roles.ts';
import type { PlaceRegistry } from '../places/places.ts';
import type { PeopleStore } from '../store/store.ts';
import { keepAttempt, takeAttempt } from './attempts.ts';
import { readClaimedRoles, readIdentity, type ClaimedRoles } from './claims.ts';
import type { IdentityProvider } from './identity-provider.ts';
import { joinAccount } from './join.ts';
import { nextPath, type PagesPrefix } from './next-path.ts';
import { SignOnProblem } from './problems.ts';
import type { SignOnSettings } from './settings.ts';
import { whileJoined } from './sign-on-queries.ts';
import { PeopleProblem } from '../errors.ts';
import { viewInvitation } from '../invitations/accept.ts';
import type { InvitationDeps } from '../invitations/deps.ts';

/** Log-ins that one address may start at once: an office starts work in the morning. */
const BEGUN_BURST = 60;
const BEGUN_PER_MINUTE = 30;

/** What a process keeps for single sign-on. */
export interface SignOn {
  readonly settings: SignOnSettings;
  readonly provider: IdentityProvider;
  /** Log-ins that one client address begins. */
  readonly begun: TokenBucket | undefined;
}

/** Loads what talks to a provider only where one is set: it takes as long as a tenth of a start. */
export async function openSignOn(options: {
  readonly settings: SignOnSettings;
  readonly store: PeopleStore;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}): Promise<SignOn> {
  const { settings, store, clock, onError } = options;
  const { IdentityProvider } = await import('./identity-provider.ts');
  return {
    settings,
    provider: new IdentityProvider({ settings, clock }),
    begun: store.tokenBucket({
      name: 'sign-on-address',
      rate: { burst: BEGUN_BURST, perMinute: BEGUN_PER_MINUTE },
      onError,
    }),
  };
}

export interface SignOnDeps {
  readonly store: PeopleStore;
  readonly clock: Clock;
  readonly publicUrl: string;
  readonly places: PlaceRegistry;
  readonly brandNames: BrandNames;
  readonly signOn: SignOn;
}

/** Where the provider sends the browser back to: it has to know this address. */
export function backAddress(publicUrl: string, prefix: PagesPrefix): string {
  return `${publicUrl}${prefix}/sign-on/back`;
}

/**
 * Begins a log-in.
 * @returns where the browser goes, and the value for its cookie
 * @throws SignOnProblem; PeopleProblem `rate_limited`
 */
export async function beginSignOn(
  deps: SignOnDeps,
  request: {
    readonly prefix: PagesPrefix;
    readonly next: string | undefined;
    /** Where the request comes from, as the network says. */
    readonly address: string;
    readonly browserSecret: string | undefined;
  },
): Promise<{ readonly url: string; readonly browserSecret: string }> {
  const { signOn, publicUrl } = deps;
  const { prefix } = request;
  const verdict = await signOn.begun?.take(toClientNetwork(request.address));
  if (verdict !== undefined && !verdict.allowed) throw rateProblem(verdict);
  const { url, ...begun } = await signOn.provider.begin({ backTo: backAddress(publicUrl, prefix) });
  const browserSecret = await keepAttempt(deps, {
    attempt: { ...begun, next: nextPath(request.next, prefix) },
    browserSecret: request.browserSecret,
  });
  return { url, browserSecret };
}

export interface SignedOn {
  readonly loggedIn: LoggedIn;
  readonly next: string;
  /** What the claims give and a place, or the person, has no room for. */
  readonly withoutRoom: readonly SignOnRole[];
}

/**
 * Ends a log-in: finds or makes the account, gives and takes roles by the claims, and begins a session. Each
 * step is committed by itself: after a crash in between the person is not logged in, and the next log-in does the rest.
 * @param request `search` is the query that the browser came back with, from its `?`
 * @throws SignOnProblem
 */
export async function finishSignOn(
  deps: SignOnDeps,
  request: {
    readonly prefix: PagesPrefix;
    readonly search: string;
    readonly browserSecret: string | undefined;
    readonly browser: Browser;
    /** Cookie of a session that the new one takes the place of. */
    readonly oldSecret: string | undefined;
  },
): Promise<SignedOn> {
  const { store, clock, publicUrl, signOn } = deps;
  const { settings, provider } = signOn;
  const answer = new URL(backAddress(publicUrl, request.prefix));
  answer.search = request.search;
  const attempt = await takeAttempt(deps, {
    state: answer.searchParams.get('state') ?? undefined,
    browserSecret: request.browserSecret,
  });
  const claims = await provider.finish(answer, attempt);
  const identity = readIdentity(claims);
  if (identity === undefined) throw new SignOnProblem('answer_wrong');
  const roles = await knownRoles(deps, readClaimedRoles(claims, settings));
  const nowMs = clock.nowMs();
  const { oldSecret: secret } = request;
  const old = secret === undefined ? undefined : await findSession(store.reader, { secret, nowMs });
  const { account, signOnId } = await joinAccount(deps, {
    issuer: settings.issuer,
    identity,
    loggedInAs: old?.person.accountId,
    mayHaveAccount: async (email) =>
      roles.length > 0 || (await isInvited(deps, { path: attempt.next, email })),
  });
  const { withoutRoom } = await setRolesBySignOn(deps, { account, roles });
  const begun = await beginSession(store.reader, {
    account,
    browser: request.browser,
    nowMs,
    signOnId,
  });
  const { kind } = await store.change({
    guard: whileJoined({ id: signOnId }),
    statements: [
      ...begun.statements,
      ...(old === undefined
        ? []
        : endSession({ accountId: old.person.accountId, tokenHash: old.tokenHash })),
    ],
  });
  if (kind === 'stale') throw new SignOnProblem('account_removed');
  return { loggedIn: begun.loggedIn, next: attempt.next, withoutRoom };
}

/** Without brands that the hub does not know; a process without the hub knows none. */
async function knownRoles(
  { brandNames }: Pick<SignOnDeps, 'brandNames'>,
  claimed: ClaimedRoles,
): Promise<readonly SignOnRole[]> {
  const { brandRole, hubRole } = claimed;
  const roles: SignOnRole[] = [];
  if (hubRole !== undefined) {
    roles.push({ place: { kind: 'hub', id: '' }, role: hubRole });
  }
  if (brandRole === undefined) return roles;
  for (const id of claimed.brands) {
    if (await brandNames.isKnown(id)) roles.push({ place: { kind: 'brand', id }, role: brandRole });
  }
  return roles;
}

/** The page of an invitation, of either service. */
const INVITATION_PATH = /^\/(?:console|inbox)\/invitation\/([0-9A-Za-z]{1,100})$/;

/**
 * Whether a path is that of an open invitation that somebody may use. It is not accepted: its page asks first.
 * @param visit `email` as the provider verified it, in lower case
 */
async function isInvited(
  deps: InvitationDeps,
  visit: { readonly path: string; readonly email: string },
): Promise<boolean> {
  const secret = INVITATION_PATH.exec(visit.path)?.[1];
  if (secret === undefined) return false;
  try {
    const { email } = await viewInvitation(deps, secret);
    return email === null || email === visit.email;
  } catch (error) {
    if (error instanceof PeopleProblem) return false;
    throw error;
  }
}
