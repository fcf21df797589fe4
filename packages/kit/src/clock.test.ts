// Instants as text in UTC, and the clock they come from.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instantText, systemClock } from './clock.ts';

test('an instant has milliseconds always, and is in UTC', () => {
  assert.equal(instantText(0), '1970-01-01T00:00:00.000Z');
  assert.equal(instantText(Date.UTC(2026, 0, 2, 3, 4, 5, 678)), '2026-01-02T03:04:05.678Z');
});

test('the system clock counts milliseconds of the Unix epoch', () => {
  const before = Date.now();

  const now = systemClock.nowMs();

  assert.ok(now >= before && now <= Date.now());
});
