// The lock on a data directory: one holder at a time for each of its files.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { lockDataDir } from './data-dir-lock.ts';

function newFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'lothub-lock-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('a data directory that is in use is refused until its holder lets go', (t) => {
  const dataDir = join(newFolder(t), 'made', 'by', 'the', 'lock');
  {
    using _held = lockDataDir(dataDir, 'hub.lock');

    assert.throws(() => lockDataDir(dataDir, 'hub.lock'), { code: 'hub_in_use' });
  }

  using again = lockDataDir(dataDir, 'hub.lock');

  assert.ok(again);
});

test('two services in one data directory hold locks of their own', (t) => {
  const dataDir = newFolder(t);
  using _hub = lockDataDir(dataDir, 'hub.lock');

  assert.doesNotThrow(() => lockDataDir(dataDir, 'other.lock')[Symbol.dispose]());
});
