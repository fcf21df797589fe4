// Finds out whether a file has groups whose rows are not neighbours, in memory that does not grow
// with the file: 53 bits of a digest of each run's key go to a file and are looked through in parts.
import { closeSync, openSync, readSync } from 'node:fs';
import { PRIVATE_FILE_MODE, writeWhole } from './spool.ts';

/** Runs whose digests are held at once; 8 bytes each. */
const RUNS_HELD = 65_536;
/** Runs looked through at once at the end; 8 bytes each. */
const RUNS_PER_PART = 1_048_576;
/** Parts are never quite equal; one that is fuller than this counts as a repeat. */
const PART_SLACK = 1.25;
const DIGEST_RANGE = 2 ** 53;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const SECOND_PRIME = 0x9e3779b1;
const READ_BYTES = 1_048_576;

/** 53 bits of a key in a number that a double holds exactly: FNV-1a in two lanes of 32 bits. */
function computeDigest(key: string): number {
  let high = FNV_OFFSET;
  let low = FNV_OFFSET ^ key.length;
  for (let index = 0; index < key.length; index += 1) {
    const unit = key.charCodeAt(index);
    high = Math.imul(high ^ unit, FNV_PRIME);
    low = Math.imul((low << 5) ^ (low >>> 27) ^ unit, SECOND_PRIME);
  }
  return ((high ^ (high >>> 15)) >>> 0) * 2 ** 21 + ((low ^ (low >>> 13)) >>> 11);
}

/**
 * Collects the keys of runs. May report a repeat where there is none (two keys with the same
 * digest, which a file can be made to have), never the other way round: sorting a file in vain
 * costs time and changes nothing.
 */
export class RepeatFinder implements Disposable {
  readonly #descriptor: number;
  readonly #held = new Float64Array(RUNS_HELD);
  #heldCount = 0;
  #written = 0;
  #repeated = false;

  constructor(file: string) {
    this.#descriptor = openSync(file, 'w+', PRIVATE_FILE_MODE);
  }

  add(key: string): void {
    this.#held[this.#heldCount] = computeDigest(key);
    this.#heldCount += 1;
    if (this.#heldCount < RUNS_HELD) return;
    this.#repeated ||= hasRepeat(this.#held);
    writeWhole(this.#descriptor, toBytes(this.#held));
    this.#written += this.#heldCount;
    this.#heldCount = 0;
  }

  /** True once a repeat has been met; only `end` finds out that there is none. */
  get repeated(): boolean {
    return this.#repeated;
  }

  /** True when a key may have been added twice. */
  end(): boolean {
    if (this.#repeated) return true;
    const rest = this.#held.subarray(0, this.#heldCount);
    if (this.#written === 0) return hasRepeat(rest);
    writeWhole(this.#descriptor, toBytes(rest));
    this.#written += rest.length;
    const parts = Math.ceil(this.#written / RUNS_PER_PART);
    for (let part = 0; part < parts; part += 1) {
      const numbers = this.#readPart(part, parts);
      if (numbers === undefined || hasRepeat(numbers)) return true;
    }
    return false;
  }

  /** The digests of one part of the range; nothing when they are more than their share. */
  #readPart(part: number, parts: number): Float64Array | undefined {
    const found = new Float64Array(Math.ceil((this.#written / parts) * PART_SLACK) + RUNS_HELD);
    const width = DIGEST_RANGE / parts;
    const block = new Float64Array(READ_BYTES / Float64Array.BYTES_PER_ELEMENT);
    let count = 0;
    for (let position = 0; ;) {
      const bytesRead = readSync(this.#descriptor, toBytes(block), { position });
      if (bytesRead === 0) break;
      if (bytesRead % Float64Array.BYTES_PER_ELEMENT !== 0) {
        throw new Error(`looking for repeated groups: ${bytesRead} bytes are no whole digests`);
      }
      position += bytesRead;
      for (const number of block.subarray(0, bytesRead / Float64Array.BYTES_PER_ELEMENT)) {
        if (Math.floor(number / width) !== part) continue;
        if (count === found.length) return undefined;
        found[count] = number;
        count += 1;
      }
    }
    return found.subarray(0, count);
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor);
  }
}

/** Sorts the numbers where they are. */
function hasRepeat(numbers: Float64Array): boolean {
  numbers.sort();
  return numbers.some((number, index) => index > 0 && number === numbers[index - 1]);
}

function toBytes(numbers: Float64Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}
