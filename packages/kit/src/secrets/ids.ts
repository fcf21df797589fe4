// Identifiers of what is no secret: a prefix that says of what, and random characters, so that they can be
// made before anything is written and say nothing.
import { randomBase62 } from './base62.ts';

/** 71 bits: no two of a billion meet by chance. */
const ID_LENGTH = 12;

/** @param prefix such as `usr` */
export function newId(prefix: string): string {
  return `${prefix}_${randomBase62(ID_LENGTH)}`;
}
