// The check of the tip record: the states that a crash can leave behind are no mismatch, and all
// others are.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TipRecordReading } from '../tip-record.ts';
import { readStable } from '@lothub/kit/record-file';
import { findTipMismatch } from './tip.ts';

const RECORD: TipRecordReading = { kind: 'read', value: { height: 8, hash: 'a8' } };

test('a record that is behind the chain is no mismatch', () => {
  const mismatch = findTipMismatch(RECORD, { lastHeight: 20, recordedHash: 'a8' });

  assert.equal(mismatch, undefined);
});

test('a record of a block that is missing names the first missing block', () => {
  const mismatch = findTipMismatch(RECORD, { lastHeight: 5, recordedHash: undefined });

  assert.deepEqual([mismatch?.code, mismatch?.height], ['tail_missing', 6]);
});

test('a record of a block that is another one names that block', () => {
  const mismatch = findTipMismatch(RECORD, { lastHeight: 20, recordedHash: 'b8' });

  assert.deepEqual([mismatch?.code, mismatch?.height], ['tip_differs', 8]);
});

test('a genesis block without a record is what a crash at the first start leaves', () => {
  const absent: TipRecordReading = { kind: 'absent' };

  assert.equal(findTipMismatch(absent, { lastHeight: 0, recordedHash: undefined }), undefined);
  assert.equal(
    findTipMismatch(absent, { lastHeight: 1, recordedHash: undefined })?.code,
    'tip_record_missing',
  );
});

test('a record that cannot be read is a mismatch', () => {
  const mismatch = findTipMismatch(
    { kind: 'unreadable' },
    { lastHeight: 3, recordedHash: undefined },
  );

  assert.equal(mismatch?.code, 'tip_record_unreadable');
});

test('a record that is overwritten while it is read is read until it holds still', () => {
  const readings: TipRecordReading[] = [RECORD, { kind: 'unreadable' }, RECORD, RECORD];

  const reading = readStable(() => readings.shift() ?? { kind: 'absent' });

  assert.equal(reading, RECORD);
  assert.equal(readings.length, 0);
});

test('a record that never holds still is not judged', () => {
  let height = 0;

  const reading = readStable(() => ({ kind: 'read', value: { height: (height += 1), hash: '' } }));

  assert.equal(reading, undefined);
});
