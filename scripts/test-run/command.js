// What `npm test`, `npm run test:long` and `npm run test:watch` do, on the pinned Node: decides which
// checks and test files run on which engine, and runs them side by side. Everything runs, even after
// something has failed, so that one run shows all there is to mend.

import { globSync, statSync, writeFileSync } from 'node:fs';
import { freemem } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';

import { CACHE_FOLDER, repositoryRoot } from '../install.js';
import { SIGNAL_EXIT_BASE, exitWith } from '../run.js';
import {
  UnknownSubject,
  addsWholeTests,
  engineFor,
  fileTask,
  filesOfSubject,
  isLongFile,
  isUsualFile,
  testFilesOn,
} from '../test-files.js';
import { HELP, parseArguments } from './arguments.js';
import { Pool } from './pool.js';
import { childrenMs } from './processor-time.js';
import { Report, timesAsJson } from './report.js';
import { stopOnSignal } from './signals.js';
import { firstTheSlowest, noteTimes } from './times.js';
import { watchTests } from './watch.js';
import { openWorkplace } from './workplace.js';

/**
 * Tasks that run at once: one for each core of the smallest machine we promise to run on, and one more, since
 * each waits for a third of its time.
 */
const TASKS_AT_ONCE = 3;
/** While processors idle because tests wait; fewer where memory is short. */
const TASKS_AT_ONCE_MAX = 7;
/** What a task may take: a worker for each engine, and what its tests start. */
const BYTES_PER_TASK = 2_000_000_000;

/** How a shell reports that a command was called wrongly. */
const EXIT_USAGE = 2;

/** What browsers load knows a document and no Node: it is checked by itself. */
const BROWSER_FOLDERS = [
  'services/notifications/src/web/browser',
  'services/traceability/src/web/browser',
  'services/traceability/src/console/browser',
  'packages/design/src/browser',
  'packages/verify/page',
];

/** They notice what no user would, and take half a minute each where no run was before: they wait. */
const LONG_CHECKS = [
  {
    name: 'format (prettier)',
    args: [
      ...[tool('prettier/bin/prettier.cjs'), '--check', '.'],
      ...['--cache', '--cache-strategy', 'content'],
      ...['--cache-location', join(CACHE_FOLDER, 'lothub-format.json')],
    ],
  },
  { name: 'lint (oxlint)', args: [tool('oxlint/bin/oxlint')] },
];

/** Other threads run tests meanwhile: one takes 6 s of processors, and several together 9 s. */
const TSC = [tool('typescript-native/bin/tsc'), '--noEmit', '--singleThreaded'];

const CHECKS = [
  {
    name: 'types (tsc)',
    args: [
      ...[...TSC, '--incremental'],
      ...['--tsBuildInfoFile', join(CACHE_FOLDER, 'lothub-types.json')],
    ],
  },
  ...BROWSER_FOLDERS.map((folder) => ({
    name: `types of browser modules, ${folder} (tsc)`,
    args: [...TSC, '--project', folder],
  })),
];

await exitWith(async () => {
  const wanted = parseArguments(process.argv.slice(2));
  if (wanted.kind === 'help') {
    console.log(HELP);
    return 0;
  }
  try {
    return await runWanted(wanted);
  } catch (error) {
    if (!(error instanceof UnknownSubject)) throw error;
    console.error(error.message);
    return EXIT_USAGE;
  }
});

async function runWanted(wanted) {
  const engine = process.env.LOTHUB_TEST_ENGINE === 'postgres' ? 'postgres' : 'sqlite';
  const tasks = wanted.kind === 'watch' ? [] : listTasks(wanted, engine);
  const engines = new Set(tasks.map((task) => task.engine));
  if (wanted.kind === 'watch') engines.add(engine);
  await using workplace = await openWorkplace({
    isLong: wanted.isLong,
    hasPostgres: engines.has('postgres'),
  });
  if (wanted.kind === 'watch')
    return await watchTests({ root: repositoryRoot, engine, workplace, atOnce: TASKS_AT_ONCE });
  return await runTasks(tasks, { wanted, workplace });
}

async function runTasks(tasks, { wanted, workplace }) {
  const pool = new Pool({
    buildEnvironment: workplace.buildEnvironment,
    nodeOptions: wanted.nodeOptions,
  });
  const write = (text) => void process.stdout.write(text);
  const isVerbose = wanted.kind === 'some';
  const report = new Report({ write, isVerbose, nowMs: () => performance.now() });
  using stop = stopOnSignal(() => pool.stop());
  await pool.run({
    tasks: firstTheSlowest(tasks),
    atOnce: TASKS_AT_ONCE,
    atOnceMax: Math.max(
      TASKS_AT_ONCE,
      Math.min(TASKS_AT_ONCE_MAX, Math.floor(freemem() / BYTES_PER_TASK)),
    ),
    onResult: (result) => report.add(result),
  });
  if (stop.signal !== undefined) return SIGNAL_EXIT_BASE + stop.signal;
  if (wanted.kind === 'all') noteTimes(report.results);
  if (wanted.timesFile !== undefined) writeFileSync(wanted.timesFile, timesAsJson(report.results));
  return report.end({ serverMs: workplace.serverMs(), childrenMs: childrenMs() });
}

function listTasks(wanted, engine) {
  const both = (isWanted, chooseOptions = () => ({})) =>
    ['sqlite', 'postgres'].flatMap((each) =>
      testFilesOn(each, repositoryRoot)
        .filter((file) => isWanted(file, each))
        .map((file) => fileTask(file, each, chooseOptions(file, each))),
    );
  switch (wanted.kind) {
    case 'all':
      return [...commandTasks(CHECKS), ...both(isUsualFile)];
    case 'long':
      return [
        ...commandTasks(LONG_CHECKS),
        ...both(
          (file, each) => isLongFile(file, each, repositoryRoot),
          (file, each) => ({ isOnlyAdded: addsWholeTests(file, each, repositoryRoot) }),
        ),
      ];
    default:
      return listFiles(wanted, engine).map((file) => fileTask(file, engineFor(file, engine)));
  }
}

function commandTasks(checks) {
  return checks.map((check) => ({ kind: 'command', ...check }));
}

/** Only options (`--test-name-pattern=…`) narrow by other means: then all files stay in the run. */
function listFiles({ paths, words, isLong }, engine) {
  const known = testFilesOn(engine, repositoryRoot).filter(
    (file) => isLong || !file.endsWith('.long.test.ts'),
  );
  if (paths.length === 0 && words.length === 0) return known;
  const files = [
    ...paths.flatMap((path) => filesAt(path, known)),
    ...words.flatMap((word) => filesOfSubject(word, known)),
  ];
  return [...new Set(files)];
}

/** The files of a path: the file itself, those in a folder that run here, or what a pattern matches. */
function filesAt(path, known) {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  const inFolder = () => globSync(join(path, '**/*.test.{ts,js}')).filter(isKnown);
  const isKnown = (file) =>
    known.includes(relative(repositoryRoot, resolve(file)).replaceAll(sep, '/'));
  const files = isFolder ? inFolder() : globSync(path);
  if (files.length === 0) throw new UnknownSubject(`No test file matches "${path}".`);
  return files.filter((file) => !file.includes('node_modules')).sort();
}

function tool(path) {
  return join(repositoryRoot, 'node_modules', path);
}
