// API keys and salts: 256 random bits, stored as SHA-256 only, compared in constant time.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { sha256Hex } from './hash.ts';

const SECRET_BYTES = 32;

/** A new key such as `lh_tenant_…`: a readable prefix and 256 random bits in base64url. */
export function newKey(prefix: string): string {
  return `${prefix}${randomBytes(SECRET_BYTES).toString('base64url')}`;
}

/** A new 256-bit salt, 64 lower-case hex digits. */
export function newSalt(): string {
  return randomBytes(SECRET_BYTES).toString('hex');
}

/** What is stored of a key: its SHA-256 hex. */
export function keyHash(key: string): string {
  return sha256Hex(key);
}

/** True when two SHA-256 hex digests are the same; takes the same time whatever they hold. */
export function hashesEqual(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
