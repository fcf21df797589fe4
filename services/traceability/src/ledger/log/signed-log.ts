// The log over the chain as the thread that serves requests sees it: its name, whether anything is
// signed, and the newest head that this process has signed.
import type { JsonText } from '@lothub/kit/http/schemas/json-text';

/**
 * `building`: the tree of an older hub is not made yet. `held`: what is stored contradicts what was
 * signed, or may; nothing is signed until an operator has decided.
 */
export const LOG_STATES = ['off', 'building', 'held', 'signing'] as const;
export type LogState = (typeof LOG_STATES)[number];

export interface LogIdentity {
  readonly epoch: number;
  readonly origin: string;
  /** The current one first. */
  readonly vkeys: readonly string[];
}

/** The progress of the tree that is made for an older hub. */
export interface TreeProgress {
  /** Blocks that a complete tile holds. */
  readonly tiled: number;
  /** The number of all blocks; it grows while events are appended. */
  readonly blocks: number;
}

/** A head of the tree, signed by the hub. */
export interface SignedCheckpoint {
  readonly size: number;
  /** 32 bytes. */
  readonly root: Uint8Array;
  /** The whole signed note, as it is published. */
  readonly note: string;
}

/** The proof that a block of a group is in the tree that the group left. */
export interface GroupProof {
  readonly index: number;
  /** The whole proof file: one text crosses a thread for a sixth of what its hashes do. */
  readonly text: JsonText;
}

/** The answer of the log to a group that was committed. */
export interface GroupLog {
  readonly checkpoint: SignedCheckpoint;
  /** Proofs of the blocks of one submission, if it wants proofs, ascending. */
  readonly proofs: readonly GroupProof[];
}

export interface SignedLog {
  readonly state: LogState;
  /** Undefined when the log is off. */
  readonly identity: LogIdentity | undefined;
  /** Undefined unless the tree is being made. */
  readonly building: TreeProgress | undefined;
  /** The last signed head, also while the log is held; its blocks may have been lost since. */
  readonly last: SignedCheckpoint | undefined;
  /**
   * The signed empty tree, while this machine has a key but no record of the trees signed with it.
   * A witness that has seen a larger tree reports that in response to the request to cosign it.
   * Nothing else is signed until `confirm`.
   */
  readonly unconfirmed: SignedCheckpoint | undefined;
  /**
   * Call it when no one has seen more than what is stored; from then on the stored tree is signed.
   */
  confirm(): void;
  /**
   * The newest head that is signed; undefined unless `state` is `signing`.
   * @param options `size`: size of a tree that the caller has seen; if this thread has no signed
   * head of that size, the writer looks at the chain again
   */
  newest(options?: { readonly size: number }): Promise<SignedCheckpoint | undefined>;
}
