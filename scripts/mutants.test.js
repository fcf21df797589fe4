// That the list of mutants does not rot, and that a failure proves what it seems to prove. `npm run
// test:mutants` tries the mutants themselves.

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { repositoryRoot } from './install.js';
import { MUTANTS } from './mutants/list.js';
import { findStaleness, listEngines, planted } from './mutants/mutant.js';
import { UsageError, readOptions } from './mutants/options.js';
import { isProof, runSubject } from './mutants/subject-run.js';
import { SUBJECTS } from './mutants/subjects.js';
import { listFiles } from './mutants/trial.js';
import { indexWitnesses, mergeWitnesses, readWitnesses, witnessKey } from './mutants/witnesses.js';

/** With fewer, promises of the product would be left without a mutant. */
const MUTANTS_MIN = 60;

/** Longer than any of these takes. */
const PATIENCE_MS = 60_000;

const A_MUTANT = {
  name: 'a sum is a difference',
  file: 'sum.js',
  find: 'a + b',
  replacement: 'a - b',
  engine: 'sqlite',
  subject: 'sums',
};

test('the text of each mutant is in its file exactly once', () => {
  const stale = MUTANTS.flatMap((mutant) => {
    const path = join(repositoryRoot, mutant.file);
    const text = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
    return findStaleness(mutant, text) ?? [];
  });

  assert.deepEqual(stale, []);
  assert.ok(MUTANTS.length >= MUTANTS_MIN);
});

test('each mutant has a name of its own', () => {
  const names = MUTANTS.map(({ name }) => name);

  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  );
});

test('each mutant has a subject with tests on each of its engines', () => {
  const without = MUTANTS.flatMap((mutant) =>
    listEngines(mutant, undefined)
      .filter((engine) => listFiles(mutant.subject, engine).length === 0)
      .map((engine) => `${mutant.name}: ${mutant.subject} on ${engine}`),
  );

  assert.deepEqual(without, []);
});

test('each subject is one of a mutant, and its test files are there', () => {
  const asked = new Set(MUTANTS.map(({ subject }) => subject));
  const files = Object.values(SUBJECTS).flat();

  assert.deepEqual(
    Object.keys(SUBJECTS).filter((subject) => !asked.has(subject)),
    [],
  );
  assert.deepEqual(
    files.filter((file) => !existsSync(join(repositoryRoot, file))),
    [],
  );
});

test('each mutant of the list of witnesses is there, and so is the file of the test', () => {
  const names = new Set(MUTANTS.map(({ name }) => name));
  const recorded = readWitnesses();
  const files = Object.values(recorded).flatMap((ofEngine) => Object.keys(ofEngine));

  assert.deepEqual(mergeWitnesses(recorded, [], names), recorded);
  assert.deepEqual(
    files.filter((file) => !existsSync(join(repositoryRoot, file))),
    [],
  );
});

test('what a run found takes the place of what was recorded of its mutants, and of no others', () => {
  const file = 'sum.test.js';
  const recorded = { sqlite: { [file]: { 'adds two': ['a', 'b', 'gone'], 'adds none': ['c'] } } };
  const verdicts = [
    { name: 'b', engine: 'sqlite', by: { file, test: 'adds three' } },
    { name: 'b', engine: 'postgres', by: { file, test: 'adds two' } },
    { name: 'c', engine: 'sqlite', by: null },
  ];

  const merged = mergeWitnesses(recorded, verdicts, new Set(['a', 'b', 'c']));

  assert.deepEqual(merged, {
    sqlite: { [file]: { 'adds two': ['a'], 'adds three': ['b'] } },
    postgres: { [file]: { 'adds two': ['b'] } },
  });
  assert.deepEqual(indexWitnesses(merged).get(witnessKey({ name: 'b', engine: 'sqlite' })), {
    file,
    test: 'adds three',
  });
});

test('a mutant whose text is there twice, or not at all, does not apply', () => {
  const once = findStaleness(A_MUTANT, 'a + b');
  const twice = findStaleness(A_MUTANT, 'a + b; a + b');
  const never = findStaleness(A_MUTANT, 'a * b');
  const gone = findStaleness(A_MUTANT, undefined);

  assert.equal(once, undefined);
  assert.match(twice, /2 times/);
  assert.match(never, /0 times/);
  assert.match(gone, /no such file/);
  assert.equal(planted(A_MUTANT, 'const sum = a + b;'), 'const sum = a - b;');
});

test('a failed assertion is a proof, and another error only if the mutant announces it', () => {
  const assertion = { code: 'ERR_ASSERTION', message: 'AssertionError: 1 !== 2' };
  const broken = { code: 'testCodeFailure', message: 'ReferenceError: sum is not defined' };

  assert.equal(isProof(assertion, A_MUTANT), true);
  assert.equal(isProof(broken, A_MUTANT), false);
  assert.equal(isProof(broken, { ...A_MUTANT, failsWith: 'sum is not' }), true);
});

test('a run ends at the first failure that is enough', async (t) => {
  const files = writeTests(t, {
    'a.test.js': "test('broken', () => nothing); test('wrong', () => assert.equal(1, 2));",
    'b.test.js': "test('never run', () => assert.equal(1, 2));",
  });

  const { failures } = await run(files, ({ code }) => code === 'ERR_ASSERTION');

  assert.deepEqual(
    failures.map((failure) => failure.test),
    ['broken', 'wrong'],
  );
});

test('a run of the only tests that are named leaves the others out', async (t) => {
  const subject = writeTests(t, {
    'a.test.js':
      "test('1 + 1 (a)', () => assert.equal(1, 2)); test('1 + 1', () => assert.equal(1, 2));",
  });

  const { failures } = await run({ ...subject, testNames: ['1 + 1'] }, () => false);

  assert.deepEqual(
    failures.map((failure) => failure.test),
    ['1 + 1'],
  );
});

test('a file that does not load fails without a proof', async (t) => {
  const files = writeTests(t, { 'a.test.js': "import { nothing } from 'node:fs';" });

  const { failures, passed } = await run(files, () => false);

  assert.equal(passed, 0);
  assert.deepEqual(
    failures.map((failure) => isProof(failure, A_MUTANT)),
    [false],
  );
});

test('options that make no sense are refused with what would', () => {
  const refused = [['--at-once', '3'], ['--engine', 'oracle'], ['--sideways']];

  for (const args of refused) assert.throws(() => readOptions(args), UsageError);
  assert.deepEqual(readOptions([]), {
    names: [],
    atOnce: 2,
    engine: undefined,
    list: false,
    record: false,
    json: false,
    help: false,
  });
});

/** Test files in a folder of their own. @returns the folder, and their names */
function writeTests(t, texts) {
  const copy = mkdtempSync(join(tmpdir(), 'lothub-mutants-test-'));
  t.after(() => rmSync(copy, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(texts)) {
    const imports = "import test from 'node:test'; import assert from 'node:assert/strict';";
    writeFileSync(join(copy, name), `${imports}\n${text}`);
  }
  return { copy, files: Object.keys(texts) };
}

function run(subject, isEnough) {
  const { signal } = new AbortController();
  return runSubject({ ...subject, env: {}, timeoutMs: PATIENCE_MS, signal, isEnough });
}
