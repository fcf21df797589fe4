// Reads the published log of the hub: the newest signed head, and the tiles and proofs below it.
// Everything that it shows is within a signed head, and every proof leads to its root.
import {
  leafHash,
  sameBytes,
  subtreeInTile,
  TILE_WIDTH,
  tlogProofText,
  toBase64,
  verifyInclusion,
} from '@lothub/chain/log';
import { RecentlyUsed } from '@lothub/kit/serving/recently-used';
import { sha256Bytes } from '@lothub/kit/secrets/hash';
import { Refusal } from '../errors.ts';
import type {
  LogIdentity,
  LogState,
  SignedCheckpoint,
  SignedLog,
} from '../ledger/log/signed-log.ts';
import { buildTileName, type HashTile } from '../ledger/log/tiles/tile-contents.ts';
import { newEdge, TreeReader, type TreeEdge } from '../ledger/log/tree-reader.ts';
import type { LedgerReader } from '../ledger/read.ts';
import type { ChainState } from '../ledger/verify/chain-state.ts';
import { CosignerFinder } from '../witnessing/cosigners.ts';
import type { HubPolicy } from '../witnessing/hub-policy.ts';
import { newestPublished } from '../witnessing/published.ts';

/** A proof file (C2SP tlog-proof) and the size of the tree that it is about. */
export interface BlockProof {
  readonly size: number;
  readonly text: string;
}

/** The inclusion proof of one block as hashes in base64. */
export interface BlockInclusion {
  readonly height: number;
  readonly hashes: readonly string[];
}

/** Complete tiles that are cached for the next requests: those of a million blocks, 8 KiB each, so 32 MiB. */
const TILES_KEPT_MAX = 4_096;

/** The checkpoint to which a proof leads. */
export interface CoveringCheckpoint {
  readonly checkpoint: SignedCheckpoint;
  /** Whether as many witnesses have cosigned it as the hub's policy requires. */
  readonly isWitnessed: boolean;
}

export class PublicLog {
  readonly tree: TreeReader;
  /** Undefined when the operator has named no witnesses. */
  readonly policy: HubPolicy | undefined;
  /** The cosigners of the policy. */
  readonly cosigners: CosignerFinder | undefined;
  readonly #signed: SignedLog;
  readonly #reader: LedgerReader;
  readonly #state: ChainState;
  readonly #tiles = new RecentlyUsed<string, Uint8Array>(TILES_KEPT_MAX);
  /** Right edge of the tree of the last requested proof: the next one is mostly of the same tree. */
  #edge: { readonly root: Uint8Array; readonly tiles: TreeEdge } | undefined;

  constructor(options: {
    readonly signed: SignedLog;
    readonly reader: LedgerReader;
    readonly state: ChainState;
    readonly policy?: HubPolicy | undefined;
  }) {
    this.policy = options.policy;
    this.cosigners = options.policy && new CosignerFinder(options.policy);
    this.#signed = options.signed;
    this.#reader = options.reader;
    this.#state = options.state;
    this.tree = new TreeReader({ database: options.reader.database });
  }

  get state(): LogState {
    return this.#signed.state;
  }

  /** Undefined when the log is off. */
  get identity(): LogIdentity | undefined {
    return this.#signed.identity;
  }

  /**
   * Returns the newest signed head; while the log is held, the last one that this process has read.
   * @param options `size`: the smallest tree that is wanted
   * @throws Refusal `not_found` when the log is off, `log_unavailable` when nothing is signed
   */
  async head(options?: { readonly size: number }): Promise<SignedCheckpoint> {
    const head = (await this.#signed.newest(options)) ?? this.#signed.last;
    if (this.state === 'off') throw new Refusal('not_found', LOG_IS_OFF);
    if (head !== undefined) return head;
    throw new Refusal('log_unavailable', UNAVAILABLE[this.state]);
  }

  /**
   * The bytes of a tile as C2SP tlog-tiles publishes it. A complete one was found in the tree of a signed
   * head, and is kept from then on.
   */
  async tile(tile: HashTile, head: SignedCheckpoint): Promise<Uint8Array> {
    if (tile.width < TILE_WIDTH) return await this.tree.tile(tile);
    const name = `${this.identity?.origin} ${buildTileName(tile)}`;
    const kept = this.#tiles.get(name);
    if (kept !== undefined) return kept;
    const hashes = await this.tree.tile(tile);
    await this.#assertInTree(tile, hashes, head);
    this.#tiles.set(name, hashes);
    return hashes;
  }

  /**
   * The newest checkpoint that satisfies the hub's policy, with its cosignatures; without a policy the
   * newest signed head.
   * @param options `size`: the smallest tree that is wanted
   * @returns undefined while no checkpoint of that size satisfies the policy
   * @throws Refusal as `head`
   */
  async published(options?: { readonly size: number }): Promise<SignedCheckpoint | undefined> {
    const { identity } = this;
    const size = options?.size ?? 0;
    if (this.policy === undefined || identity === undefined) {
      const head = await this.head(options);
      return head.size < size ? undefined : head;
    }
    const row = await newestPublished(this.#reader.database, identity.epoch);
    return row === undefined || row.size < size ? undefined : row;
  }

  /**
   * The published checkpoint when its tree is large enough, otherwise the newest signed head, which may
   * still be smaller.
   * @throws Refusal as `head`
   */
  async covering(size: number): Promise<CoveringCheckpoint> {
    const published = await this.published({ size });
    if (published === undefined) {
      return { checkpoint: await this.head({ size }), isWitnessed: false };
    }
    const kind = this.policy?.policy.quorum.kind ?? 'none';
    return { checkpoint: published, isWitnessed: kind !== 'none' };
  }

  /** The proof of a block that is in the tree of a signed head, with that head. */
  async proof(height: number, head: SignedCheckpoint): Promise<BlockProof> {
    const [entry, hashes] = await Promise.all([
      this.tree.entries({ from: height, below: height + 1 }),
      this.tree.inclusion(height, head.size, this.#getEdge(head)),
    ]);
    this.#assertLeads({ height, entry, hashes }, head);
    const { size, note } = head;
    return { size, text: tlogProofText({ index: height, proof: hashes, checkpoint: note }) };
  }

  #getEdge({ root }: SignedCheckpoint): TreeEdge {
    if (this.#edge === undefined || !sameBytes(this.#edge.root, root)) {
      this.#edge = { root, tiles: newEdge() };
    }
    return this.#edge.tiles;
  }

  /**
   * The proofs of blocks in the tree of a signed head, in the order of the heights.
   * @param tree `edge` as of `TreeReader.inclusions`
   */
  async *inclusions(
    blocks: readonly { readonly height: number; readonly hash: string }[],
    tree: { readonly head: SignedCheckpoint; readonly edge: TreeEdge },
  ): AsyncGenerator<BlockInclusion> {
    const { head, edge } = tree;
    const heights = blocks.map(({ height }) => height);
    let place = 0;
    for await (const hashes of this.tree.inclusions(heights, head.size, edge)) {
      const block = blocks[place];
      place += 1;
      if (block === undefined) return;
      const { height } = block;
      this.#assertLeads({ height, entry: Uint8Array.fromHex(block.hash), hashes }, head);
      yield { height, hashes: hashes.map(toBase64) };
    }
  }

  /** @throws Refusal `log_unavailable`, as `#assertLeads` */
  async #assertInTree(
    tile: HashTile,
    hashes: Uint8Array,
    { size, root }: SignedCheckpoint,
  ): Promise<void> {
    const { index, level } = tile;
    const leavesBelow = TILE_WIDTH ** (level + 1);
    const isIncluded = verifyInclusion({
      index,
      size: Math.ceil(size / leavesBelow),
      leaf: subtreeInTile(hashes, { start: 0, count: TILE_WIDTH }, sha256Bytes),
      proof: await this.tree.tileInclusion(tile, size),
      root,
      hash: sha256Bytes,
    });
    if (!isIncluded)
      this.#refuse(index * leavesBelow, `does not prove its tile ${buildTileName(tile)}`, size);
  }

  /**
   * Checks a proof before anybody gets it, because the stored tree may differ from the signed one.
   * @throws Refusal `log_unavailable`, and reports it to the chain's state
   */
  #assertLeads(
    claim: {
      readonly height: number;
      readonly entry: Uint8Array;
      readonly hashes: readonly Uint8Array[];
    },
    { size, root }: SignedCheckpoint,
  ): void {
    const { height, entry, hashes } = claim;
    const leaf = leafHash(entry, sha256Bytes);
    const proof = { index: height, size, leaf, proof: hashes, root, hash: sha256Bytes };
    if (!verifyInclusion(proof)) this.#refuse(height, `does not prove block ${height}`, size);
  }

  /** @param what of the stored tree is wrong */
  #refuse(height: number, what: string, size: number): never {
    // The edge itself may be wrong, so it is read again after the database is repaired.
    this.#edge = undefined;
    // While the log is held, signed blocks may be missing; that is reported already.
    if (this.state === 'held') throw new Refusal('log_unavailable', UNAVAILABLE.held);
    this.#state.report({
      height,
      code: 'tile_differs',
      message: `what is stored of the tree ${what} to the signed root of ${size}`,
    });
    throw new Refusal('log_unavailable', LOG_DIFFERS);
  }
}

export const LOG_IS_OFF = 'This hub keeps no public log (LOG=off)';
export const NOT_PUBLISHED =
  'No checkpoint of this log has the cosignatures that its operator asks for yet: see checkpoint/latest';
const UNAVAILABLE: Readonly<Record<Exclude<LogState, 'off'>, string>> = {
  building: 'The log of this hub is being built: nothing is signed yet',
  held: 'The log of this hub is held: nothing is signed until its operator has seen to it',
  signing: 'The log of this hub has signed nothing yet: try again',
};
export const LOG_DIFFERS =
  'What is stored of the log differs from what was signed: its operator must see to it';
