// Secrets that programs send in a header, such as `nk_` + id + secret + checksum: the prefix says what
// it is for, and lets scanners find it where it should not be; the id is no secret and names it in lists;
// the checksum finds a typing error without a look-up.
import { crc32 } from 'node:zlib';
import { base62Digits, randomBase62 } from './base62.ts';
import { sha256Hex } from './hash.ts';

/** 60 bits: no two of a million meet by chance, and an index refuses them if they do. */
const ID_LENGTH = 10;
/** 256 bits. */
const SECRET_LENGTH = 43;
/** 62^6 is more than the 2^32 values of a CRC-32. */
const CHECKSUM_LENGTH = 6;
const FORM = /^[0-9A-Za-z]+$/;

export interface NewApiToken {
  /** As its owner sends it: shown once, and never kept. */
  readonly token: string;
  readonly id: string;
  /** What is kept: SHA-256 hex of the whole token. */
  readonly hash: string;
}

/** @param prefix such as `nk_` */
export function newApiToken(prefix: string): NewApiToken {
  const id = randomBase62(ID_LENGTH);
  const text = `${prefix}${id}${randomBase62(SECRET_LENGTH)}`;
  const token = `${text}${computeChecksum(text)}`;
  return { token, id, hash: sha256Hex(token) };
}

/**
 * The id of a token.
 * @returns undefined when it has not the form of one of this prefix, or its checksum is wrong
 */
export function idOfApiToken(prefix: string, token: string): string | undefined {
  const idEnd = prefix.length + ID_LENGTH;
  const textEnd = idEnd + SECRET_LENGTH;
  if (token.length !== textEnd + CHECKSUM_LENGTH || !token.startsWith(prefix)) return undefined;
  if (!FORM.test(token.slice(prefix.length))) return undefined;
  if (computeChecksum(token.slice(0, textEnd)) !== token.slice(textEnd)) return undefined;
  return token.slice(prefix.length, idEnd);
}

/** CRC-32 (as of gzip) of its ASCII characters. */
function computeChecksum(text: string): string {
  return base62Digits(crc32(text), CHECKSUM_LENGTH);
}
