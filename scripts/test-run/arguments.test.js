// That words, files and options of `npm test` are distinguished.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parseArguments } from './arguments.js';

const NOTHING = { paths: [], words: [], nodeOptions: [], isLong: false, timesFile: undefined };

test('without arguments everything runs', () => {
  assert.deepEqual(parseArguments([]), { ...NOTHING, kind: 'all' });
});

test('what has a slash, a dot or a star is a path, and the rest are words', () => {
  const wanted = parseArguments(['recall', 'tidy/sizes.test.ts', 'csv-import', 'tidy/**', 'a.js']);

  assert.deepEqual(wanted, {
    ...NOTHING,
    kind: 'some',
    words: ['recall', 'csv-import'],
    paths: ['tidy/sizes.test.ts', 'tidy/**', 'a.js'],
  });
});

test('options that are not ours go on to Node', () => {
  const wanted = parseArguments(['--test-name-pattern=a lot', '--long']);

  assert.deepEqual(wanted, {
    ...NOTHING,
    kind: 'some',
    nodeOptions: ['--test-name-pattern=a lot'],
    isLong: true,
  });
});

test('--times names the file for what each task took, and leaves the run what it is', () => {
  assert.deepEqual(parseArguments(['--times=a.json']), {
    ...NOTHING,
    kind: 'all',
    timesFile: 'a.json',
  });
});

test('--long, --watch and --help are runs of their own', () => {
  const kinds = [['--long'], ['--watch'], ['--help'], ['-h', 'recall']].map(
    (args) => parseArguments(args).kind,
  );

  assert.deepEqual(kinds, ['long', 'watch', 'help', 'help']);
});
