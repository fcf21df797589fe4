// Compares the rows that decisions make with their blocks, type by type.
import type { DecisionContents, DecisionType, Openings } from '../../record/decisions/contents.ts';
import type { DecisionPayload, DecisionPayloadOf } from '../../record/payload.ts';
import type { Findings } from '../mismatch.ts';
import type { HeightRange, SnapshotReader } from '../snapshot-reader.ts';

/** A decision of the slice, whose block has been found good. */
export interface FoundDecision<Type extends DecisionType = DecisionType> {
  readonly height: number;
  readonly brand: string;
  readonly decision: DecisionContents[Type];
  /** Private values that are kept; a value that does not open its commitment is a finding of its own. */
  readonly opened: Openings;
}

/**
 * Compares what a slice's decisions have made with what was read.
 * @param slice.through of the last block that was found good; rows of later blocks are left alone
 */
export type CompareDecided = (slice: {
  readonly through: number;
  readonly decisions: readonly DecidedPayload[];
  readonly findings: Findings;
}) => void;

export interface DecidedPayload {
  readonly height: number;
  readonly payload: DecisionPayload;
  readonly opened: Openings;
}

/** Reads the rows that the blocks of a range have made. */
export type ReadComparison = (
  reader: SnapshotReader,
  range: HeightRange,
) => Promise<CompareDecided>;

/** Returns the decisions of one type, in the order of their blocks. */
export function decisionsOfType<Type extends DecisionType>(
  type: Type,
  decisions: readonly DecidedPayload[],
): readonly FoundDecision<Type>[] {
  return decisions.flatMap(({ height, payload, opened }) =>
    isOfType(type, payload)
      ? [{ height, brand: payload.brand, decision: payload.decision, opened }]
      : [],
  );
}

function isOfType<Type extends DecisionType>(
  type: Type,
  payload: DecisionPayload,
): payload is DecisionPayload & DecisionPayloadOf<Type> {
  return payload.type === type;
}
