// That the slowest tasks start first, so that none of them is what a run waits for at its end.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { firstTheSlowest } from './times.js';

const CHECK = { kind: 'command', name: 'lint', args: [] };

function fileTask(file, isAlone = false) {
  return { kind: 'file', file, engine: 'sqlite', isAlone };
}

test('checks come first, then files by the time they took', () => {
  const [quick, slow] = [fileTask('quick'), fileTask('slow')];

  const ordered = firstTheSlowest([quick, CHECK, slow], { quick: 10, slow: 500 });

  assert.deepEqual(ordered, [CHECK, slow, quick]);
});

test('a file that no run has timed may be slow', () => {
  const [known, unknown] = [fileTask('known'), fileTask('unknown')];

  const ordered = firstTheSlowest([known, unknown], { known: 60_000 });

  assert.deepEqual(ordered, [unknown, known]);
});

test('without any times, what has a process of its own comes before the rest', () => {
  const [one, alone, other] = [fileTask('one'), fileTask('alone', true), fileTask('other')];

  const ordered = firstTheSlowest([one, alone, other], {});

  assert.deepEqual(ordered, [alone, one, other]);
});
