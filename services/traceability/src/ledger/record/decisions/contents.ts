// What the blocks of decisions say, type by type (docs/chain-format.md, "Version 2").
/** Names of private values that a decision commits to, each with its commitment. */
export type Commitments = Readonly<Record<string, string>>;

/** What all decisions may have. */
export interface DecisionMembers {
  /** When it was decided; that of the block is when it was sealed. */
  readonly at: string;
  readonly committed?: Commitments;
  /** Decided before decisions were sealed. */
  readonly migrated?: true;
}

/** Lots held or released by hand. Private: `by`, `reason`. */
export interface HoldDecision extends DecisionMembers {
  /** Codes of lots of the brand, each once, at most `LOTS_PER_BLOCK_MAX`. */
  readonly lots: readonly string[];
  /** Absent: by hand. A release may end the hold of a case. */
  readonly case_no?: string;
  readonly state: 'held' | 'released';
}

/** By type of payload. */
export interface DecisionContents {
  readonly hold: HoldDecision;
}

export type DecisionType = keyof DecisionContents;
export type Decision = DecisionContents[DecisionType];

/** Lots that one block names; of more there are further blocks in the same transaction. */
export const LOTS_PER_BLOCK_MAX = 1_000;
