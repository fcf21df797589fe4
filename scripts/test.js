// npm test: the checks side by side, then the tests: once on SQLite, then those of the services once
// more on PostgreSQL. Every step runs, even after one has failed, so that one run shows all there is
// to mend; the exit code is 0 only if all passed.
// Arguments after "--" go to Node's test runner instead: files narrow the run to those files, and
// the checks are left out. Their engine is SQLite, or what LOTHUB_TEST_ENGINE says (postgres).

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ensureInstalled, repositoryRoot } from './install.js';
import { exitWith, runNode, SIGNAL_EXIT_BASE } from './run.js';
import { testFilesOn } from './test-files.js';

/** Test files that run at once: one for each core of the smallest machine we promise to run on. */
const FILES_AT_ONCE = 2;
/** A test file that takes longer hangs, and fails instead of holding up the rest. */
const FILE_TIMEOUT_MS = 240_000;

const TIDY_FILES = ['tidy/**/*.test.ts'];

/** What browsers load knows a document and no Node: it is checked by itself. */
const BROWSER_MODULES = 'services/notifications/src/web/browser';

/** Starts one PostgreSQL and runs the test runner on it. */
const ON_POSTGRES = 'scripts/test-postgres.js';

/** One stage after the other; the steps of a stage run side by side. */
const STAGES = [
  // Each of these has one thread, so they share the cores.
  [
    { name: 'format (prettier)', args: [tool('prettier/bin/prettier.cjs'), '--check', '.'] },
    { name: 'lint (eslint)', args: [tool('eslint/bin/eslint.js'), '--max-warnings=0', '.'] },
    { name: 'types (tsc)', args: [tool('typescript/bin/tsc'), '--noEmit'] },
    {
      name: 'types of browser modules (tsc)',
      args: [tool('typescript/bin/tsc'), '--noEmit', '--project', BROWSER_MODULES],
    },
  ],
  [{ name: 'tidy', args: testRunner(TIDY_FILES) }],
  [{ name: 'tests on SQLite', args: testRunner(testFilesOn('sqlite', repositoryRoot)) }],
  [
    {
      name: 'tests on PostgreSQL',
      args: [ON_POSTGRES, ...testRunner(testFilesOn('postgres', repositoryRoot))],
    },
  ],
];

await exitWith(async () => {
  const node = ensureInstalled({ groups: ['optional', 'dev'] });
  process.chdir(repositoryRoot);
  const args = process.argv.slice(2);
  return args.length === 0 ? runSteps(node) : runNode(node, narrowed(args));
});

async function runSteps(node) {
  // A whole run is about both engines; each step knows its own.
  delete process.env.LOTHUB_TEST_ENGINE;
  const cache = mkdtempSync(join(tmpdir(), 'lothub-compiled-'));
  try {
    // Some hundreds of processes load the same modules, which takes half the time once the first of
    // them has compiled them.
    process.env.NODE_COMPILE_CACHE = cache;
    return await runStages(node);
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
}

async function runStages(node) {
  const startedMs = performance.now();
  const failed = [];
  for (const steps of STAGES) {
    const names = steps.map(({ name }) => name).join(', ');
    const soFar = `${secondsSince(startedMs)} s so far`;
    console.log(
      `\n=== ${names}: ${soFar} ${failed.length === 0 ? '' : `(failed: ${failed.join(', ')}) `}===`,
    );
    const output = steps.length === 1 ? 'at once' : 'at the end';
    const codes = await Promise.all(steps.map(({ args }) => runNode(node, args, { output })));
    const stopped = codes.find((code) => code > SIGNAL_EXIT_BASE);
    if (stopped !== undefined) return stopped; // somebody stopped the run: no further steps
    failed.push(...steps.filter((_step, index) => codes[index] !== 0).map(({ name }) => name));
  }
  const inAll = `${secondsSince(startedMs)} s`;
  if (failed.length === 0) {
    console.log(`\nAll passed, in ${inAll}.`);
    return 0;
  }

  console.error(`\nFailed: ${failed.join(', ')}, in ${inAll}.`);
  return 1;
}

/** Only options (`--test-name-pattern=…`) narrow by other means: then all files stay in the run. */
function narrowed(args) {
  const options = args.filter((argument) => argument.startsWith('-'));
  const files = args.filter((argument) => !argument.startsWith('-'));
  const engine = process.env.LOTHUB_TEST_ENGINE === 'postgres' ? 'postgres' : 'sqlite';
  const all = () => [...TIDY_FILES, ...testFilesOn(engine, repositoryRoot)];
  return testRunner(files.length === 0 ? all() : files, options);
}

function testRunner(files, options = []) {
  return [
    '--test',
    `--test-concurrency=${FILES_AT_ONCE}`,
    `--test-timeout=${FILE_TIMEOUT_MS}`,
    ...options,
    ...files,
  ];
}

function tool(path) {
  return join(repositoryRoot, 'node_modules', path);
}

function secondsSince(startedMs) {
  return ((performance.now() - startedMs) / 1000).toFixed(1);
}
