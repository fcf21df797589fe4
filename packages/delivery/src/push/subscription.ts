// A subscription to push messages as a browser gives it: where they are sent to, and what encrypts them for it.
import { createECDH } from 'node:crypto';

/** Longer ones are no address of a push service. */
export const ENDPOINT_MAX = 1_024;

export interface Subscription {
  readonly endpoint: string;
  /** base64url of the browser's public key: a point of P-256 (RFC 8291). */
  readonly p256dh: string;
  /** base64url of 16 bytes. */
  readonly auth: string;
}

const BASE64URL = /^[A-Za-z0-9_-]+={0,2}$/;
const POINT_BYTES = 65;
const AUTH_BYTES = 16;

/** Whether messages can be encrypted with them. */
export function canEncryptFor({ p256dh, auth }: Pick<Subscription, 'p256dh' | 'auth'>): boolean {
  if (!BASE64URL.test(p256dh) || !BASE64URL.test(auth)) return false;
  const point = Buffer.from(p256dh, 'base64url');
  if (point.length !== POINT_BYTES) return false;
  if (Buffer.from(auth, 'base64url').length !== AUTH_BYTES) return false;
  const own = createECDH('prime256v1');
  own.generateKeys();
  try {
    own.computeSecret(point);
    return true;
  } catch {
    // The bytes are no point of the curve.
    return false;
  }
}
