// What each answer means.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorText, judge, type TryResult } from './answer.ts';

const NOW_MS = Date.parse('2026-03-02T07:15:00Z');

function answered(status: number, retryAfter?: string): Exclude<TryResult, { kind: 'stopped' }> {
  return { kind: 'answered', status, retryAfter };
}

for (const [status, kind] of [
  [200, 'delivered'],
  [204, 'delivered'],
  [299, 'delivered'],
  [301, 'failed'],
  [304, 'failed'],
  [307, 'failed'],
  [400, 'failed'],
  [404, 'failed'],
  [410, 'gone'],
  [429, 'failed'],
  [500, 'failed'],
  [503, 'failed'],
] as const) {
  test(`an answer of ${status} means ${kind}`, () => {
    assert.equal(judge(answered(status), NOW_MS).kind, kind);
  });
}

for (const [header, retryAfterMs] of [
  ['120', 120_000],
  ['0', 0],
  ['Mon, 02 Mar 2026 07:16:00 GMT', 60_000],
  ['Mon, 02 Mar 2026 07:00:00 GMT', 0],
  ['-1', null],
  ['soon', null],
  ['99999999999999999999', null],
  ['2026', 2_026_000],
] as const) {
  test(`Retry-After: ${header} means ${retryAfterMs} ms`, () => {
    assert.deepEqual(judge(answered(503, header), NOW_MS), { kind: 'failed', retryAfterMs });
  });
}

test('silence is a failed try', () => {
  const silence = { kind: 'unanswered', error: 'timed_out' } as const;

  assert.deepEqual(judge(silence, NOW_MS), { kind: 'failed', retryAfterMs: null });
  assert.equal(errorText(silence), 'There was no answer in time');
});

test('the log explains a redirect, and leaves other statuses to speak for themselves', () => {
  assert.equal(errorText(answered(302)), 'Redirects are not followed');
  assert.equal(errorText(answered(500)), null);
});
