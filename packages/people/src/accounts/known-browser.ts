// The mark of a browser that has logged in to an account before. Attempts from it are counted apart, so
// that a stranger who guesses at somebody's password keeps others out and not the owner's own browsers.
// It opens nothing by itself.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { randomBase62 } from '@lothub/kit/secrets/base62';
import type { Account } from './queries.ts';

const ID_LENGTH = 16;
const MARK_FORM = /^([0-9A-Za-z]{16})\.([0-9a-f]{64})$/;

type MarkedAccount = Pick<Account, 'id' | 'passwordHash'>;

/** The mark a browser has already, when it is good; else a new one; null without a password. */
export function knownBrowserMark(
  { id: accountId, passwordHash }: MarkedAccount,
  mark: string | undefined,
): string | null {
  if (passwordHash === null) return null;
  const account = { id: accountId, passwordHash };
  if (mark !== undefined && knownBrowserId(account, mark) !== undefined) return mark;
  const id = randomBase62(ID_LENGTH);
  return `${id}.${computeProof(account, id).toString('hex')}`;
}

/** The id of the browser; nothing when the mark is not of this account and its present password. */
export function knownBrowserId(account: MarkedAccount, mark: string): string | undefined {
  const { passwordHash } = account;
  const [, id, proof] = MARK_FORM.exec(mark) ?? [];
  if (id === undefined || proof === undefined || passwordHash === null) return undefined;
  const right = computeProof({ id: account.id, passwordHash }, id);
  return timingSafeEqual(Buffer.from(proof, 'hex'), right) ? id : undefined;
}

/**
 * The stored hash of the password is the secret: 384 bits that never leave the service, and others as
 * soon as the password is, so that a mark needs no table.
 */
function computeProof(
  account: { readonly id: string; readonly passwordHash: string },
  id: string,
): Buffer {
  return createHmac('sha256', account.passwordHash).update(`${account.id}:${id}`).digest();
}
