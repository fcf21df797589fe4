// The first account: by a one-use link that the first start prints, or by settings. There is no default
// password, and nobody else gets in this way once somebody has an account.
import { randomBase62 } from '@lothub/kit/secrets/base62';
import type { Clock } from '@lothub/kit/clock';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import type { Passwords } from '../access/passwords.ts';
import { Problem } from '../errors.ts';
import { insertGroup } from '../groups/new-group.ts';
import { PAGES_PREFIX } from '../http.ts';
import { insertAuditEntry } from '../store/audit.ts';
import type { Actor } from '../store/audit.ts';
import { newId } from '../store/ids.ts';
import type { NotificationStore } from '../store/store.ts';
import { beginSession } from './begin-session.ts';
import type { Browser, LoggedIn } from './begin-session.ts';
import { newAccount } from './new-account.ts';
import {
  endSetupLinks,
  hasAccounts,
  insertSetupLink,
  setupLinkOf,
  whileNobody,
  whileSetupLinkGood,
} from './people-queries.ts';
import { checkName, checkNewPerson } from './people-schema.ts';
import type { NewPerson } from './people-schema.ts';

/** notifications.md, section 3. */
export const SETUP_LINK_LIFE_MS = 24 * 60 * 60 * 1_000;
/** Each start without an account makes one more, in each process; older ones make room. */
const SETUP_LINKS_MAX = 20;
/** 256 bits in base62. */
const SECRET_LENGTH = 43;

/** Who makes links and accounts when nobody has logged in. */
const SERVICE: Actor = { accountId: null, name: 'service' };

export interface SetupLink {
  /** To be shown once: it holds the secret. */
  readonly url: string;
  readonly expiresAt: number;
}

export interface SetUpDeps {
  readonly store: NotificationStore;
  readonly clock: Clock;
  readonly passwords: Passwords;
}

/** @throws Problem `conflict` when somebody has an account already */
export async function makeSetupLink(
  deps: Pick<SetUpDeps, 'store' | 'clock'> & { readonly publicUrl: string },
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
        groupId: null,
        subject: null,
        details: {},
      }),
    ],
  });
  if (kind === 'stale') {
    throw new Problem('conflict', 'Somebody has an account: ask an owner for an invitation');
  }
  return { url: `${deps.publicUrl}${PAGES_PREFIX}/setup/${secret}`, expiresAt };
}

/**
 * What a start leaves to be printed.
 * @returns nothing once somebody has an account
 */
export async function setupLinkOfStart(
  deps: Pick<SetUpDeps, 'store' | 'clock'> & { readonly publicUrl: string },
): Promise<SetupLink | undefined> {
  if (await hasAccounts(deps.store.reader)) return undefined;
  try {
    return await makeSetupLink(deps);
  } catch (error) {
    if (error instanceof Problem && error.code === 'conflict') return undefined;
    throw error;
  }
}

/** @throws Problem `not_found`; `link_used_up` also when somebody has an account by now */
export async function checkSetupLink(
  { store, clock }: Pick<SetUpDeps, 'store' | 'clock'>,
  secret: string,
): Promise<void> {
  const link = await setupLinkOf(store.reader, sha256Hex(secret));
  if (link === undefined) throw new Problem('not_found', 'There is no such set-up link');
  const isOver = link.usedAt !== null || link.expiresAt <= clock.nowMs();
  if (isOver || (await hasAccounts(store.reader))) throw usedUp();
}

export interface SetUpRequest {
  readonly secret: string;
  readonly person: NewPerson;
  /** Name of a first group; undefined: none is made. */
  readonly group: string | undefined;
  readonly browser: Browser;
}

export interface SetUpOutcome {
  readonly loggedIn: LoggedIn;
  readonly groupId: string | null;
}

/**
 * Makes the first account, and a group that it owns.
 * @throws Problem `not_found`, `link_used_up`, `fields_invalid`, `unavailable`
 */
export async function setUp(deps: SetUpDeps, request: SetUpRequest): Promise<SetUpOutcome> {
  const { store, clock, passwords } = deps;
  checkNewPerson(request.person, '');
  if (request.group !== undefined) checkName(request.group, '/group');
  await checkSetupLink(deps, request.secret);
  const passwordHash = await passwords.hash(request.person.password);
  const at = clock.nowMs();
  const made = newAccount({ ...request.person, passwordHash }, at);
  const { account, actor } = made;
  const begun = await beginSession(store.reader, { account, browser: request.browser, nowMs: at });
  const groupId = request.group === undefined ? null : newId('grp');
  const { kind } = await store.change({
    guard: whileSetupLinkGood(sha256Hex(request.secret), at),
    statements: [
      ...made.statements,
      endSetupLinks(at),
      ...begun.statements,
      ...(request.group === undefined || groupId === null
        ? []
        : insertGroup({ groupId, name: request.group, ownerId: account.id, actor, at })),
    ],
  });
  if (kind === 'stale') throw usedUp();
  return { loggedIn: begun.loggedIn, groupId };
}

function usedUp(): Problem {
  return new Problem(
    'link_used_up',
    'The set-up link was used or has expired: start again for one',
  );
}
