/**
 * SHA-256 (FIPS 180-4) in plain TypeScript, for a browser or an auditor without a crypto library.
 *
 * Servers pass their platform's own function instead, which is many times faster; that is why every
 * function here that hashes takes a {@link HashText}.
 */

/** SHA-256 of the UTF-8 bytes of a text, as 64 lower-case hex digits. */
export type HashText = (text: string) => string;

const BLOCK_BYTES = 64;
const WORDS_PER_BLOCK = 16;
const ROUNDS = 64;
/** The end of the last block holds the length of the text in bits, in eight bytes. */
const LENGTH_BYTES = 8;
const LENGTH_OFFSET = BLOCK_BYTES - LENGTH_BYTES;
const BITS_PER_BYTE = 8;
const TWO_TO_32 = 2 ** 32;
const HEX_DIGITS_PER_WORD = 8;
const BYTES_PER_WORD = 4;
const HASH_BYTES = 32;

const SHA256_HEX = /^[0-9a-f]{64}$/;

/** FIPS 180-4, section 5.3.3: fractions of the square roots of the first eight primes. */
const INITIAL_STATE = firstPrimes(8).map((prime) => fractionBits(Math.sqrt(prime)));
/** FIPS 180-4, section 4.2.2: fractions of the cube roots of the first 64 primes. */
const ROUND_CONSTANTS = Int32Array.from(firstPrimes(ROUNDS), (prime) =>
  fractionBits(Math.cbrt(prime)),
);

/** SHA-256 of the UTF-8 bytes of a text; a lone surrogate counts as U+FFFD, as in TextEncoder. */
export function sha256Hex(text: string): string {
  let hex = '';
  for (const word of stateAfter(new TextEncoder().encode(text))) {
    hex += (word >>> 0).toString(16).padStart(HEX_DIGITS_PER_WORD, '0');
  }
  return hex;
}

/** SHA-256 of bytes, as 32 bytes. */
export function sha256(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const digest = new Uint8Array(HASH_BYTES);
  const view = new DataView(digest.buffer);
  stateAfter(bytes).forEach((word, index) => {
    view.setInt32(index * BYTES_PER_WORD, word);
  });
  return digest;
}

function stateAfter(bytes: Uint8Array): Int32Array {
  const message = padded(bytes);
  const state = Int32Array.from(INITIAL_STATE);
  const schedule = new Int32Array(ROUNDS);
  const view = new DataView(message.buffer);
  for (let offset = 0; offset < message.length; offset += BLOCK_BYTES) {
    compress(state, schedule, view, offset);
  }
  return state;
}

/** Whether a text has the form of a hash on the chain: 64 lower-case hex digits. */
export function isSha256Hex(text: string): boolean {
  return SHA256_HEX.test(text);
}

/** The message, a one bit, zeros, and the length in bits: a whole number of blocks. */
function padded(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const blocks = Math.ceil((bytes.length + 1 + LENGTH_BYTES) / BLOCK_BYTES);
  const message = new Uint8Array(blocks * BLOCK_BYTES);
  message.set(bytes);
  message[bytes.length] = 0x80;
  const view = new DataView(message.buffer);
  const lengthAt = (blocks - 1) * BLOCK_BYTES + LENGTH_OFFSET;
  const bits = bytes.length * BITS_PER_BYTE;
  view.setUint32(lengthAt, Math.floor(bits / TWO_TO_32));
  view.setUint32(lengthAt + 4, bits % TWO_TO_32);
  return message;
}

/** FIPS 180-4, section 6.2.2: takes one block of the message into the state. */
function compress(state: Int32Array, schedule: Int32Array, view: DataView, offset: number): void {
  for (let index = 0; index < WORDS_PER_BLOCK; index += 1) {
    schedule[index] = view.getInt32(offset + index * 4);
  }
  for (let index = WORDS_PER_BLOCK; index < ROUNDS; index += 1) {
    const early = word(schedule, index - 15);
    const late = word(schedule, index - 2);
    const sigma0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const sigma1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    schedule[index] = word(schedule, index - 16) + sigma0 + word(schedule, index - 7) + sigma1;
  }
  let a = word(state, 0);
  let b = word(state, 1);
  let c = word(state, 2);
  let d = word(state, 3);
  let e = word(state, 4);
  let f = word(state, 5);
  let g = word(state, 6);
  let h = word(state, 7);
  for (let index = 0; index < ROUNDS; index += 1) {
    const sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const choice = (e & f) ^ (~e & g);
    const first = (h + sum1 + choice + word(ROUND_CONSTANTS, index) + word(schedule, index)) | 0;
    const sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + sum0 + majority) | 0;
  }
  state[0] = word(state, 0) + a;
  state[1] = word(state, 1) + b;
  state[2] = word(state, 2) + c;
  state[3] = word(state, 3) + d;
  state[4] = word(state, 4) + e;
  state[5] = word(state, 5) + f;
  state[6] = word(state, 6) + g;
  state[7] = word(state, 7) + h;
}

/** Reads inside the bounds. Every caller stays inside; the fallback is for the compiler. */
function word(words: Int32Array, index: number): number {
  return words[index] ?? 0;
}

function rotate(value: number, bits: number): number {
  return (value >>> bits) | (value << (32 - bits));
}

/** The first 32 bits after the binary point, exact for the roots of the primes used here. */
function fractionBits(root: number): number {
  return ((root - Math.floor(root)) * TWO_TO_32) | 0;
}

function firstPrimes(count: number): readonly number[] {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate += 1) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }
  return primes;
}
