// Names that say nothing are refused: a reader should learn from a name what the thing does.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { assertNone, finding, isTypeScript, listFiles, readSources } from './repository.ts';
import type { Source } from './repository.ts';
import { declarationsOf } from './syntax.ts';

/** Words that may be no part of a file's or folder's name. */
const EMPTY_IN_PATHS = new Set([
  ...['util', 'utils', 'utility', 'utilities', 'helper', 'helpers'],
  ...['manager', 'managers', 'misc', 'common', 'handler', 'handlers'],
]);

/** Words that may be part of a name, but not all of it. */
const EMPTY_ALONE = new Set(['data', 'info', 'process', 'handle', 'stuff', 'shared']);

/** Words that may be no part of a declared name. (`manager` may: it is a role of people.) */
const EMPTY_IN_NAMES = new Set(['util', 'utils', 'helper', 'helpers', 'misc']);

/** Verbs that a function may not start with: they name no action. */
const EMPTY_VERBS = new Set(['handle', 'process']);

function findEmptyPaths(paths: readonly string[]): readonly string[] {
  return paths
    .filter((path) =>
      path.split('/').some((part) => {
        const [stem = '', ...endings] = part.toLowerCase().split('.').filter(Boolean);
        const words = [stem, ...endings].flatMap((text) => text.split(/[-_]/));
        return EMPTY_ALONE.has(stem) || words.some((word) => EMPTY_IN_PATHS.has(word));
      }),
    )
    .map((path) => `${path}: a name that says nothing`);
}

function findEmptyNames(sources: readonly Source[]): readonly string[] {
  return sources.flatMap((source) =>
    declarationsOf(source)
      .filter(({ name, isFunction }) => {
        const words = wordsOf(name);
        return (
          words.some((word) => EMPTY_IN_NAMES.has(word)) ||
          (isFunction && EMPTY_VERBS.has(words[0] ?? ''))
        );
      })
      .map(({ name, index }) => finding(source, index, `${name}: a name that says nothing`)),
  );
}

/** Words of a camelCase, PascalCase or UPPER_CASE name, in lower case. */
function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_$]+/)
    .filter(Boolean);
}

test('no file or folder has a name that says nothing', () => {
  const findings = findEmptyPaths(listFiles());

  assertNone(findings);
});

test('nothing declared has a name that says nothing', () => {
  const findings = findEmptyNames(readSources(isTypeScript));

  assertNone(findings);
});

test('file and folder names that say nothing are found', () => {
  const bad = ['src/utils/a.ts', 'src/date-helpers.ts', 'src/common.ts', 'src/data.ts'];

  const findings = findEmptyPaths([...bad, 'src/child-process.ts', 'src/chain-info.ts']);

  assert.deepEqual(
    findings.map((text) => text.split(':')[0]),
    bad,
  );
});

test('declared names that say nothing are found, whatever declares them', () => {
  const bad = [
    'function handleRequest() {}',
    'const processRow = () => {};',
    'class Reader { handle() {} }',
    'const dateUtils = {};',
    'type MiscOptions = {};',
    'interface TestHelper {}',
  ];

  const findings = bad.map((text) => findEmptyNames([{ path: 'a.ts', text }]).length);

  assert.deepEqual(
    findings,
    bad.map(() => 1),
  );
});

test('names that contain such a word by chance are left alone', () => {
  const text = 'const processingMs = 1; function commonAncestors() {} const handle = open();';

  const findings = findEmptyNames([{ path: 'a.ts', text }]);

  assert.deepEqual(findings, []);
});
