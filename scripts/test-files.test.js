// That no test file is left out of a run by mistake.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { repositoryRoot } from './install.js';
import { ONE_ENGINE_FILES, testFilesOn } from './test-files.js';

const onSqlite = testFilesOn('sqlite', repositoryRoot);
const onPostgres = testFilesOn('postgres', repositoryRoot);

test('every file that is named for one engine is there and says why', () => {
  const stale = ONE_ENGINE_FILES.filter(
    ({ file, because }) => !existsSync(join(repositoryRoot, file)) || because === '',
  );

  assert.deepEqual(stale, []);
});

test('a file that is named for one engine runs on that one alone', () => {
  for (const { file, engine } of ONE_ENGINE_FILES) {
    assert.equal(onSqlite.includes(file), engine === 'sqlite', file);
    assert.equal(onPostgres.includes(file), engine === 'postgres', file);
  }
});

test('what asserts plans of SQLite or starts processes over PostgreSQL is named', () => {
  const named = new Set(ONE_ENGINE_FILES.map(({ file }) => file));
  const mustBe = [...new Set([...onSqlite, ...onPostgres])].filter(
    (file) =>
      file.startsWith('services/') &&
      /\bplansOf\b|\bServiceProcesses\b/.test(readFileSync(join(repositoryRoot, file), 'utf8')),
  );

  assert.deepEqual(
    mustBe.filter((file) => !named.has(file)),
    [],
  );
  assert.notDeepEqual(mustBe, []);
});

test('every other test of a service runs on both engines', () => {
  const named = new Set(ONE_ENGINE_FILES.map(({ file }) => file));
  const ofServices = onSqlite.filter((file) => file.startsWith('services/') && !named.has(file));

  assert.deepEqual(
    onPostgres.filter((file) => !named.has(file)),
    ofServices,
  );
  assert.ok(ofServices.includes('services/traceability/test/crash.test.ts'));
});

test('scripts and packages, which know no engine, run once', () => {
  const elsewhere = (files) => files.filter((file) => !file.startsWith('services/'));

  assert.ok(elsewhere(onSqlite).includes('scripts/test-files.test.js'));
  assert.ok(elsewhere(onSqlite).includes('packages/kit/src/hash.test.ts'));
  assert.deepEqual(elsewhere(onPostgres), []);
});
