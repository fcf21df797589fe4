// A long file is most often two subjects. The alarm asks to look; the limit stops.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { assertNone, isTest, readSources } from './repository.ts';
import type { Source } from './repository.ts';

/** Over this a file is named in the output, and the test still passes. */
const ALARM_LINES = 300;

/** Over this the test fails. */
const LINES_MAX = 600;

function findLongerThan(sources: readonly Source[], linesMax: number): readonly string[] {
  return sources.flatMap(({ path, text }) => {
    const lines = text.split('\n').length - 1;
    return lines > linesMax ? [`${path}: ${lines} lines, over ${linesMax}`] : [];
  });
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
