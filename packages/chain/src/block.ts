/**
 * Blocks: how one is sealed onto the block before it, and how its parts are read back.
 *
 * A block is its canonical text `{"height":H,"payload":{…},"prev_hash":"P"}`; `block_hash` is the
 * SHA-256 of the UTF-8 bytes of that text. Height and previous hash are inside what is hashed, so a
 * block cannot be moved, and no block before it can change, without another hash.
 */
import type { JsonObject } from './canonical.ts';
import { ChainError } from './chain-error.ts';
import { isSha256Hex, type HashText } from './sha256.ts';

/** The previous hash of block 0, which has no block before it: 64 zeros. */
export const GENESIS_PREV_HASH = '0'.repeat(64);

/** A block that is known and trusted, from which the next one is judged. */
export interface ChainPosition {
  readonly height: number;
  readonly blockHash: string;
  /**
   * The newest `recorded_at` that is known up to the block; without it the time of the next block is
   * not compared.
   */
  readonly recordedAt?: string;
}

/** The position to start from when the next block is block 0. */
export const BEFORE_GENESIS: ChainPosition = { height: -1, blockHash: GENESIS_PREV_HASH };

/** A block as it is stored and published. */
export interface StoredBlock {
  readonly height: number;
  readonly blockHash: string;
  readonly canonical: string;
}

export interface SealedBlock extends StoredBlock {
  readonly prevHash: string;
}

export interface UnsealedBlock {
  readonly height: number;
  /** Canonical JSON text of the payload object; it is hashed as it is. */
  readonly payloadText: string;
  /** Hash of the block at `height - 1`; {@link GENESIS_PREV_HASH} at height 0. */
  readonly prevHash: string;
}

export interface ParsedBlock {
  readonly height: number;
  readonly prevHash: string;
  readonly payload: JsonObject;
  readonly payloadText: string;
}

export const HEIGHT_OPENING = '{"height":';
export const PAYLOAD_OPENING = ',"payload":{';
export const PREV_HASH_OPENING = '},"prev_hash":"';
export const BLOCK_CLOSING = '"}';
const HASH_LENGTH = GENESIS_PREV_HASH.length;
/** Where the previous hash begins, counted from the end of the canonical text. */
export const PREV_HASH_FROM_END = HASH_LENGTH + BLOCK_CLOSING.length;
/** Where {@link PREV_HASH_OPENING} begins, counted from the end of the canonical text. */
export const PREV_HASH_OPENING_FROM_END = PREV_HASH_FROM_END + PREV_HASH_OPENING.length;

const BEGINNING = /^\{"height":(0|[1-9][0-9]{0,15}),"payload":(?=\{)/;
const END = /(?<=\}),"prev_hash":"([0-9a-f]{64})"\}$/;

/**
 * Makes the block that follows the one with `prevHash`.
 *
 * @throws {ChainError} `height_invalid`, `hash_invalid` or `payload_text_invalid` when an input
 *   cannot be part of a chain; it is the caller's mistake and nothing was sealed
 */
export function sealBlock(block: UnsealedBlock & { readonly hash: HashText }): SealedBlock {
  const { height, payloadText, prevHash, hash } = block;
  if (!Number.isSafeInteger(height) || height < 0) {
    throw new ChainError('height_invalid', `A height is a whole number from 0, not ${height}.`);
  }
  if (!isSha256Hex(prevHash)) {
    throw new ChainError(
      'hash_invalid',
      `Block ${height} needs the previous hash as 64 lower-case hex digits.`,
    );
  }
  if (height === 0 && prevHash !== GENESIS_PREV_HASH) {
    throw new ChainError('hash_invalid', 'Block 0 has 64 zeros as its previous hash.');
  }
  if (!payloadText.startsWith('{') || !payloadText.endsWith('}')) {
    throw new ChainError(
      'payload_text_invalid',
      `The payload of block ${height} must be the canonical text of an object.`,
    );
  }
  const canonical = `{"height":${height},"payload":${payloadText},"prev_hash":"${prevHash}"}`;
  const blockHash = hash(canonical);
  if (!isSha256Hex(blockHash)) {
    throw new ChainError(
      'hash_invalid',
      `The hash function given for block ${height} does not answer 64 lower-case hex digits.`,
    );
  }
  return { height, prevHash, blockHash, canonical };
}

/**
 * The payload's own text, cut out of a block's canonical text without parsing it.
 *
 * @throws {ChainError} `not_canonical` when the text does not have the frame of a block
 */
export function payloadText(canonical: string): string {
  return parseFrame(canonical).payloadText;
}

/**
 * The parts of a block. It is not verified: use {@link verifyBlock} for that.
 *
 * @throws {ChainError} `not_canonical` when the text does not have the frame of a block, `not_json`
 *   when the payload in that frame is not one JSON object
 */
export function parseBlock(canonical: string): ParsedBlock {
  const frame = parseFrame(canonical);
  return { ...frame, payload: parsePayload(frame) };
}

type BlockFrame = Omit<ParsedBlock, 'payload'>;

function parseFrame(canonical: string): BlockFrame {
  const beginning = BEGINNING.exec(canonical);
  // Looked for in the tail only: a search of the whole text would try every brace in it.
  const end = END.exec(canonical.slice(-PREV_HASH_OPENING_FROM_END));
  const height = Number(beginning?.[1]);
  const prevHash = end?.[1];
  if (beginning === null || prevHash === undefined || !Number.isSafeInteger(height)) {
    throw new ChainError(
      'not_canonical',
      'The text does not have the frame {"height":H,"payload":{…},"prev_hash":"P"} of a block.',
    );
  }
  const payloadEnd = canonical.length - PREV_HASH_OPENING_FROM_END + 1;
  return { height, prevHash, payloadText: canonical.slice(beginning[0].length, payloadEnd) };
}

function parsePayload(frame: BlockFrame): JsonObject {
  let payload: unknown;
  try {
    payload = JSON.parse(frame.payloadText);
  } catch (cause) {
    throw new ChainError(
      'not_json',
      `The payload of the block with height ${frame.height} is not one JSON object.`,
      { cause },
    );
  }
  if (!isJsonObject(payload)) {
    throw new ChainError(
      'not_json',
      `The payload of the block with height ${frame.height} is not one JSON object.`,
    );
  }
  return payload;
}

/** Whether a value that JSON.parse made is an object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
