// Lists the decisions on a case in their order: its opening, its moves and its edits.
import { askTogether, type DatabaseReader } from '@lothub/kit/database';
import type { TextChange } from '../../ledger/decisions/recall-edit.ts';
import type { CaseStatus } from '../../terms.ts';
import { countEdits, newestEdits, type EditRow } from '../edit/queries.ts';
import { movesOfCase, type MoveRow } from './rows.ts';

/** Edits that a timeline shows, the newest; all are in the public history of the case. */
const EDITS_SHOWN_MAX = 100;

/** The changes of an edit. */
export interface CaseEdited extends Pick<
  EditRow,
  'scopeReason' | 'lotsAdded' | 'lotsExcluded' | 'lotsRestored'
> {
  readonly changes: readonly TextChange[];
}

export interface TimelineStep {
  /** Null: the opening. */
  readonly from: CaseStatus | null;
  readonly to: CaseStatus;
  readonly at: string;
  /** Private, like the note. */
  readonly by: string | null;
  readonly note: string | null;
  /** Null, like its hash: made before steps were sealed, and not sealed yet. */
  readonly blockHeight: number | null;
  readonly blockHash: string | null;
  /** Undefined: the opening or a move. */
  readonly edited: CaseEdited | undefined;
}

export interface Timeline {
  readonly steps: readonly TimelineStep[];
  /** Edits, those included that are not shown. */
  readonly edits: number;
}

export async function readTimeline(database: DatabaseReader, caseId: number): Promise<Timeline> {
  const [moves, edits, total] = await askTogether(database, (one) =>
    Promise.all([
      movesOfCase(one, caseId),
      newestEdits(one, { caseId, limit: EDITS_SHOWN_MAX }),
      countEdits(one, caseId),
    ]),
  );
  const steps = [...moves.map(stepOfMove), ...edits.toReversed().map(stepOfEdit)];
  return { steps: steps.sort(byBlock), edits: total };
}

/** Stable: steps that are not sealed yet were made before all sealed ones. */
function byBlock(one: TimelineStep, other: TimelineStep): number {
  return (one.blockHeight ?? -1) - (other.blockHeight ?? -1);
}

function stepOfMove({ fromStatus, toStatus, movedAt, movedBy, ...rest }: MoveRow): TimelineStep {
  return { ...rest, from: fromStatus, to: toStatus, at: movedAt, by: movedBy, edited: undefined };
}

function stepOfEdit(row: EditRow): TimelineStep {
  const { status, editedAt, editedBy, note, blockHeight, blockHash } = row;
  const { scopeReason, lotsAdded, lotsExcluded, lotsRestored } = row;
  return {
    ...{ from: status, to: status, at: editedAt, by: editedBy, note, blockHeight, blockHash },
    edited: {
      changes: listChanges(row),
      ...{ scopeReason, lotsAdded, lotsExcluded, lotsRestored },
    },
  };
}

/** Parses a text that only the rows of a block write. */
function listChanges({ changes }: EditRow): readonly TextChange[] {
  return JSON.parse(changes) as readonly TextChange[];
}
