// What stands in the links that end mails: the receiver, and what only this service could have written beside it.
// So a link is good for as long as there is the receiver, whatever mail it stood in, and nothing is kept of it.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const KEY_BYTES = 32;
/** Of an HMAC-SHA-256 in base64url: the letters that stand in an address as they are. */
const FORM = /^(?<receiverId>mr_[0-9A-Za-z]{1,40})\.(?<mac>[0-9A-Za-z_-]{43})$/;
/** Keeps what is signed here apart from anything else that the key may sign one day. */
const PURPOSE = 'unsubscribe';

export function newLinkKey(): string {
  return randomBytes(KEY_BYTES).toString('base64url');
}

export function unsubscribeToken(key: string, receiverId: string): string {
  return `${receiverId}.${macOf(key, receiverId).toString('base64url')}`;
}

/** @returns the receiver that the token ends; undefined when this service did not make it */
export function readUnsubscribeToken(key: string, token: string): string | undefined {
  const { receiverId, mac } = FORM.exec(token)?.groups ?? {};
  if (receiverId === undefined || mac === undefined) return undefined;
  const given = Buffer.from(mac, 'base64url');
  const right = macOf(key, receiverId);
  return given.length === right.length && timingSafeEqual(given, right) ? receiverId : undefined;
}

function macOf(key: string, receiverId: string): Buffer {
  return createHmac('sha256', Buffer.from(key, 'base64url'))
    .update(`${PURPOSE} ${receiverId}`)
    .digest();
}
