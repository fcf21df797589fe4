// That no test file is left out of a run by mistake.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { repositoryRoot } from './install.js';
import { SUBJECTS } from './mutants/subjects.js';
import { LONG_ALONE, LONG_ON_POSTGRES, LONG_ON_SQLITE, SQLITE_ALONE } from './test-files-long.js';
import {
  Imports,
  ONE_ENGINE,
  OWN_PROCESS_FILES,
  UnknownSubject,
  addsWholeTests,
  engineFor,
  filesOfSubject,
  filesReaching,
  isLongFile,
  isUsualFile,
  knowsEngine,
  testFilesOn,
} from './test-files.js';

const onSqlite = testFilesOn('sqlite', repositoryRoot);
const onPostgres = testFilesOn('postgres', repositoryRoot);

function listFiles(lists) {
  return lists.flatMap(({ files }) => files);
}

const ofOneEngine = new Set(listFiles(ONE_ENGINE));

/** Source files of this ending that hold this text. */
function filesWith(ending, text) {
  return ['services', 'packages', 'host']
    .flatMap((folder) =>
      readdirSync(join(repositoryRoot, folder), { recursive: true }).map((path) =>
        join(folder, path),
      ),
    )
    .filter((path) => path.endsWith(ending) && !path.includes('node_modules'))
    .filter((path) => readFileSync(join(repositoryRoot, path), 'utf8').includes(text));
}

test('every file that is named for one engine is there and says why', () => {
  const stale = [...ofOneEngine].filter((file) => !existsSync(join(repositoryRoot, file)));

  assert.deepEqual(stale, []);
  assert.equal(ofOneEngine.size, listFiles(ONE_ENGINE).length);
  assert.ok(ONE_ENGINE.every(({ because }) => because !== ''));
});

test('a file that is named for one engine runs on that one alone', () => {
  for (const { files, engine } of ONE_ENGINE) {
    for (const file of files) {
      assert.equal(onSqlite.includes(file), engine === 'sqlite', file);
      assert.equal(onPostgres.includes(file), engine === 'postgres', file);
    }
  }
});

test('a file that is named runs on the engine that is asked for, unless it makes sense on another alone', () => {
  for (const { files, engine } of ONE_ENGINE) {
    for (const file of files) {
      assert.equal(engineFor(file, 'sqlite'), engine, file);
      assert.equal(engineFor(file, 'postgres'), engine, file);
    }
  }
  assert.equal(engineFor('services/traceability/test/lots/lots.test.ts', 'postgres'), 'postgres');
});

test('what PostgreSQL leaves to the long run does run there, and in npm test on SQLite', () => {
  for (const file of listFiles(LONG_ON_POSTGRES)) {
    assert.ok(onPostgres.includes(file), file);
    assert.ok(!isUsualFile(file, 'postgres'), file);
    assert.ok(isLongFile(file, 'postgres', repositoryRoot), file);
    assert.ok(isUsualFile(file, 'sqlite'), file);
  }
});

test('what runs on SQLite alone runs in npm test there, and on PostgreSQL when it is named', () => {
  for (const file of listFiles(SQLITE_ALONE)) {
    assert.ok(onPostgres.includes(file), file);
    assert.ok(!isUsualFile(file, 'postgres'), file);
    assert.ok(!isLongFile(file, 'postgres', repositoryRoot), file);
    assert.ok(isUsualFile(file, 'sqlite'), file);
  }
});

test('what the long run alone has runs there on each engine that it knows, and no mutant needs it', () => {
  const needed = new Set(Object.values(SUBJECTS).flat());

  for (const file of listFiles(LONG_ALONE)) {
    const engines = [
      ...(onSqlite.includes(file) ? ['sqlite'] : []),
      ...(onPostgres.includes(file) ? ['postgres'] : []),
    ];
    assert.notDeepEqual(engines, [], file);
    assert.ok(!needed.has(file), file);
    for (const engine of engines) {
      assert.ok(!isUsualFile(file, engine), file);
      assert.ok(isLongFile(file, engine, repositoryRoot), file);
    }
  }
});

test('what the long run has on SQLite alone runs there, and no mutant needs it', () => {
  const needed = new Set(Object.values(SUBJECTS).flat());

  for (const file of listFiles(LONG_ON_SQLITE)) {
    assert.ok(onPostgres.includes(file), file);
    assert.ok(!needed.has(file), file);
    assert.ok(!isUsualFile(file, 'sqlite') && !isUsualFile(file, 'postgres'), file);
    assert.ok(isLongFile(file, 'sqlite', repositoryRoot), file);
    assert.ok(!isLongFile(file, 'postgres', repositoryRoot), file);
  }
});

test('a file that is left to another run or engine is named once, with why', () => {
  const lists = [...LONG_ON_POSTGRES, ...SQLITE_ALONE, ...LONG_ALONE, ...LONG_ON_SQLITE];

  assert.equal(new Set(listFiles(lists)).size, listFiles(lists).length);
  assert.ok(lists.every(({ because }) => because !== ''));
});

test('every test file runs in npm test or in the long run, on one engine at least', () => {
  const isRun = (file, engine) =>
    isUsualFile(file, engine) || isLongFile(file, engine, repositoryRoot);
  const run = new Set([
    ...onSqlite.filter((file) => isRun(file, 'sqlite')),
    ...onPostgres.filter((file) => isRun(file, 'postgres')),
  ]);

  assert.deepEqual(
    [...onSqlite, ...onPostgres].filter((file) => !run.has(file)),
    [],
  );
});

test('what asserts plans of SQLite or starts processes over PostgreSQL is named', () => {
  const mustBe = [...new Set([...onSqlite, ...onPostgres])].filter(
    (file) =>
      file.startsWith('services/') &&
      /\bplansOf\b|\bServiceProcesses\b/.test(readFileSync(join(repositoryRoot, file), 'utf8')),
  );

  assert.deepEqual(
    mustBe.filter((file) => !ofOneEngine.has(file)),
    [],
  );
  assert.notDeepEqual(mustBe, []);
});

test('every other test of a service, and of people, that knows the engine runs on both', () => {
  const imports = new Imports(repositoryRoot);
  const ofStores = onSqlite
    .filter((file) => /^(?:services|packages\/people)\//.test(file))
    .filter((file) => !ofOneEngine.has(file));

  assert.deepEqual(
    onPostgres.filter((file) => !ofOneEngine.has(file)),
    ofStores.filter((file) => knowsEngine(file, repositoryRoot, imports)),
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
  const asking = filesWith('.ts', 'LOTHUB_TEST_ENGINE');

  assert.deepEqual(asking, [join('packages/kit/test/engine.ts')]);
});

test('scripts, other packages and the host, which know no engine, run once', () => {
  const elsewhere = (files) =>
    files.filter((file) => !/^(?:services|packages\/people)\//.test(file));

  assert.ok(elsewhere(onSqlite).includes('scripts/test-files.test.js'));
  assert.ok(elsewhere(onSqlite).includes('packages/kit/src/secrets/hash.test.ts'));
  assert.deepEqual(elsewhere(onPostgres), []);
});

test('a subject is a folder, at any depth, or what the name of a file begins with', () => {
  const files = [
    'services/traceability/src/recall/follow/follow.test.ts',
    'services/traceability/src/recall/report/tree.test.ts',
    'services/traceability/test/recall-cases.test.ts',
    'services/traceability/test/recall.test.ts',
    'services/traceability/test/recall-chaos.long.test.ts',
    'services/traceability/test/lots/recalled-lots.test.ts',
    'services/traceability/test/cases-recall.test.ts',
  ];

  assert.deepEqual(filesOfSubject('recall', files), files.slice(0, 5));
  assert.deepEqual(filesOfSubject('recall-cases', files), [files[2]]);
});

test('a word that is no subject is refused with those that there are', () => {
  assert.throws(
    () => filesOfSubject('recal', onSqlite),
    (error) => {
      assert.ok(error instanceof UnknownSubject);
      assert.match(error.message, /about "recal"\. The subjects are: .*\bledger, .*\brecall, /);
      return true;
    },
  );
});

test('a changed file concerns the tests that reach it, through packages and threads too', () => {
  const reaching = (path) => filesReaching([path], onSqlite, repositoryRoot);
  const clock = 'packages/kit/src/clock.ts';
  const worker = 'services/traceability/src/csv-import/check-worker.ts';

  assert.ok(reaching('tidy/sizes.test.ts').includes('tidy/sizes.test.ts'));
  assert.ok(reaching(clock).includes('services/traceability/test/csv-import/csv-import.test.ts'));
  assert.ok(reaching(worker).includes('services/traceability/test/csv-import/csv-import.test.ts'));
  assert.ok(!reaching(worker).includes('packages/kit/src/secrets/hash.test.ts'));
});

test('a changed file that no test reaches concerns the tests of its nearest folder', () => {
  const near = filesReaching(['services/traceability/src/web/new.css'], onSqlite, repositoryRoot);

  assert.notEqual(near.length, 0);
  assert.ok(near.every((file) => file.startsWith('services/traceability/src/web/')));
});

test('the long run has what takes its rounds from the kit, and what is named long', () => {
  const crash = 'services/traceability/test/crash/crash.test.ts';

  assert.ok(isLongFile(crash, 'sqlite', repositoryRoot));
  assert.ok(isUsualFile(crash, 'sqlite'));
  assert.ok(!isUsualFile('services/traceability/test/many.long.test.ts', 'sqlite'));
  assert.ok(!isLongFile('packages/kit/src/secrets/hash.test.ts', 'sqlite', repositoryRoot));
});

test('the long run plays the whole of a file, unless only whole tests are added to it', () => {
  const adds = (file, engine) =>
    addsWholeTests(`services/traceability/test/${file}`, engine, repositoryRoot);

  assert.ok(adds('keys/key-tenants.test.ts', 'sqlite'));
  assert.ok(adds('decisions/existing.test.ts', 'postgres'));
  assert.ok(!adds('crash/crash.test.ts', 'sqlite'));
  assert.ok(!adds('keys/key-tenants.test.ts', 'postgres'));
});

test('on PostgreSQL the long run has what SQLite alone has of a file in npm test', () => {
  const existing = 'services/traceability/test/decisions/existing.test.ts';

  assert.ok(isLongFile(existing, 'postgres', repositoryRoot));
  assert.ok(!isLongFile(existing, 'sqlite', repositoryRoot));
  assert.ok(isUsualFile(existing, 'postgres'));
});

test('rounds are chosen in test files, which the long run knows by that', () => {
  const choosing = ['chooseRounds(', 'isLongRun', 'testInLongRun('].flatMap((text) =>
    filesWith('.ts', text),
  );

  assert.deepEqual([...new Set(choosing)].filter((path) => !path.endsWith('.test.ts')).sort(), [
    join('packages/kit/test/above-engines.ts'),
    join('packages/kit/test/rounds.ts'),
  ]);
});

test('every file that has a process of its own is there and says why', () => {
  const known = new Set([...onSqlite, ...onPostgres]);

  for (const { file, because } of OWN_PROCESS_FILES) {
    assert.ok(known.has(file), file);
    assert.notEqual(because, '', file);
  }
});
