// The first account, which is the operator of the hub: by a one-use link that the first start prints, or by
// settings. There is no default password, and neither way works once there is an account.
import { randomBase62 } from '@lothub/kit/secrets/base62';
import type { Clock } from '@lothub/kit/clock';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import type { Passwords } from '../passwords/passwords.ts';
import { PeopleProblem } from '../errors.ts';
import { SERVICE, insertAuditEntry, type Actor } from '../store/audit.ts';
import type { PeopleStore } from '../store/store.ts';
import { beginSession, type Browser, type LoggedIn } from './begin-session.ts';
import { newAccount } from './new-account.ts';
import {
  endSetupLinks,
  grantFirstOperator,
  hasAccounts,
  insertSetupLink,
  findSetupLink,
  whileNobody,
  whileSetupLinkGood,
} from './queries.ts';
import { checkNewPerson, type NewPerson } from './schema.ts';

/** docs/interface/notifications.md#set-up */
export const SETUP_LINK_LIFE_MS = 24 * 60 * 60 * 1_000;
/** Each start without an account makes one more, in each process; older ones make room. */
const SETUP_LINKS_MAX = 20;
/** 256 bits in base62. */
const SECRET_LENGTH = 43;

export interface SetupLink {
  /** To be shown once: it holds the secret. */
  readonly url: string;
  readonly expiresAt: number;
}

export interface SetUpDeps {
  readonly store: PeopleStore;
  readonly clock: Clock;
  readonly passwords: Passwords;
}

export interface SetupLinkDeps extends Pick<SetUpDeps, 'store' | 'clock'> {
  readonly publicUrl: string;
  /** The start of the paths of the pages that show the link, such as `/inbox`. */
  readonly prefix: string;
}

/** @throws PeopleProblem `conflict` when somebody has an account already */
export async function makeSetupLink(
  deps: SetupLinkDeps,
  actor: Actor = SERVICE,
): Promise<SetupLink> {
  const at = deps.clock.nowMs();
  const secret = randomBase62(SECRET_LENGTH);
  const expiresAt = at + SETUP_LINK_LIFE_MS;
  const { kind } = await deps.store.change({
    guard: whileNobody(),
    statements: [
      ...insertSetupLink({
        tokenHash: sha256Hex(secret),
        createdAt: at,
        expiresAt,
        keptMax: SETUP_LINKS_MAX - 1,
      }),
      insertAuditEntry({
        at,
        actor,
        action: 'setup_link_made',
        place: null,
        subject: null,
        details: {},
      }),
    ],
  });
  if (kind === 'stale') {
    throw new PeopleProblem('conflict', 'Somebody has an account: ask an owner for an invitation');
  }
  return { url: `${deps.publicUrl}${deps.prefix}/setup/${secret}`, expiresAt };
}

/**
 * What a start leaves to be printed.
 * @returns nothing once somebody has an account
 */
export async function setupLinkOfStart(deps: SetupLinkDeps): Promise<SetupLink | undefined> {
  if (await hasAccounts(deps.store.reader)) return undefined;
  try {
    return await makeSetupLink(deps);
  } catch (error) {
    if (error instanceof PeopleProblem && error.code === 'conflict') return undefined;
    throw error;
  }
}

/** @throws PeopleProblem `not_found`; `link_used_up` also when somebody has an account by now */
export async function checkSetupLink(
  { store, clock }: Pick<SetUpDeps, 'store' | 'clock'>,
  secret: string,
): Promise<void> {
  const link = await findSetupLink(store.reader, sha256Hex(secret));
  if (link === undefined) throw new PeopleProblem('not_found', 'There is no such set-up link');
  const isOver = link.usedAt !== null || link.expiresAt <= clock.nowMs();
  if (isOver || (await hasAccounts(store.reader))) throw usedUp();
}

export interface SetUpRequest {
  readonly secret: string;
  readonly person: NewPerson;
  readonly browser: Browser;
}

/**
 * Makes the first account, which is the operator of the hub.
 * @throws PeopleProblem `not_found`, `link_used_up`, `fields_invalid`, `unavailable`
 */
export async function setUp(deps: SetUpDeps, request: SetUpRequest): Promise<LoggedIn> {
  const { store, clock, passwords } = deps;
  checkNewPerson(request.person, '');
  await checkSetupLink(deps, request.secret);
  const passwordHash = await passwords.hash(request.person.password);
  const at = clock.nowMs();
  const made = newAccount({ ...request.person, passwordHash }, at);
  const { account } = made;
  const begun = await beginSession(store.reader, { account, browser: request.browser, nowMs: at });
  const { kind } = await store.change({
    guard: whileSetupLinkGood(sha256Hex(request.secret), at),
    statements: [
      ...made.statements,
      ...grantFirstOperator(account.id, at),
      endSetupLinks(at),
      ...begun.statements,
    ],
  });
  if (kind === 'stale') throw usedUp();
  return begun.loggedIn;
}

function usedUp(): PeopleProblem {
  return new PeopleProblem(
    'link_used_up',
    'The set-up link was used or has expired: start again for one',
  );
}
