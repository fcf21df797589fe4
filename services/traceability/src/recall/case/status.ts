// The states of a recall case and the moves between them (docs/interface/traceability.md#states-of-a-case).
// Pure.
import { CANCELLED, FIRST_CASE_STATUS, type CaseStatus } from '../../terms.ts';

/** The states that one move leads to; none once a case has ended. */
const NEXT: Readonly<Record<CaseStatus, readonly CaseStatus[]>> = {
  investigation: ['notification', 'cancelled'],
  notification: ['containment', 'cancelled'],
  containment: ['closed', 'cancelled'],
  closed: [],
  cancelled: [],
};

export function nextStatuses(status: CaseStatus): readonly CaseStatus[] {
  return NEXT[status];
}

export function isEnded(status: CaseStatus): boolean {
  return NEXT[status].length === 0;
}

/** Whether a case in this state has been in `notification`, from which on it recalls its lots. */
function isRecalling(status: CaseStatus): boolean {
  return status !== FIRST_CASE_STATUS;
}

/** The effects of a move besides the new state. */
export interface MoveEffects {
  /** The lots are recalled from now on, and recipients can be notified. */
  readonly notifies: boolean;
  /** The case cannot change any more. */
  readonly ends: boolean;
  /** The holds that the case set end. */
  readonly releasesHolds: boolean;
  /** Lots are recalled no longer, unless another case recalls them. */
  readonly takesRecallBack: boolean;
}

export type MoveJudgement =
  | { readonly kind: 'moved'; readonly effects: MoveEffects }
  /** It is there already. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'refused'; readonly allowed: readonly CaseStatus[] };

/** One step forward, or `cancelled` from a state that is open. */
export function judgeMove(move: {
  readonly from: CaseStatus;
  readonly to: CaseStatus;
  /** Whether closing the case also releases its holds; cancelling always does. */
  readonly releaseHolds: boolean;
}): MoveJudgement {
  const { from, to, releaseHolds } = move;
  if (from === to) return { kind: 'unchanged' };
  const allowed = nextStatuses(from);
  if (!allowed.includes(to)) return { kind: 'refused', allowed };
  const isCancelled = to === CANCELLED;
  return {
    kind: 'moved',
    effects: {
      notifies: to === 'notification',
      ends: isEnded(to),
      releasesHolds: isCancelled || (to === 'closed' && releaseHolds),
      takesRecallBack: isCancelled && isRecalling(from),
    },
  };
}

/** The sentence that refuses a move. */
export function refusalOfMove(
  from: CaseStatus,
  to: CaseStatus,
  allowed: readonly CaseStatus[],
): string {
  const rest =
    allowed.length === 0
      ? 'no move is allowed any more'
      : `from there it may move to ${allowed.join(' or ')}`;
  return `The case is in ${from} and cannot move to ${to}: ${rest}`;
}
