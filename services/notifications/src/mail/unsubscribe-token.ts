// The token in the links that end mails: the receiver, with a code that only this service can compute (HMAC). A link
// from any mail is valid as long as its receiver exists, and nothing about it is stored.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const KEY_BYTES = 32;
/** An HMAC-SHA-256 in base64url, which an address can contain without encoding. */
const FORM = /^(?<receiverId>mr_[0-9A-Za-z]{1,40})\.(?<mac>[0-9A-Za-z_-]{43})$/;
/** Separates these codes from others that may be computed with the same key later. */
const PURPOSE = 'unsubscribe';

export function newLinkKey(): string {
  return randomBytes(KEY_BYTES).toString('base64url');
}

export function unsubscribeToken(key: string, receiverId: string): string {
  return `${receiverId}.${computeMac(key, receiverId).toString('base64url')}`;
}

/** @returns the receiver that the token ends; undefined when this service did not make it */
export function readUnsubscribeToken(key: string, token: string): string | undefined {
  const { receiverId, mac } = FORM.exec(token)?.groups ?? {};
  if (receiverId === undefined || mac === undefined) return undefined;
  const given = Buffer.from(mac, 'base64url');
  const right = computeMac(key, receiverId);
  return given.length === right.length && timingSafeEqual(given, right) ? receiverId : undefined;
}

function computeMac(key: string, receiverId: string): Buffer {
  return createHmac('sha256', Buffer.from(key, 'base64url'))
    .update(`${PURPOSE} ${receiverId}`)
    .digest();
}
