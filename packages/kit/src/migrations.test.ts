// Numbered schema files: in order, without holes.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { readMigrations } from './migrations.ts';

function makeFolder(t: TestContext, names: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'lothub-test-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of names) writeFileSync(join(folder, name), `-- ${name}`);
  return folder;
}

test('files are read in the order of their numbers, other files are not', (t) => {
  const folder = makeFolder(t, ['0002-b.sql', '0001-a.sql', 'readme.md']);

  assert.deepEqual(readMigrations(folder), [
    { version: 1, name: '0001-a.sql', text: '-- 0001-a.sql' },
    { version: 2, name: '0002-b.sql', text: '-- 0002-b.sql' },
  ]);
});

for (const names of [
  ['0002-b.sql'],
  ['0001-a.sql', '0003-c.sql'],
  ['0001-a.sql', '0001-b.sql'],
  ['a.sql'],
]) {
  test(`${names.join(' and ')} are not numbered right`, (t) => {
    const folder = makeFolder(t, names);

    assert.throws(() => readMigrations(folder), /should be number/);
  });
}
