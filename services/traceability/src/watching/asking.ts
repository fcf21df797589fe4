// Requests to watch something, and requests for what is kept. The answer is the same for known and unknown addresses,
// and an address gets only a few mails that others have requested.
import type { Clock } from '@lothub/kit/clock';
import { newId } from '@lothub/kit/secrets/ids';
import { changePlanned } from '@lothub/kit/writer/change-planned';
import { EMAIL_PATTERN, foldEmail } from '@lothub/people/access/email';
import { Refusal } from '../errors.ts';
import type { LedgerStore } from '../ledger/store.ts';
import { MAIL_ROUTE, insertAsked } from './sending/delivery-queries.ts';
import {
  ASKED_PER_ADDRESS_MAX,
  ASK_AGAIN_MS,
  LIST_AGAIN_MS,
  PENDING_MAX,
  PENDING_MS,
  WATCHES_PER_ADDRESS_MAX,
  WATCHES_PER_TARGET_MAX,
} from './limits.ts';
import { sameTarget, type Target } from './target.ts';
import {
  countOfTarget,
  countPending,
  insertWatch,
  noteAsked,
  noteListed,
  replacePushKeys,
  watchesOfAddress,
  whileAddressHas,
  whileNotListed,
} from './watch-queries.ts';
import type { NewWatch, WatchRow } from './watch-queries.ts';

const EMAIL = new RegExp(EMAIL_PATTERN, 'u');

export interface AskDeps {
  readonly store: Pick<LedgerStore, 'change' | 'reader'>;
  readonly clock: Clock;
}

/** As it is kept; undefined: it is none. */
export function readEmail(text: string): string | undefined {
  const email = foldEmail(text.trim());
  return EMAIL.test(email) ? email : undefined;
}

/** A browser as its push service knows it. */
export interface Device {
  readonly endpoint: string;
  /** Host of the endpoint. */
  readonly host: string;
  readonly p256dh: string;
  readonly auth: string;
}

/**
 * Sends a mail with a link that confirms it, unless the address watches it already or was sent enough of them.
 * @throws Refusal `rate_limited` when too many of the hub, or of this target, are being watched
 */
export async function askByMail(
  deps: AskDeps,
  { target, address, language }: { target: Target; address: string; language: string },
): Promise<void> {
  await ask(deps, {
    ...target,
    ...{ channel: 'mail', address, language, route: MAIL_ROUTE, p256dh: null, auth: null },
  });
}

/**
 * Sends the device a first message; once it has arrived, the device is notified of recalls.
 * @throws Refusal `rate_limited` as `askByMail`, and when the device watches too much
 */
export async function askByDevice(
  deps: AskDeps,
  { target, device, language }: { target: Target; device: Device; language: string },
): Promise<void> {
  const { endpoint: address, host: route, p256dh, auth } = device;
  await ask(deps, { ...target, channel: 'push', address, language, route, p256dh, auth });
}

type Asked = Omit<NewWatch, 'id' | 'createdAt' | 'expiresAt'>;

async function ask({ store, clock }: AskDeps, asked: Asked): Promise<void> {
  const { reader } = store;
  const { address, language, channel } = asked;
  await changePlanned(store, async () => {
    const at = clock.nowMs();
    const known = await watchesOfAddress(reader, address);
    const guard = whileAddressHas(address, { watches: known.length, asked: sumAsked(known) });
    const same = known.find((one) => sameTarget(one, asked));
    const { p256dh, auth } = asked;
    const keys =
      p256dh === null || auth === null ? [] : [replacePushKeys(address, { p256dh, auth })];
    if (same !== undefined && !mayAskAgain(same, at)) {
      return keys.length === 0
        ? { result: undefined }
        : { guard, statements: keys, result: undefined };
    }
    if (channel === 'mail' && sumAsked(known) >= ASKED_PER_ADDRESS_MAX)
      return { result: undefined };
    if (same === undefined && known.length >= WATCHES_PER_ADDRESS_MAX) {
      // Nobody learns how much a mail address watches.
      if (channel === 'mail') return { result: undefined };
      throw new Refusal('rate_limited', 'This device watches too much: end something first');
    }
    if (same === undefined) await assertRoom(reader, asked);
    const id = same?.id ?? newId('wch');
    return {
      guard,
      statements: [
        ...(same === undefined
          ? [insertWatch({ ...asked, id, createdAt: at, expiresAt: at + PENDING_MS })]
          : keys),
        noteAsked(id, { at, language }),
        insertAsked(id, { kind: channel === 'mail' ? 'confirm' : 'welcome', at }),
      ],
      result: undefined,
    };
  });
}

function mayAskAgain({ status, askedAt }: WatchRow, at: number): boolean {
  return status === 'pending' && (askedAt === null || askedAt + ASK_AGAIN_MS <= at);
}

function sumAsked(watches: readonly WatchRow[]): number {
  return watches.reduce((sum, { asked }) => sum + asked, 0);
}

async function assertRoom(reader: AskDeps['store']['reader'], target: Target): Promise<void> {
  const pending = await countPending(reader, PENDING_MAX);
  const watched = await countOfTarget(reader, { ...target, most: WATCHES_PER_TARGET_MAX });
  if (pending < PENDING_MAX && watched < WATCHES_PER_TARGET_MAX) return;
  throw new Refusal('rate_limited', 'Too many watch this just now: try again tomorrow');
}

/** Sends a mail with a link to all that is kept of the address, if anything is, and none was sent of late. */
export async function askForList({ store, clock }: AskDeps, address: string): Promise<void> {
  await changePlanned(store, async () => {
    const at = clock.nowMs();
    const since = at - LIST_AGAIN_MS;
    const known = await watchesOfAddress(store.reader, address);
    const wasListed = known.some(({ listedAt }) => listedAt !== null && listedAt > since);
    // To one that has confirmed nothing the link is as good: it was requested by the same reader.
    const [first] = known.toSorted((a, b) => b.expiresAt - a.expiresAt);
    if (first === undefined || wasListed) return { result: undefined };
    return {
      guard: whileNotListed(address, since),
      statements: [noteListed(address, at), insertAsked(first.id, { kind: 'list', at })],
      result: undefined,
    };
  });
}
