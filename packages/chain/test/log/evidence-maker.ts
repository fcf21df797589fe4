/** Makes evidence files and proof files out of blocks, as a hub does, and then changes them. */
import { canonicalize, type JsonValue } from '../../src/index.ts';
import {
  bytesOfHex,
  EMPTY_FRONTIER,
  formatVkey,
  GroupTree,
  leafHash,
  tlogProofText,
  toBase64,
} from '../../src/log/index.ts';
import type { VectorBlock } from '../vectors/chain-maker.ts';
import { rootOfLeaves, sha256Bytes } from './naive-tree.ts';
import { signedCheckpoint, testKey, witnessVkey, type TestWitness } from './test-keys.ts';

export const ORIGIN = 'trace.example.com/log/1';
export const LOG_KEY = testKey(0x40);
export const WITNESSES: readonly TestWitness[] = ['alder', 'birch', 'cedar'].map((name, index) => ({
  name: `${name}.example/witness`,
  key: testKey(0x50 + index),
  time: 1_767_400_000 + index * 100,
}));

const LOG_LINE = `log ${formatVkey(ORIGIN, LOG_KEY.publicKey)}`;

/** The log, and two of three witnesses. */
export const POLICY = [
  LOG_LINE,
  ...WITNESSES.map((witness) => `witness ${witness.name.slice(0, 5)} ${witnessVkey(witness)}`),
  'group outside 2 alder birch cedar',
  'quorum outside',
  '',
].join('\n');
/** The log alone. */
export const POLICY_OF_NOBODY = `${LOG_LINE}\nquorum none\n`;

/** A log over some blocks. */
export class TestLog {
  readonly checkpoint: string;
  readonly #origin: string;
  readonly #blocks: readonly VectorBlock[];
  readonly #tree: GroupTree;

  constructor(
    blocks: readonly VectorBlock[],
    witnesses = WITNESSES,
    key = LOG_KEY,
    origin = ORIGIN,
  ) {
    this.#origin = origin;
    this.#blocks = blocks;
    const leaves = blocks.map((block) => leafHash(bytesOfHex(block.block_hash), sha256Bytes));
    this.#tree = new GroupTree({ before: EMPTY_FRONTIER, leaves, hash: sha256Bytes });
    const head = { origin, size: blocks.length, root: rootOfLeaves(leaves) };
    this.checkpoint = signedCheckpoint(head, { log: key, witnesses });
  }

  proofText(index: number, extra?: string): string {
    const proof = this.#tree.buildProof(index);
    const { checkpoint } = this;
    return tlogProofText({
      index,
      proof,
      checkpoint,
      ...(extra === undefined ? {} : { extra: new TextEncoder().encode(extra) }),
    });
  }

  /** The members of an evidence file; `changes` replace some. */
  evidence(
    indexes: readonly number[],
    changes: Readonly<Record<string, JsonValue>> = {},
  ): { readonly [key: string]: JsonValue } {
    return {
      format: 'lothub-evidence/1',
      origin: this.#origin,
      chain_id: this.#at(0).block_hash,
      lot: { brand: 'acme', lot_code: 'FLOUR-1' },
      checkpoint: this.checkpoint,
      blocks: indexes.map((index) => this.block(index)),
      epochs: [],
      disclosures: [],
      ...changes,
    };
  }

  evidenceText(
    indexes: readonly number[],
    changes: Readonly<Record<string, JsonValue>> = {},
  ): string {
    return canonicalize(this.evidence(indexes, changes));
  }

  block(index: number): { index: number; canonical: string; inclusion: string[] } {
    return {
      index,
      canonical: this.#at(index).canonical,
      inclusion: this.#tree.buildProof(index).map(toBase64),
    };
  }

  #at(index: number): VectorBlock {
    const block = this.#blocks[index];
    if (block === undefined) throw new RangeError(`The log has no block ${index}.`);
    return block;
  }
}
