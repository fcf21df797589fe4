// That idle processors are counted since the last look.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { watchProcessors } from './idle-processors.js';

test('processors are counted by the share of the time since the last look', () => {
  const readings = [
    { processors: 2, idleMs: 5_000, allMs: 10_000 },
    { processors: 2, idleMs: 5_300, allMs: 10_400 },
    { processors: 2, idleMs: 5_300, allMs: 10_800 },
    { processors: 2, idleMs: 5_300, allMs: 10_800 },
  ];
  const idle = watchProcessors(() => readings.shift());

  assert.deepEqual([idle(), idle(), idle()], [1.5, 0, 0]);
});

test('the processors of this machine are between none and all', () => {
  const idle = watchProcessors()();

  assert.ok(idle >= 0 && idle <= 1_000_000, String(idle));
});
