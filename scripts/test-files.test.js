// That no test file is left out of a run by mistake.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { repositoryRoot } from './install.js';
import { LONG_ON_POSTGRES } from './test-files-long.js';
import { ONE_ENGINE_FILES, knowsEngine, testFilesOn } from './test-files.js';

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

test('what PostgreSQL leaves to the long run does run there, once, and says why', () => {
  const files = LONG_ON_POSTGRES.flatMap((entry) => entry.files);

  assert.deepEqual(
    files.filter((file) => !onPostgres.includes(file) || !onSqlite.includes(file)),
    [],
  );
  assert.equal(new Set(files).size, files.length);
  assert.ok(LONG_ON_POSTGRES.every(({ because }) => because !== ''));
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

test('every other test of a service that knows the engine runs on both', () => {
  const named = new Set(ONE_ENGINE_FILES.map(({ file }) => file));
  const ofServices = onSqlite.filter((file) => file.startsWith('services/') && !named.has(file));

  assert.deepEqual(
    onPostgres.filter((file) => !named.has(file)),
    ofServices.filter((file) => knowsEngine(file, repositoryRoot)),
  );
  assert.ok(onPostgres.includes('services/traceability/test/crash/crash.test.ts'));
  assert.ok(onPostgres.includes('services/traceability/test/cli/verify.test.ts'));
});

test('a file knows the engine through any chain of imports, and rules that read no database do not', () => {
  const itself = 'services/traceability/test/keys/keys.test.ts';
  const throughOthers = 'services/traceability/src/ledger/verify/lots/lots.test.ts';
  const rules = 'services/traceability/src/ledger/record/decimal-text.test.ts';

  assert.equal(knowsEngine(itself, repositoryRoot), true);
  assert.equal(knowsEngine(throughOthers, repositoryRoot), true);
  assert.equal(knowsEngine(rules, repositoryRoot), false);
});

test('no file but the one that gives databases asks for the engine of a run', () => {
  const asking = ['services', 'packages', 'host']
    .flatMap((folder) =>
      readdirSync(join(repositoryRoot, folder), { recursive: true }).map((path) =>
        join(folder, path),
      ),
    )
    .filter((path) => path.endsWith('.ts') && !path.includes('node_modules'))
    .filter((path) =>
      readFileSync(join(repositoryRoot, path), 'utf8').includes('LOTHUB_TEST_ENGINE'),
    );

  assert.deepEqual(asking, [join('packages/kit/test/engine.ts')]);
});

test('scripts, packages and the host, which know no engine, run once', () => {
  const elsewhere = (files) => files.filter((file) => !file.startsWith('services/'));

  assert.ok(elsewhere(onSqlite).includes('scripts/test-files.test.js'));
  assert.ok(elsewhere(onSqlite).includes('packages/kit/src/secrets/hash.test.ts'));
  assert.deepEqual(elsewhere(onPostgres), []);
});
