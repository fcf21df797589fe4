// That the slowest tasks start first, so that none of them is what a run waits for at its end.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { repositoryRoot } from '../install.js';
import { isUsualFile, testFilesOn } from '../test-files.js';
import { formatName } from './report.js';
import { SLOW_FILES } from './slow-files.js';
import { firstTheSlowest } from './times.js';

const CHECK = { kind: 'command', name: 'lint', args: [] };

function fileTask(file) {
  return { kind: 'file', file, engine: 'sqlite', isAlone: false };
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

test('without any times, what is known to be slow comes before the rest', () => {
  const [slowest, slow] = SLOW_FILES.filter((name) => name.endsWith('.test.ts')).map((name) =>
    fileTask(name),
  );
  const one = fileTask('one');

  const ordered = firstTheSlowest([one, slow, CHECK, slowest], {});

  assert.deepEqual(ordered, [CHECK, slowest, slow, one]);
});

test('what is known to be slow runs in npm test', () => {
  const names = ['sqlite', 'postgres'].flatMap((engine) =>
    testFilesOn(engine, repositoryRoot)
      .filter((file) => isUsualFile(file, engine))
      .map((file) => formatName({ kind: 'file', file, engine })),
  );

  assert.deepEqual(
    SLOW_FILES.filter((name) => !names.includes(name)),
    [],
  );
});
