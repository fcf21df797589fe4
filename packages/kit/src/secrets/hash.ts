// SHA-256 of the runtime: the one hash function of both services.
import { hash } from 'node:crypto';

/** SHA-256 of the UTF-8 bytes of `text`, 64 lower-case hex digits. */
export function sha256Hex(text: string): string {
  return hash('sha256', text, 'hex');
}

/** SHA-256 of bytes, 32 bytes. */
export function sha256Bytes(bytes: Uint8Array): Uint8Array {
  const digest = new Uint8Array(SHA256_BYTES);
  // The runtime takes twice as long to answer bytes as to answer hex.
  digest.setFromHex(hash('sha256', bytes, 'hex'));
  return digest;
}

const SHA256_BYTES = 32;
