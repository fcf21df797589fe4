// The log over the chain as the thread that serves requests sees it: its name, whether anything is
// signed, and the newest head that this process has signed.

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

/** How far the tree is that is made for an older hub. */
export interface TreeProgress {
  /** Blocks that a complete tile holds. */
  readonly tiled: number;
  /** All blocks; while events are taken there are ever more of them. */
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
  readonly text: string;
}

/** What the log says of a group that was committed. */
export interface GroupLog {
  readonly checkpoint: SignedCheckpoint;
  /** Of the blocks of one submission that asked for proofs, ascending. */
  readonly proofs: readonly GroupProof[];
}

export interface SignedLog {
  readonly state: LogState;
  /** Undefined when the log is off. */
  readonly identity: LogIdentity | undefined;
  /** Undefined unless the tree is being made. */
  readonly building: TreeProgress | undefined;
  /** What was signed last, also while the log is held; it may be of blocks that are not there any more. */
  readonly last: SignedCheckpoint | undefined;
  /**
   * The signed empty tree, while this machine has a key and no record of what was signed with it: whoever
   * has seen more than that says so when asked to cosign it. Nothing else is signed until `confirm`.
   */
  readonly unconfirmed: SignedCheckpoint | undefined;
  /** To be called when nobody has seen more than what is stored; what is stored is signed from then on. */
  confirm(): void;
  /**
   * The newest head that is signed; undefined unless `state` is `signing`.
   * @param options `size`: a tree that the caller has seen; when nothing that large is known to be
   *   signed, the chain is looked at again
   */
  newest(options?: { readonly size: number }): Promise<SignedCheckpoint | undefined>;
}
