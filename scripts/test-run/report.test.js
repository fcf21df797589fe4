// What a run prints: what failed with all that it wrote, how long it took, and what was slowest.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Report, timesAsJson } from './report.js';

function fileResult(file, changes = {}) {
  const task = { kind: 'file', file, engine: 'sqlite', isAlone: false };
  const result = { task, isPassed: true, tests: 2, output: 'ok\n', elapsedMs: 1_500 };
  return { ...result, processorMs: 400, ...changes };
}

/** Reports these results of a run of 90 seconds. */
function report(results, { isVerbose = false } = {}) {
  let text = '';
  let nowMs = 0;
  const write = (piece) => (text += piece);
  const report = new Report({ write, isVerbose, nowMs: () => nowMs });
  for (const result of results) report.add(result);
  nowMs = 90_000;
  const code = report.end({ serverMs: 5_000, childrenMs: 9_000 });
  return { text, code };
}

test('a run that passed says how many tests there were and how long it took', () => {
  const { text, code } = report([fileResult('a.test.ts'), fileResult('b.test.ts')]);

  assert.equal(code, 0);
  assert.match(text, /^✔ a\.test\.ts \(1\.5 s, 0\.4 s of processors, 2 tests\)$/m);
  assert.match(text, /^All passed: 4 tests in 2 files, 90\.0 s\.$/m);
  assert.doesNotMatch(text, /ok/);
});

test('all output of what failed is printed where it failed, and its name again at the end', () => {
  const failed = fileResult('a.test.ts', { isPassed: false, output: 'line 1\nline 2\n' });

  const { text, code } = report([failed, fileResult('b.test.ts')]);

  assert.equal(code, 1);
  assert.match(text, /^✖ a\.test\.ts .*\n {2}line 1\n {2}line 2\n✔ b/m);
  assert.match(text, /^Failed \(4 tests in 2 files, 90\.0 s\):\n {2}a\.test\.ts\n$/m);
});

test('output of what passed is printed when it is asked for', () => {
  const { text } = report([fileResult('a.test.ts')], { isVerbose: true });

  assert.match(text, /^ {2}ok$/m);
});

test('the ten slowest are named, the slowest first, with their engine', () => {
  const results = Array.from({ length: 12 }, (_, index) =>
    fileResult(`${index}.test.ts`, { elapsedMs: index * 1_000 }),
  );
  const onPostgres = { ...results[11].task, engine: 'postgres' };

  const { text } = report([...results, fileResult('', { task: onPostgres, elapsedMs: 20_000 })]);

  const slowest = text.slice(text.indexOf('Slowest:\n'), text.indexOf('\nProcessors:')).trim();
  assert.equal(slowest.split('\n').length, 11);
  assert.match(
    slowest,
    /^Slowest:\n {2}20\.0 s 11\.test\.ts on PostgreSQL\n {2}11\.0 s 11\.test\.ts\n/,
  );
});

test('a run of nothing does not pass', () => {
  const { text, code } = report([]);

  assert.equal(code, 1);
  assert.match(text, /nothing ran/i);
});

test('the use of processors is at the end, and in the output for programs', () => {
  const one = fileResult('a.test.ts', { processorMs: 3_000 });
  const onPostgres = fileResult('b.test.ts', { processorMs: 4_000 });
  const other = { ...onPostgres, task: { ...onPostgres.task, engine: 'postgres' } };

  const { text } = report([one, other]);
  const { tasks } = JSON.parse(timesAsJson([one, other]));

  assert.match(
    text,
    /^Processors:\n {2}3\.0 s files on SQLite\n {2}4\.0 s files on PostgreSQL\n {2}5\.0 s the server of PostgreSQL\n {2}2\.0 s checks, and starts of workers\n/m,
  );
  assert.deepEqual(tasks[1], {
    name: 'b.test.ts on PostgreSQL',
    passed: true,
    tests: 2,
    elapsed_ms: 1_500,
    processor_ms: 4_000,
  });
});
