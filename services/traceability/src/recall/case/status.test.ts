// Every move between the states of a case, those that are allowed and those that are not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CASE_STATUSES, FIRST_CASE_STATUS, type CaseStatus } from '../../terms.ts';
import { isEnded, judgeMove, refusalOfMove } from './status.ts';

/** The moves of docs/interface/traceability.md#states-of-a-case. */
const MOVES: readonly (readonly [CaseStatus, CaseStatus])[] = [
  ['investigation', 'notification'],
  ['notification', 'containment'],
  ['containment', 'closed'],
  ['investigation', 'cancelled'],
  ['notification', 'cancelled'],
  ['containment', 'cancelled'],
];

const ALLOWED: Readonly<Record<CaseStatus, readonly CaseStatus[]>> = {
  investigation: ['notification', 'cancelled'],
  notification: ['containment', 'cancelled'],
  containment: ['closed', 'cancelled'],
  closed: [],
  cancelled: [],
};

for (const from of CASE_STATUSES) {
  for (const to of CASE_STATUSES) {
    const isMove = MOVES.some(([one, other]) => one === from && other === to);
    if (isMove) {
      test(`a case moves from ${from} to ${to}`, () => {
        assert.equal(judgeMove({ from, to, releaseHolds: false }).kind, 'moved');
      });
    } else if (from === to) {
      test(`a case in ${from} is not changed by a move there`, () => {
        assert.deepEqual(judgeMove({ from, to, releaseHolds: true }), { kind: 'unchanged' });
      });
    } else {
      test(`a case cannot move from ${from} to ${to}, and the refusal says what is allowed`, () => {
        const judged = judgeMove({ from, to, releaseHolds: false });

        assert.deepEqual(judged, { kind: 'refused', allowed: ALLOWED[from] });
      });
    }
  }
}

function judgeEffects(from: CaseStatus, to: CaseStatus, releaseHolds = false) {
  const judged = judgeMove({ from, to, releaseHolds });
  return judged.kind === 'moved' ? judged.effects : undefined;
}

const NOTHING = { notifies: false, ends: false, releasesHolds: false, takesRecallBack: false };

test('a case begins in investigation', () => {
  assert.equal(FIRST_CASE_STATUS, 'investigation');
});

test('only closed and cancelled cases have ended', () => {
  assert.deepEqual(CASE_STATUSES.filter(isEnded), ['closed', 'cancelled']);
});

test('reaching notification notifies, and containment does nothing more', () => {
  assert.deepEqual(judgeEffects('investigation', 'notification', true), {
    ...NOTHING,
    notifies: true,
  });
  assert.deepEqual(judgeEffects('notification', 'containment', true), NOTHING);
});

test('closing ends the case, and its holds only when that is asked for', () => {
  assert.deepEqual(judgeEffects('containment', 'closed'), { ...NOTHING, ends: true });
  assert.deepEqual(judgeEffects('containment', 'closed', true), {
    ...NOTHING,
    ends: true,
    releasesHolds: true,
  });
});

test('cancelling ends the case and its holds, and its recall once it has begun', () => {
  const cancelled = { ...NOTHING, ends: true, releasesHolds: true };

  assert.deepEqual(judgeEffects('investigation', 'cancelled'), cancelled);
  for (const from of ['notification', 'containment'] as const) {
    assert.deepEqual(judgeEffects(from, 'cancelled'), { ...cancelled, takesRecallBack: true });
  }
});

test('a refusal names the status of the case and those it may move to', () => {
  assert.equal(
    refusalOfMove('investigation', 'closed', ['notification', 'cancelled']),
    'The case is in investigation and cannot move to closed: from there it may move to ' +
      'notification or cancelled',
  );
  assert.equal(
    refusalOfMove('closed', 'cancelled', []),
    'The case is in closed and cannot move to cancelled: no move is allowed any more',
  );
});
