// Keeps the signed trees of this process consistent: looks at the head of the tree, compares it
// with the tree that was signed last, and signs the trees that extend it. A tree that contradicts
// it is not signed; the keeper raises an alarm.
import assert from 'node:assert/strict';
import {
  appendLeaves,
  computeRoot,
  EMPTY_FRONTIER,
  sameBytes,
  verifyInclusion,
} from '@lothub/chain/log';
import type { Frontier, GroupTree, TreeHead } from '@lothub/chain/log';
import { at } from '@lothub/kit/present';
import { sha256Bytes } from '@lothub/kit/secrets/hash';
import { findMismatch, type LogDatabase } from './compare-tree.ts';
import type { LogOwner, StoredIdentity } from './log-identity.ts';
import { LogRecordWriter, readLogRecord, type LogRecordReading } from './log-record.ts';
import { SignedGroup } from './signed-group.ts';
import { signedNote } from './signed-note.ts';
import type { LogState, SignedCheckpoint, TreeProgress } from './signed-log.ts';

/** Interval of comparisons between the last signed tree and the stored one. */
const LOOK_EVERY_MS = 500;
/** Interval at which a signed tree is noted in the database, for a restored backup of it. */
const NOTE_EVERY_MS = 60_000;

export interface LogKeeperOptions {
  readonly owner: LogOwner;
  /** Reads the keys again, of a log whose keys have changed; undefined when this process has none. */
  readonly findOwner: (stored: StoredIdentity) => LogOwner | undefined;
  /** Called when other keys sign from now on. */
  readonly onOwner: (owner: LogOwner) => void;
  /** Holds the record of what was signed last. */
  readonly dataDir: string;
  /**
   * True: without such a record nothing is signed until it is confirmed that no one has seen a
   * larger tree.
   */
  readonly isRecordNeeded: boolean;
  readonly database: LogDatabase;
  /** Called with each state, and with each head that was signed by a look. */
  readonly onNews: (news: LogNews) => void;
  readonly onClosed: () => void;
  readonly onFailure: (error: unknown) => void;
}

export interface LogNews {
  readonly state: LogState;
  /** As in `SignedLog`. */
  readonly building: TreeProgress | undefined;
  /** The last signed head, also while nothing is signed. */
  readonly checkpoint: SignedCheckpoint | undefined;
  /** As in `SignedLog`. */
  readonly unconfirmed: SignedCheckpoint | undefined;
}

/** A group that is on disk. */
export interface GrownGroup {
  readonly grown: GroupTree | undefined;
  /**
   * A tree that the keeper had signed when the group was begun (`signedFrontier`), and the leaves
   * of blocks that other processes appended after it, in order; undefined when nothing was signed
   * then.
   */
  readonly since: { readonly signed: Frontier; readonly leaves: readonly Uint8Array[] } | undefined;
  /** An alarm that holds the log is open. */
  readonly isAlarmed: boolean;
}

interface Signed {
  readonly frontier: Frontier;
  readonly checkpoint: SignedCheckpoint;
}

export class LogKeeper implements AsyncDisposable {
  readonly #options: LogKeeperOptions;
  readonly #record: LogRecordWriter;
  readonly #timer: NodeJS.Timeout;
  #owner: LogOwner;
  /** When a signed tree is noted again. */
  #noteAfterMs = 0;
  #noted = 0;
  #state: LogState = 'building';
  #building: TreeProgress | undefined;
  #signed: Signed | undefined;
  #last: SignedCheckpoint | undefined;
  /** Groups of this process that came since the tree was read, while nothing was signed. */
  #unsigned: GroupTree[] = [];
  #isWarned = false;
  #isConfirmed = false;
  #unconfirmed: SignedCheckpoint | undefined;
  #looking: Promise<void> | undefined;
  #isClosed = false;

  private constructor(options: LogKeeperOptions) {
    this.#options = options;
    this.#owner = options.owner;
    this.#record = new LogRecordWriter(options.dataDir);
    this.#timer = setInterval(() => void this.lookSafely(), LOOK_EVERY_MS);
    this.#timer.unref();
  }

  /**
   * Compares once, before anything is signed, and then at intervals.
   * @throws DatabaseError when the database cannot be read
   */
  static async open(options: LogKeeperOptions): Promise<LogKeeper> {
    const keeper = new LogKeeper(options);
    try {
      await keeper.look();
    } catch (error) {
      await keeper.close();
      throw error;
    }
    return keeper;
  }

  /** The tree that was signed last; undefined while nothing is signed. */
  get signedFrontier(): Frontier | undefined {
    return this.#state === 'signing' ? this.#signed?.frontier : undefined;
  }

  /**
   * Call it for each group of this process that is on disk, before its callers get their answers.
   * Signs the tree of the group.
   *
   * @returns undefined when nothing is signed
   */
  committed({ grown, since, isAlarmed }: GrownGroup): SignedGroup | undefined {
    const signed = this.#signed;
    if (this.#state !== 'signing' || signed === undefined) {
      if (grown !== undefined) this.#unsigned.push(grown);
      return undefined;
    }
    if (since === undefined && !isAlarmed) return undefined;
    const expected = since && appendLeaves(since.signed, since.leaves, sha256Bytes);
    const isExpected =
      grown !== undefined && expected !== undefined && isSameFrontier(grown.before, expected);
    if (isAlarmed || !isExpected) {
      // The chain is another one than the one that was signed, or was cut. The next look says which.
      this.#stop();
      return undefined;
    }
    try {
      if (signed.frontier.size === grown.after.size) {
        return new SignedGroup({ checkpoint: signed.checkpoint, tree: grown });
      }
      const head = this.#buildHead(appendLeaves(grown.before, grown.leaves, sha256Bytes));
      assertGrown(head, grown);
      // A look may have signed what came behind the group by now.
      const isNewest = signed.frontier.size < head.size;
      const checkpoint = isNewest ? this.#sign(grown.after, head) : this.#buildCheckpoint(head);
      return new SignedGroup({ checkpoint, tree: grown });
    } catch (error) {
      // The group is on disk, so its callers must not get an error.
      this.#options.onFailure(error);
      this.#stop();
      return undefined;
    }
  }

  /**
   * Compares what was signed last with what is stored, and signs the head when it is newer.
   * @throws DatabaseError when the database cannot be read
   */
  look(): Promise<void> {
    this.#looking ??= this.#compare().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** Accepts without a record that the stored tree contains everything that was signed with the key. */
  confirm(): void {
    this.#isConfirmed = true;
  }

  async lookSafely(): Promise<void> {
    try {
      await this.look();
    } catch (error) {
      if (!this.#isClosed) this.#options.onFailure(error);
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#looking?.catch(this.#options.onFailure);
    await this.#noteSigned(Infinity);
    this.#record[Symbol.dispose]();
    this.#options.onClosed();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #compare(): Promise<void> {
    const { database, dataDir } = this.#options;
    // The record is read before the tree, which only grows: so the record is never ahead of it.
    const record = readLogRecord(dataDir);
    if (record === undefined) return;
    this.#unsigned = [];
    const tree = await database.readTree();
    if (!this.#isOurs(tree.stored)) {
      this.#stop();
      return;
    }
    const { origin } = this.#owner.identity;
    const mismatch = await findMismatch({ record, tree }, { database, origin });
    if (this.#isClosed) return;
    this.#last ??= this.#signedBefore(record);
    const { tiled, tip } = tree;
    this.#building = tree.frontier === undefined ? { tiled, blocks: tip.height + 1 } : undefined;
    const isKnown = record.kind !== 'absent' || this.#isConfirmed || !this.#options.isRecordNeeded;
    this.#unconfirmed = isKnown
      ? undefined
      : this.#buildCheckpoint(this.#buildHead(EMPTY_FRONTIER));
    if (mismatch !== undefined) await database.raiseAlarm(mismatch);
    if (mismatch !== undefined || tree.isAlarmed) this.#stop();
    else if (tree.frontier === undefined || this.#unconfirmed !== undefined)
      this.#state = 'building';
    else this.#goOn(tree.frontier);
    this.#reportNews();
    await this.#noteSigned(performance.now());
  }

  /**
   * Returns whether this process may sign: with the current keys of the log, and under the name
   * that it was opened with.
   */
  #isOurs(stored: StoredIdentity | undefined): boolean {
    const { identity, keys } = this.#owner;
    if (stored === undefined)
      throw new Error('signing: the log is not stored any more; restore a backup');
    const isSame = stored.epoch === identity.epoch;
    const isUnchanged = isSame && stored.vkeys === identity.vkeys.join('\n');
    // A process with one of two keys may get the other one at any time.
    if (isUnchanged && keys.length === identity.vkeys.length) return true;
    const owner = isSame ? this.#options.findOwner(stored) : undefined;
    if (owner === undefined || owner.keys.length < owner.identity.vkeys.length) {
      this.#warn(stored, owner);
    }
    if (owner === undefined) return false;
    if (!isUnchanged || owner.keys.length !== keys.length) this.#signAs(owner);
    return true;
  }

  #signAs(owner: LogOwner): void {
    this.#owner = owner;
    this.#isWarned = false;
    this.#options.onOwner(owner);
    const last = this.#last;
    if (last === undefined) return;
    this.#last = this.#buildCheckpoint({ ...last, origin: owner.identity.origin });
    const signed = this.#signed;
    if (signed !== undefined) this.#signed = { ...signed, checkpoint: this.#last };
  }

  #warn(stored: StoredIdentity, owner: LogOwner | undefined): void {
    if (this.#isWarned) return;
    this.#isWarned = true;
    const what =
      stored.epoch !== this.#owner.identity.epoch
        ? 'the operator has begun another one; restart this process'
        : owner === undefined
          ? 'this process has none of its keys, so it signs nothing; put the key in place (LOG_KEY_FILE)'
          : 'this process has one of its two keys; put the other one beside it (LOG_KEY_FILE.next)';
    this.#options.onFailure(new Error(`signing as ${stored.origin}: ${what}`));
  }

  /**
   * Notes the signed tree in the database, for a restored backup of it: at intervals, and when the service
   * stops.
   */
  async #noteSigned(nowMs: number): Promise<void> {
    const signed = this.#signed?.checkpoint;
    if (signed === undefined || signed.size === this.#noted || nowMs < this.#noteAfterMs) return;
    this.#noteAfterMs = nowMs + NOTE_EVERY_MS;
    this.#noted = signed.size;
    const { epoch, origin } = this.#owner.identity;
    try {
      await this.#options.database.noteSigned(epoch, { ...signed, origin });
    } catch (error) {
      // It is noted with the next interval.
      this.#options.onFailure(error);
    }
  }

  /**
   * Signs the recorded head again. The bytes are the same as before, because signatures are
   * deterministic.
   */
  #signedBefore(record: LogRecordReading): SignedCheckpoint | undefined {
    const { identity, keys } = this.#owner;
    if (record.kind !== 'read' || record.value.origin !== identity.origin) return undefined;
    const { size, root } = record.value;
    return { size, root, note: signedNote(record.value, keys) };
  }

  #stop(): void {
    this.#state = 'held';
    this.#signed = undefined;
    this.#reportNews();
  }

  #reportNews(): void {
    this.#options.onNews({
      state: this.#state,
      building: this.#building,
      checkpoint: this.#last,
      unconfirmed: this.#unconfirmed,
    });
  }

  /** Groups of this process may have come while the tree was read, and may be signed already. */
  #goOn(read: Frontier): void {
    this.#state = 'signing';
    if (this.#signed !== undefined && this.#signed.frontier.size >= read.size) return;
    let frontier = read;
    for (const { before, after } of this.#unsigned) {
      if (isSameFrontier(before, frontier)) frontier = after;
    }
    this.#sign(frontier);
  }

  /** Writes the record first: every signature that leaves this process is of a recorded head. */
  #sign(frontier: Frontier, head = this.#buildHead(frontier)): SignedCheckpoint {
    this.#record.write(head);
    this.#isConfirmed = true;
    const checkpoint = this.#buildCheckpoint(head);
    this.#signed = { frontier, checkpoint };
    this.#last = checkpoint;
    return checkpoint;
  }

  #buildCheckpoint(head: TreeHead): SignedCheckpoint {
    const note = signedNote(head, this.#owner.keys);
    return { size: head.size, root: head.root, note };
  }

  #buildHead(frontier: Frontier): TreeHead {
    const { origin } = this.#owner.identity;
    return { origin, size: frontier.size, root: computeRoot(frontier, sha256Bytes) };
  }
}

function isSameFrontier(a: Frontier, b: Frontier): boolean {
  return a.size === b.size && a.hashes.every((hash, place) => sameBytes(hash, at(b.hashes, place)));
}

/**
 * A signature cannot be withdrawn: the root that it is about is hashed apart from the tree that the group has
 * stored, and the group's last block is looked for under it by the proof that answers are made of.
 */
function assertGrown({ size, root }: TreeHead, grown: GroupTree): void {
  const index = size - 1;
  const leaf = grown.leaves.at(-1);
  if (leaf === undefined) return;
  const proof = grown.buildProof(index);
  const isIncluded = verifyInclusion({ index, size, leaf, proof, root, hash: sha256Bytes });
  assert(isIncluded, `the last of ${size} blocks is not in the tree that was to be signed`);
}
