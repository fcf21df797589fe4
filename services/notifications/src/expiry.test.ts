// Expiries of keys and tokens, as requests say them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { computeExpiry } from './expiry.ts';
import { Problem } from './errors.ts';

const NOW = Date.parse('2026-01-02T03:04:05.678Z');

for (const [text, at] of [
  ['2026-01-02T03:04:05.679Z', NOW + 1],
  ['2026-01-02T04:04:06+01:00', NOW + 322],
  ['2028-02-29T23:59:59Z', Date.UTC(2028, 1, 29, 23, 59, 59)],
] as const) {
  test(`${text} is an instant to come`, () => {
    assert.equal(computeExpiry(text, NOW), at);
  });
}

test('no instant is never', () => {
  assert.equal(computeExpiry(null, NOW), null);
});

for (const [text, code] of [
  ['2026-01-02T03:04:05.678Z', 'too_small'],
  ['2026-01-01T00:00:00Z', 'too_small'],
  ['2027-01-01', 'wrong_form'],
  ['next year', 'wrong_form'],
  ['2027-02-29T00:00:00Z', 'wrong_form'],
  ['2027-13-01T00:00:00Z', 'wrong_form'],
  ['2027-01-01T25:00:00Z', 'wrong_form'],
  ['2027-01-01T00:00:00+99:00', 'wrong_form'],
] as const) {
  test(`${text} is refused as ${code}`, () => {
    assert.throws(
      () => computeExpiry(text, NOW),
      (error) => error instanceof Problem && error.fields[0]?.code === code,
    );
  });
}
