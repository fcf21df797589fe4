// The blocks of decisions that must have an entry of the audit.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RoundTotals } from './totals.ts';

const PAYLOAD = { brand: 'acme', recorded_at: '2026-03-02T06:16:12.345Z', type: 'hold' } as const;

function listAudited(subjects: readonly string[]): readonly number[] {
  const totals = new RoundTotals();
  for (const [height, subject] of subjects.entries()) {
    totals.takeDecision({ height, subject, payload: PAYLOAD });
  }
  return [...subjects.keys()].filter((height) => totals.audited.has(height));
}

test('of a decision in several blocks the first one must have an entry', () => {
  assert.deepEqual(listAudited(['RC-1', 'RC-1', 'RC-1', 'RC-2']), [0, 3]);
});

test('of decisions without a subject each must have one', () => {
  assert.deepEqual(listAudited(['', '', '']), [0, 1, 2]);
});

test('a block of another moment or height is a decision of its own', () => {
  const totals = new RoundTotals();

  totals.takeDecision({ height: 1, subject: 'RC-1', payload: PAYLOAD });
  totals.takeDecision({ height: 3, subject: 'RC-1', payload: PAYLOAD });
  const later = { ...PAYLOAD, recorded_at: '2026-03-02T06:16:13.345Z' };
  totals.takeDecision({ height: 4, subject: 'RC-1', payload: later });

  assert.equal(totals.auditedBlocks, 3);
});
