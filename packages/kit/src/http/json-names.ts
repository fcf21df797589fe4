// The names of the members of the objects that are open while a JSON text is scanned, to find one that is
// there twice.
import { JsonBodyError } from './json-body-error.ts';

/** So many names are compared one by one, which is cheaper than texts in a set. */
const COMPARED_MAX = 16;
/** FNV-1a; the mask keeps it a small integer. Equal hashes are only a reason to compare the names. */
const HASH_PRIME = 0x01000193;
const HASH_MASK = 0x3fffffff;
export const HASH_BASIS = 0x011c9dc5;

/** The hash of a name with one more byte. */
export function hashWith(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, HASH_PRIME);
}

/** The names of one object. */
export interface OwnNames {
  /** Where they begin among all names. */
  namesFrom: number;
  /** All of them, once they are too many to compare one by one. */
  names: Set<string> | undefined;
}

/** A name as it was sent: behind its opening and before its closing quote. */
export interface SentName {
  readonly from: number;
  readonly to: number;
  readonly hash: number;
  readonly isEscaped: boolean;
}

export class JsonNames {
  readonly #bytes: Buffer;
  readonly #hashes: number[] = [];
  readonly #from: number[] = [];
  readonly #to: number[] = [];
  #count = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** How many names there are of all objects that are open. */
  get count(): number {
    return this.#count;
  }

  /** Forgets the names of the innermost object. */
  close({ namesFrom }: OwnNames): void {
    this.#count = namesFrom;
  }

  /**
   * Adds a name to those of the innermost object.
   * @returns false when the object has it already
   */
  add(own: OwnNames, { from, to, hash, isEscaped }: SentName): boolean {
    const place = this.#count;
    const full = isEscaped ? hashName(decoded(this.#bytes, from, to)) : hash;
    this.#hashes[place] = full & HASH_MASK;
    this.#from[place] = from;
    this.#to[place] = to;
    this.#count += 1;
    return this.#count - own.namesFrom > COMPARED_MAX
      ? this.#addToSet(own, place)
      : !this.#isAmongFew(own, place);
  }

  /** @throws Error when there is no such name */
  at(place: number): string {
    const [from, to] = [this.#from[place], this.#to[place]];
    if (place >= this.#count || from === undefined || to === undefined) {
      throw new Error(`there is no name ${place} of a member`);
    }
    return decoded(this.#bytes, from, to);
  }

  #isAmongFew({ namesFrom }: OwnNames, place: number): boolean {
    const hashes = this.#hashes;
    const hash = hashes[place];
    for (let earlier = namesFrom; earlier < place; earlier += 1) {
      if (hashes[earlier] === hash && this.at(earlier) === this.at(place)) return true;
    }
    return false;
  }

  /** Compares names, not their hashes: an attacker who knows the hash function could make all hashes equal. */
  #addToSet(own: OwnNames, place: number): boolean {
    if (own.names === undefined) {
      own.names = new Set();
      for (let one = own.namesFrom; one < place; one += 1) own.names.add(this.at(one));
    }
    const before = own.names.size;
    return own.names.add(this.at(place)).size > before;
  }
}

/** @throws JsonBodyError when a text is none of JSON: its escapes are unknown, or it has control characters */
function decoded(bytes: Buffer, from: number, to: number): string {
  const text = bytes.toString('utf8', from, to);
  if (!text.includes('\\')) return text;
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    throw new JsonBodyError('not_json');
  }
}

/** The hash of a name as it would be had it been sent without escapes. */
function hashName(name: string): number {
  return Buffer.from(name, 'utf8').reduce(hashWith, HASH_BASIS);
}
