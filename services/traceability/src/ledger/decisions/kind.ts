// The effect of a type of decision on the rows beside the chain, defined once for the change that
// seals it and for a rebuild.
import type { Sql } from 'sql-template-tag';
import type { DecisionContents, DecisionType, Openings } from '../record/decisions/contents.ts';
import type { SealedHeight } from './draft.ts';

/** A decision in the form from which its rows are made. */
export interface DecidedBlock<Type extends DecisionType> {
  readonly height: number | SealedHeight;
  readonly brand: string;
  readonly decision: DecisionContents[Type];
  /** Private values that are kept, by name; those that were erased are absent. */
  readonly opened: Openings;
}

export interface DecisionKind<Type extends DecisionType> {
  /**
   * Returns the statements that insert or change the rows of a block. They need nothing that a
   * later block changes.
   */
  readonly buildRows: (block: DecidedBlock<Type>) => readonly Sql[];
  /** Statements for a rebuild: they delete the rows that `buildRows` makes. */
  readonly clear: readonly Sql[];
}
