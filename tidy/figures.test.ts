// Tables of figures say which version they were measured with, and none is older than the minor version that
// is in package.json: whoever raises that measures anew.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { assertNone, finding, readText, type Source } from './repository.ts';

const DOCUMENT = 'docs/performance.md';
/** The header of a table with a promise; tables of what was tried have none. */
const TABLE = /^\|.*\bpromised?\b.*\|$/gm;
const VERSION = /\bversion (\d+)\.(\d+)\.\d+\b/gi;
const HEADING = /^#+ /gm;

function findOldTables({ path, text }: Source, current: string): readonly string[] {
  return [...text.matchAll(TABLE)].flatMap(({ index }) => {
    const before = text.slice(0, index);
    const section = before.slice([...before.matchAll(HEADING)].at(-1)?.index ?? 0);
    const measured = [...section.matchAll(VERSION)].at(-1);
    const problem = findAge(measured, current);
    return problem === undefined ? [] : [finding({ path, text }, index, problem)];
  });
}

function findAge(measured: RegExpMatchArray | undefined, current: string): string | undefined {
  if (measured === undefined) return 'a table of figures without a version above it';
  const [major = 0, minor = 0] = current.split('.').map(Number);
  const isOld =
    Number(measured[1]) < major || (Number(measured[1]) === major && Number(measured[2]) < minor);
  return isOld ? `figures of ${measured[0]}: run npm run bench with --record` : undefined;
}

test('every table of figures is of a version with the current major and minor number', () => {
  const text = readText(DOCUMENT);
  const { version } = JSON.parse(readText('package.json')) as { readonly version: string };

  assert.ok([...text.matchAll(TABLE)].length > 10, 'tables are found');
  assertNone(findOldTables({ path: DOCUMENT, text }, version));
});

test('an old table, and one without a version, are found', () => {
  const table = '| figure | measured | promised |\n';
  const find = (text: string) => findOldTables({ path: 'a.md', text }, '1.3.1').length;

  assert.equal(find(`# A\n\nversion 1.3.0:\n\n${table}`), 0);
  assert.equal(find(`# A\n\nversion 1.2.9:\n\n${table}`), 1);
  assert.equal(find(`# A\n\nversion 0.9.0:\n\n${table}`), 1);
  assert.equal(find(`# A\n\nversion 1.3.0\n\n# B\n\n${table}`), 1);
});
