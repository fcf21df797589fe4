/** Bytes and the texts that represent them: UTF-8, hex and strict base64. */
import { LogError } from './log-error.ts';

const HEX_DIGITS_PER_BYTE = 2;
const HEX_RADIX = 16;
const HEX_BYTES = /^(?:[0-9a-f]{2})*$/;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const BYTES_PER_GROUP = 3;
const CHARACTERS_PER_GROUP = 4;
const BITS_PER_CHARACTER = 6;
const CHARACTER_MASK = 0x3f;
const BITS_PER_BYTE = 8;
/** The bits of the last characters that a byte may still need. */
const BITS_MASK = 0xffff;

/** UTF-8 bytes of a text. */
export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/**
 * The text of UTF-8 bytes, a byte order mark kept.
 *
 * @throws {TypeError} when the bytes are not UTF-8
 */
export function textOfUtf8(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}

/** Several runs of bytes, one after the other. */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((total, part) => total + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Whether two runs of bytes are the same. Public values only: it takes no constant time. */
export function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  // A loop: with a function for each byte a tile of the log takes ten times as long.
  for (let at = 0; at < left.length; at += 1) if (left[at] !== right[at]) return false;
  return true;
}

/** Lower-case hex digits of bytes. */
export function toHex(bytes: Uint8Array): string {
  let hex = '';
  for (const byte of bytes) hex += byte.toString(HEX_RADIX).padStart(HEX_DIGITS_PER_BYTE, '0');
  return hex;
}

/**
 * The bytes that lower-case hex digits represent.
 *
 * @throws {LogError} `range_invalid` when the text is not pairs of lower-case hex digits
 */
export function bytesOfHex(hex: string): Uint8Array<ArrayBuffer> {
  if (!HEX_BYTES.test(hex)) {
    throw new LogError('range_invalid', 'Bytes in hex are pairs of lower-case hex digits.');
  }
  return Uint8Array.from({ length: hex.length / HEX_DIGITS_PER_BYTE }, (_, index) =>
    Number.parseInt(hex.slice(index * HEX_DIGITS_PER_BYTE, (index + 1) * HEX_DIGITS_PER_BYTE), 16),
  );
}

/** A runtime from before ES2026, such as Node 22, has no `toBase64`. */
interface MayEncode {
  readonly toBase64?: () => string;
}

/** Standard base64 with padding. */
export function toBase64(bytes: Uint8Array): string {
  const own: MayEncode = bytes;
  return own.toBase64 === undefined ? encodeBase64(bytes) : own.toBase64();
}

/** The same by hand. */
function encodeBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += BYTES_PER_GROUP) {
    const [first = 0, second = 0, third = 0] = bytes.subarray(at, at + BYTES_PER_GROUP);
    const group = (first << 16) | (second << 8) | third;
    const used = Math.min(bytes.length - at, BYTES_PER_GROUP) + 1;
    for (let character = 0; character < CHARACTERS_PER_GROUP; character += 1) {
      const shift = (CHARACTERS_PER_GROUP - 1 - character) * BITS_PER_CHARACTER;
      text += character < used ? ALPHABET.charAt((group >>> shift) & CHARACTER_MASK) : '=';
    }
  }
  return text;
}

/** Values of the characters of {@link ALPHABET} by their character code, -1 for all others. */
const VALUES = Int8Array.from({ length: 128 }, (_, code) =>
  ALPHABET.indexOf(String.fromCharCode(code)),
);

/**
 * The bytes of a base64 text (RFC 4648, section 4), which must be the one text that these bytes
 * have: padded, without white space, unused bits zero. A lenient decoder would let a signature or a
 * hash be written in several ways, and a changed file pass as the same one.
 *
 * @throws {LogError} `base64_invalid` when it is not
 */
export function strictBase64(text: string): Uint8Array<ArrayBuffer> {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const characters = text.length - padding;
  if (text.length % CHARACTERS_PER_GROUP !== 0) throw notStrict();
  const bytes = new Uint8Array(Math.floor((characters * BITS_PER_CHARACTER) / BITS_PER_BYTE));
  let bits = 0;
  let held = 0;
  let to = 0;
  for (let at = 0; at < characters; at += 1) {
    const value = VALUES[text.charCodeAt(at)] ?? -1;
    if (value === -1) throw notStrict();
    bits = ((bits << BITS_PER_CHARACTER) | value) & BITS_MASK;
    held += BITS_PER_CHARACTER;
    if (held < BITS_PER_BYTE) continue;
    held -= BITS_PER_BYTE;
    bytes[to] = bits >>> held;
    to += 1;
  }
  // What is left over is no whole byte, and must be the zeros that an encoder fills up with.
  if ((bits & ((1 << held) - 1)) !== 0) throw notStrict();
  return bytes;
}

function notStrict(): LogError {
  return new LogError('base64_invalid', 'A base64 text is not the one that its bytes have.');
}
