// A long file is most often two subjects, and a folder of many files several rooms. The alarm asks to
// look; the limits stop.

import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { test } from 'node:test';

import { assertNone, isTest, isTypeScript, readSources, type Source } from './repository.ts';

/** Over this a file is named in the output, and the test still passes. */
const ALARM_LINES = 300;

/** Over this the test fails. */
const LINES_MAX = 600;

/** Files of one folder, tests aside: what a newcomer takes in at a glance. */
const FOLDER_FILES_MAX = 20;

function findLongerThan(sources: readonly Source[], linesMax: number): readonly string[] {
  return sources.flatMap(({ path, text }) => {
    const lines = text.split('\n').length - 1;
    return lines > linesMax ? [`${path}: ${lines} lines, over ${linesMax}`] : [];
  });
}

function findFullerThan(paths: readonly string[], filesMax: number): readonly string[] {
  const files = Map.groupBy(paths, (path) => dirname(path));
  return [...files]
    .filter(([, inFolder]) => inFolder.length > filesMax)
    .map(([folder, inFolder]) => `${folder}: ${inFolder.length} files, over ${filesMax}`);
}

test(`no source file is longer than ${LINES_MAX} lines`, (t) => {
  const sources = readSources(
    (path) =>
      /^((packages|services)\/[^/]+|host)\/src\//.test(path) &&
      /\.(ts|css)$/.test(path) &&
      !isTest(path),
  );

  const findings = findLongerThan(sources, LINES_MAX);

  for (const alarm of findLongerThan(sources, ALARM_LINES)) t.diagnostic(alarm);
  assertNone(findings);
});

test('a file is found from the first line over the limit', () => {
  const atLimit = { path: 'a.ts', text: 'a;\n'.repeat(5) };
  const overLimit = { path: 'b.ts', text: 'a;\n'.repeat(6) };

  const findings = findLongerThan([atLimit, overLimit], 5);

  assert.deepEqual(findings, ['b.ts: 6 lines, over 5']);
});

test(`no folder has more than ${FOLDER_FILES_MAX} source files`, () => {
  const sources = readSources((path) => isTypeScript(path) && !path.endsWith('.test.ts'));

  const findings = findFullerThan(
    sources.map(({ path }) => path),
    FOLDER_FILES_MAX,
  );

  assertNone(findings);
});

test('a folder is found from the first file over the limit', () => {
  const paths = ['a/1.ts', 'a/2.ts', 'b/1.ts', 'b/2.ts', 'b/3.ts', 'b/c/1.ts'];

  const findings = findFullerThan(paths, 2);

  assert.deepEqual(findings, ['b: 3 files, over 2']);
});
