// Looks through the bytes of a JSON text, slice by slice, without making a value of it. Refuses what
// JSON.parse accepts in silence or at great cost: a member that is there twice, of which one would be
// lost; objects of very many members; very deep nesting. Says which containers are open, so that the
// complete parts can be parsed before the rest is scanned.
import { shownName } from './field-errors.ts';
import { JsonBodyError, MEMBERS_MAX, NESTING_MAX, type JsonFault } from './json-body-error.ts';
import { HASH_BASIS, JsonNames, hashWith, type OwnNames } from './json-names.ts';
import { isExactLiteral } from '../number-literal.ts';

/** A list or object that is open where the scan is. */
export interface OpenContainer {
  readonly isObject: boolean;
  /** Offset behind its bracket. */
  readonly contentFrom: number;
  /** Offset at which its last value or member can begin: behind its last comma, or `contentFrom`. */
  readonly lastFrom: number;
  /** The index of the last value of a list, or the number of members of an object. */
  readonly count: number;
}

/** As `OpenContainer`, while it is scanned. */
interface Frame extends OwnNames {
  isObject: boolean;
  contentFrom: number;
  lastFrom: number;
  count: number;
}

/** A shorter literal without an exponent is exact, whatever its digits are. */
const EXACT_LITERAL_BYTES = 15;
/** JSON for `INEXACT_VALUE`. No literal that a double would round is shorter. */
const INEXACT_MARK = Buffer.from('1e999');

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const COLON = 0x3a;
const LIST_OPEN = 0x5b;
const BACKSLASH = 0x5c;
const LIST_CLOSE = 0x5d;
const LETTER_A = 0x61;
const LETTER_E = 0x65;
const LETTER_Z = 0x7a;
const OBJECT_OPEN = 0x7b;
const OBJECT_CLOSE = 0x7d;
/** Upper and lower case of a letter differ in this bit. */
const CASE_BIT = 0x20;

/** What may come next. */
const EXPECT_VALUE = 0;
const EXPECT_VALUE_OR_CLOSE = 1;
const EXPECT_NAME = 2;
const EXPECT_NAME_OR_CLOSE = 3;
const EXPECT_COLON = 4;
const EXPECT_COMMA_OR_CLOSE = 5;

/**
 * `paused`: the slice is over. `closed`: a container that was taken note of by `hold` is complete.
 * `done`: the text is.
 */
export type ScanState = 'paused' | 'closed' | 'done';

export class JsonScan {
  readonly #bytes: Buffer;
  #at = 0;
  #expect = EXPECT_VALUE;
  /** Frames of the open containers; those above the depth are reused for the next ones. */
  readonly #frames: Frame[] = [];
  #depth = 0;
  #heldDepth = 0;
  readonly #names: JsonNames;

  /** @param bytes UTF-8; number literals that a double would round are overwritten in them */
  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#names = new JsonNames(bytes);
  }

  /** Offset up to which was scanned; behind `closed` that of the closing bracket, and one more. */
  get at(): number {
    return this.#at;
  }

  /** Outermost first. */
  get open(): readonly OpenContainer[] {
    return this.#frames.slice(0, this.#depth);
  }

  /** From now on `advance` stops when one of the containers that are open closes. */
  hold(): void {
    this.#heldDepth = this.#depth;
  }

  /** The name of the last member of an open object, decoded. */
  lastName(level: number): string {
    const inner = level + 1 < this.#depth ? this.#frames[level + 1] : undefined;
    return this.#names.at((inner?.namesFrom ?? this.#names.count) - 1);
  }

  /**
   * Scans up to an offset, and further to the end of the token that it is in.
   * @throws JsonBodyError
   */
  advance(until: number): ScanState {
    const bytes = this.#bytes;
    const end = Math.min(bytes.length, until);
    while (this.#at < end) {
      const byte = bytes[this.#at];
      if (byte === SPACE || byte === LINE_FEED || byte === CARRIAGE_RETURN || byte === TAB) {
        this.#at += 1;
      } else if (byte === QUOTE) this.#takeText();
      else if (byte === COMMA) this.#takeComma();
      else if (byte === COLON) this.#takeColon();
      else if (byte === OBJECT_OPEN || byte === LIST_OPEN) this.#openContainer(byte);
      else if (byte === OBJECT_CLOSE || byte === LIST_CLOSE) {
        this.#closeContainer(byte);
        if (this.#depth < this.#heldDepth) {
          this.#heldDepth = this.#depth;
          return 'closed';
        }
      } else this.#takeLiteral();
    }
    if (this.#at < bytes.length) return 'paused';
    if (this.#depth > 0 || this.#expect !== EXPECT_COMMA_OR_CLOSE) throw this.#fault('not_json');
    return 'done';
  }

  #takeComma(): void {
    const frame = this.#frames[this.#depth - 1];
    if (this.#depth === 0 || frame === undefined || this.#expect !== EXPECT_COMMA_OR_CLOSE) {
      throw this.#fault('not_json');
    }
    this.#at += 1;
    frame.lastFrom = this.#at;
    if (frame.isObject) this.#expect = EXPECT_NAME;
    else {
      frame.count += 1;
      this.#expect = EXPECT_VALUE;
    }
  }

  #takeColon(): void {
    if (this.#expect !== EXPECT_COLON) throw this.#fault('not_json');
    this.#at += 1;
    this.#expect = EXPECT_VALUE;
  }

  #openContainer(byte: number): void {
    if (this.#expect > EXPECT_VALUE_OR_CLOSE) throw this.#fault('not_json');
    if (this.#depth === NESTING_MAX) throw this.#fault('too_deep');
    this.#at += 1;
    const isObject = byte === OBJECT_OPEN;
    const frame = (this.#frames[this.#depth] ??= newFrame());
    frame.isObject = isObject;
    frame.contentFrom = this.#at;
    frame.lastFrom = this.#at;
    frame.count = 0;
    frame.namesFrom = this.#names.count;
    frame.names = undefined;
    this.#depth += 1;
    this.#expect = isObject ? EXPECT_NAME_OR_CLOSE : EXPECT_VALUE_OR_CLOSE;
  }

  #closeContainer(byte: number): void {
    const frame = this.#frames[this.#depth - 1];
    const mayClose =
      this.#expect === EXPECT_COMMA_OR_CLOSE ||
      this.#expect === (byte === OBJECT_CLOSE ? EXPECT_NAME_OR_CLOSE : EXPECT_VALUE_OR_CLOSE);
    if (this.#depth === 0 || frame?.isObject !== (byte === OBJECT_CLOSE) || !mayClose) {
      throw this.#fault('not_json');
    }
    this.#at += 1;
    this.#names.close(frame);
    this.#depth -= 1;
    this.#expect = EXPECT_COMMA_OR_CLOSE;
  }

  #takeText(): void {
    if (this.#expect === EXPECT_NAME || this.#expect === EXPECT_NAME_OR_CLOSE) {
      this.#takeName();
      this.#expect = EXPECT_COLON;
      return;
    }
    if (this.#expect > EXPECT_VALUE_OR_CLOSE) throw this.#fault('not_json');
    const bytes = this.#bytes;
    const end = bytes.length;
    let at = this.#at + 1;
    while (at < end && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
    if (at >= end) throw this.#fault('not_json');
    this.#at = at + 1;
    this.#expect = EXPECT_COMMA_OR_CLOSE;
  }

  #takeName(): void {
    const bytes = this.#bytes;
    const end = bytes.length;
    const from = this.#at + 1;
    let hash = HASH_BASIS;
    let isEscaped = false;
    let at = from;
    for (let byte = bytes[at]; at < end && byte !== QUOTE; byte = bytes[at]) {
      if (byte === BACKSLASH) {
        isEscaped = true;
        at += 1;
      }
      if (byte !== undefined) hash = hashWith(hash, byte);
      at += 1;
    }
    if (at >= end) throw this.#fault('not_json');
    this.#at = at + 1;
    const frame = this.#frames[this.#depth - 1];
    if (frame === undefined) throw new Error('a name was found outside of an object');
    if (frame.count === MEMBERS_MAX) throw this.#fault('too_many_members', this.#depth - 1);
    frame.count += 1;
    const isNew = this.#names.add(frame, { from, to: at, hash, isEscaped });
    if (!isNew) throw this.#fault('repeated_member', this.#depth);
  }

  /** A number, true, false or null. Whether words and short numbers are well-formed, JSON.parse says. */
  #takeLiteral(): void {
    if (this.#expect > EXPECT_VALUE_OR_CLOSE) throw this.#fault('not_json');
    const bytes = this.#bytes;
    const from = this.#at;
    let at = from;
    let isWord = true;
    let hasExponent = false;
    for (let byte = bytes[at]; byte !== undefined; byte = bytes[at]) {
      if (byte >= DIGIT_0 && byte <= DIGIT_9) isWord = false;
      else if ((byte | CASE_BIT) === LETTER_E) hasExponent = true;
      else if (byte !== POINT && byte !== MINUS && byte !== PLUS && !isLetter(byte)) break;
      at += 1;
    }
    if (at === from) throw this.#fault('not_json');
    this.#at = at;
    this.#expect = EXPECT_COMMA_OR_CLOSE;
    if (isWord || (!hasExponent && at - from <= EXACT_LITERAL_BYTES)) return;
    const exactness = isExactLiteral(bytes.toString('latin1', from, at));
    if (exactness === undefined) throw this.#fault('not_json');
    if (!exactness) {
      bytes.fill(SPACE, from, at);
      INEXACT_MARK.copy(bytes, from);
    }
  }

  /** @param levels of the way to what is refused: the last container of it names its last member */
  #fault(reason: JsonFault, levels = 0): JsonBodyError {
    const path = this.#frames
      .slice(0, levels)
      .map((frame, level) => (frame.isObject ? shownName(this.lastName(level)) : frame.count));
    return new JsonBodyError(reason, path);
  }
}

function newFrame(): Frame {
  return {
    isObject: false,
    contentFrom: 0,
    lastFrom: 0,
    count: 0,
    namesFrom: 0,
    names: undefined,
  };
}

function isLetter(byte: number): boolean {
  return byte >= LETTER_A && byte <= LETTER_Z;
}
