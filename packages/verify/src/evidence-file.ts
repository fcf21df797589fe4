/**
 * Evidence files of a lot, `lothub-evidence/1`: read strictly, before anything in them is believed.
 *
 * The file must be the one canonical text of what it says, so that no byte of it can be changed
 * without changing what it says.
 */
import { ChainError, toCanonicalText } from '@lothub/chain';
import {
  LogError,
  parseCheckpoint,
  parseNote,
  PROOF_HASHES_MAX,
  strictBase64,
  textOfUtf8,
  utf8,
} from '@lothub/chain/log';
import type { Checkpoint } from '@lothub/chain/log';
import { Refusal } from './verdict.ts';

/** Largest file that is read, in bytes: 64 MiB. */
export const EVIDENCE_BYTES_MAX = 67_108_864;
/** Most blocks of one file. */
export const EVIDENCE_BLOCKS_MAX = 100_000;
/** Most epoch statements and most disclosures of one file. */
export const EVIDENCE_ITEMS_MAX = 1_000;

export const EVIDENCE_FORMAT = 'lothub-evidence/1';

export interface EvidenceBlock {
  /** Index in the log, which is the height. */
  readonly index: number;
  readonly canonical: string;
  /** Inclusion proof in the tree of the file's checkpoint. */
  readonly inclusion: readonly Uint8Array[];
}

/** A parsed file; nothing of it is verified. */
export interface Evidence {
  readonly origin: string;
  readonly chainId: string;
  readonly lot: { readonly brand: string; readonly lotCode: string };
  /** The checkpoint as it is in the file. */
  readonly checkpoint: string;
  readonly head: Checkpoint;
  /** Ascending by index, each once. */
  readonly blocks: readonly EvidenceBlock[];
  readonly epochs: readonly string[];
  readonly disclosures: readonly unknown[];
}

const MEMBERS = 'blocks,chain_id,checkpoint,disclosures,epochs,format,lot,origin';
const LOT_MEMBERS = 'brand,lot_code';
const BLOCK_MEMBERS = 'canonical,inclusion,index';
const SHA256_HEX = /^[0-9a-f]{64}$/;

/** @throws {Refusal} `malformed` */
export function parseEvidence(file: string | Uint8Array): Evidence {
  const text = decodeText(file);
  const value = parseJson(text);
  if (!isObject(value) || joinMembers(value) !== MEMBERS || value['format'] !== EVIDENCE_FORMAT) {
    throw malformed(`is not ${EVIDENCE_FORMAT}`);
  }
  const { origin, chain_id: chainId, lot, checkpoint, blocks, epochs, disclosures } = value;
  if (typeof origin !== 'string' || typeof checkpoint !== 'string')
    throw malformed('lacks its log');
  if (typeof chainId !== 'string' || !SHA256_HEX.test(chainId)) {
    throw malformed('has a chain_id that is no hash');
  }
  const head = readFormat(() => parseCheckpoint(checkpoint));
  if (head.origin !== origin) throw malformed('names another log than its checkpoint does');
  return {
    origin,
    chainId,
    lot: readLot(lot),
    checkpoint,
    head,
    blocks: readBlocks(blocks),
    epochs: readList(epochs, 'epochs').map(readEpoch),
    disclosures: readList(disclosures, 'disclosures'),
  };
}

function decodeText(file: string | Uint8Array): string {
  const bytes = typeof file === 'string' && file.length <= EVIDENCE_BYTES_MAX ? utf8(file) : file;
  if (bytes.length > EVIDENCE_BYTES_MAX) throw malformed('is larger than 64 MiB');
  if (typeof file === 'string') return file;
  try {
    return textOfUtf8(file);
  } catch (cause) {
    throw malformed('is not UTF-8', cause);
  }
}

function parseJson(text: string): unknown {
  let value: unknown;
  let canonical: string;
  try {
    value = JSON.parse(text);
    canonical = toCanonicalText(value);
  } catch (cause) {
    if (cause instanceof SyntaxError) throw malformed('is not JSON', cause);
    if (cause instanceof ChainError) throw malformed('holds values that no such file has', cause);
    throw cause;
  }
  if (canonical !== text) throw malformed('is not the canonical JSON of what it says');
  return value;
}

function readLot(lot: unknown): Evidence['lot'] {
  if (!isObject(lot) || joinMembers(lot) !== LOT_MEMBERS) throw malformed('names no lot');
  const { brand, lot_code: lotCode } = lot;
  if (typeof brand !== 'string' || typeof lotCode !== 'string') throw malformed('names no lot');
  return { brand, lotCode };
}

function readBlocks(blocks: unknown): readonly EvidenceBlock[] {
  if (!Array.isArray(blocks)) throw malformed('has no list of blocks');
  if (blocks.length > EVIDENCE_BLOCKS_MAX) {
    throw malformed(`has more than ${EVIDENCE_BLOCKS_MAX} blocks`);
  }
  if (blocks.length === 0) throw malformed('holds no block, so it proves nothing');
  let last = -1;
  return blocks.map((block: unknown) => {
    const read = readBlock(block);
    if (read.index <= last) throw malformed('has blocks that are not in the order of the log');
    last = read.index;
    return read;
  });
}

function readBlock(block: unknown): EvidenceBlock {
  if (!isObject(block) || joinMembers(block) !== BLOCK_MEMBERS)
    throw malformed('has a malformed block');
  const { index, canonical, inclusion } = block;
  if (typeof index !== 'number' || index < 0 || typeof canonical !== 'string') {
    throw malformed('has a malformed block');
  }
  if (!Array.isArray(inclusion) || inclusion.length > PROOF_HASHES_MAX) {
    throw malformed(`has a block without a proof of at most ${PROOF_HASHES_MAX} hashes`);
  }
  return { index, canonical, inclusion: inclusion.map(readHash) };
}

function readHash(text: unknown): Uint8Array {
  if (typeof text !== 'string') throw malformed('has a proof with something else than hashes');
  return readFormat(() => strictBase64(text));
}

function readEpoch(note: unknown): string {
  if (typeof note !== 'string') throw malformed('has an epoch that is no signed note');
  readFormat(() => parseNote(note));
  return note;
}

function readList(list: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(list) || list.length > EVIDENCE_ITEMS_MAX) {
    throw malformed(`has no list of at most ${EVIDENCE_ITEMS_MAX} ${name}`);
  }
  return list;
}

function readFormat<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof LogError) throw new Refusal('malformed', error.message, { cause: error });
    throw error;
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function joinMembers(value: Readonly<Record<string, unknown>>): string {
  return Object.keys(value).sort().join();
}

function malformed(what: string, cause?: unknown): Refusal {
  return new Refusal('malformed', `The evidence file ${what}.`, { cause });
}
