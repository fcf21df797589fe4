// Private rows against commitments: whatever a damaged file gives for a value is a finding, no failure.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Payload } from '../../record/payload.ts';
import { Findings } from '../mismatch.ts';
import { PrivateComparison } from './private.ts';

const NOTHING = { privateLines: [], privateRequests: [], privateChanges: [], privateDecisions: [] };

const PAYLOAD: Payload = {
  type: 'event',
  brand: 'acme',
  recorded_at: '2026-03-02T06:15:00.000Z',
  v: 1,
  event: {
    event_type: 'RECEIVE',
    lines: [],
    location: 'YARD',
    occurred_at: '2026-03-02T06:15:00Z',
    private: 'a'.repeat(64),
    reference: 'PO-1',
  },
};

/** A file whose header of a row was damaged gives values of any kind. */
const DAMAGED: readonly unknown[] = [new Uint8Array([1, 2]), 1.5, '\uD800', {}];

for (const notes of DAMAGED) {
  test(`notes that are ${JSON.stringify(notes)} are not what the block commits to`, () => {
    const findings = new Findings();
    const row = { height: 3, notes: notes as string, salt: 'b'.repeat(64) };
    const comparison = new PrivateComparison({ ...NOTHING, privateNotes: [row] }, findings);

    comparison.compare(3, PAYLOAD);

    assert.deepEqual(
      findings.list.map(({ height, code }) => ({ height, code })),
      [{ height: 3, code: 'private_row_differs' }],
    );
  });
}
