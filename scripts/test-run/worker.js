// One of the processes that run test files, one file after another: modules are loaded and warm by the
// second file, which takes half the time of most. pool.js starts it and sends it a file at a time.
// A file must leave the process as it found it; one that does not fails.

import asyncHooks from 'node:async_hooks';
import { flushCompileCache } from 'node:module';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { writeResolutions } from './known-resolutions.js';
import { childrenMs } from './processor-time.js';
import { FILE_ENDS } from './protocol.js';

leavePromisesUntracked();
const { run } = await import('node:test');
const { spec } = await import('node:test/reporters');

const ERROR_EVENTS = ['uncaughtException', 'unhandledRejection'];
/** A listener that a file leaves on one of these would act on the next files. */
const PROCESS_EVENTS = ['SIGINT', 'SIGTERM', 'SIGHUP', ...ERROR_EVENTS];
/** A test may wait for what an uncaught error has prevented: so long after it its file ends. */
const ENDS_AFTER_ERROR_MS = 5_000;

/** The counts that the test runner prints at the end; the report has its own. */
const COUNTS = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/;

/** Read by the kit's rounds.ts: of this file only those tests run that the long run adds to it. */
const ONLY_ADDED_VARIABLE = 'LOTHUB_TEST_ONLY_ADDED';

/** What the test runner sets for itself. */
const OF_TEST_RUNNER = 'NODE_TEST_WORKER_ID';

process.on('message', (order) => {
  void runFile(order);
});

// The runner is gone: nothing of this worker may stay, nor any process that its tests started.
process.on('disconnect', () => process.kill(-process.pid, 'SIGKILL'));

async function runFile({ file, isOnlyAdded, testTimeoutMs, leftOpenMaxMs }) {
  process.env[ONLY_ADDED_VARIABLE] = isOnlyAdded ? '1' : '';
  const before = stateOfProcess();
  const startedMs = processorMs();
  // A file has ended when nothing is left to do, as in a process of its own; the channel counts not.
  process.channel.unref();
  const events = run({ files: [file], isolation: 'none', concurrency: 1, timeout: testTimeoutMs });
  let isPassed = false;
  let tests = 0;
  let failures = '';
  events.on('test:dequeue', ({ name }) => process.send({ kind: 'progress', name }));
  events.on('test:complete', () => process.send({ kind: 'progress' }));
  let isCut = false;
  // The file ends here for whoever reads the events; its process does not outlive it.
  const cut = (why) => {
    isCut = true;
    failures += why;
    events.push(null);
  };
  whenIdle(events, leftOpenMaxMs, () => {
    cut(
      `All tests of the file have ended, and ${leftOpenMaxMs / 1000} s later something that it ` +
        `opened is still open (${formatCounts(process.getActiveResourcesInfo())}): close it in ` +
        '`after`, also where `before` failed half-way.\n',
    );
  });
  const errors = watchErrors(() => {
    cut(`The file goes on ${ENDS_AFTER_ERROR_MS / 1000} s after an error that nothing caught.\n`);
  });
  events.on('test:summary', ({ success, counts }) => {
    isPassed = success;
    tests = counts.tests;
  });
  let output = '';
  for await (const text of events.compose(withoutCounts).compose(spec)) output += text;
  process.channel.ref();
  process.exitCode = undefined;

  // The runner of Node passes over an error of the file itself once a test of it has been registered. A module
  // that failed fails again; one that did not is not run again.
  await import(pathToFileURL(file).href).catch((error) => {
    isPassed = false;
    failures += `The file itself fails: ${inspect(error)}\n`;
  });

  for (const error of errors.end()) {
    isPassed = false;
    failures += `Nothing caught: ${inspect(error)}\n`;
  }
  const changes = changesOfProcess(before);
  if (changes.length > 0) {
    isPassed = false;
    failures +=
      `The file leaves its process changed: ${changes.join('; ')}. Other files run in the same ` +
      'process: undo the change, or name the file in OWN_PROCESS_FILES of scripts/test-files.js.\n';
  }
  // Processes that the next files start find here what this one has compiled and resolved.
  flushCompileCache();
  writeResolutions();
  process.stdout.write(FILE_ENDS);
  process.stderr.write(FILE_ENDS);
  process.send({
    kind: 'ended',
    isPassed,
    tests,
    output: output + failures,
    isLeftOpen: isCut,
    processorMs: processorMs() - startedMs,
    rssBytes: process.memoryUsage.rss(),
  });
}

/**
 * Gathers the errors that nothing catches, and calls back when the file does not end after one.
 *
 * @param {() => void} callBack
 * @returns {{ end(): readonly unknown[] }} `end` answers the errors
 */
function watchErrors(callBack) {
  const errors = [];
  let timer;
  const note = (error) => {
    errors.push(error);
    timer ??= setTimeout(callBack, ENDS_AFTER_ERROR_MS).unref();
  };
  for (const name of ERROR_EVENTS) process.on(name, note);
  return {
    end: () => {
      clearTimeout(timer);
      for (const name of ERROR_EVENTS) process.off(name, note);
      return errors;
    },
  };
}

/** Calls back once all tests have ended, and nothing happens any more although the file goes on. */
function whenIdle(events, idleMs, callBack) {
  let running = 0;
  let timer;
  events.on('test:dequeue', ({ nesting }) => {
    clearTimeout(timer);
    if (nesting === 0) running += 1;
  });
  events.on('test:complete', ({ nesting }) => {
    if (nesting === 0) running -= 1;
    clearTimeout(timer);
    // It keeps nothing open itself.
    if (running === 0) timer = setTimeout(callBack, idleMs).unref();
  });
  events.on('end', () => clearTimeout(timer));
}

/** Such as `TCPServerWrap, 2 Timeout`. */
function formatCounts(names) {
  const counts = Map.groupBy(names, (name) => name);
  return [...counts]
    .map(([name, all]) => (all.length === 1 ? name : `${all.length} ${name}`))
    .join(', ');
}

/** Time of a processor that this process took, and those that it started and that have ended. */
function processorMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + childrenMs();
}

async function* withoutCounts(events) {
  for await (const event of events) {
    if (event.type !== 'test:diagnostic' || !COUNTS.test(event.data.message)) yield event;
  }
}

function stateOfProcess() {
  const { [OF_TEST_RUNNER]: _own, ...environment } = process.env;
  return {
    environment,
    folder: process.cwd(),
    listeners: new Map(PROCESS_EVENTS.map((name) => [name, process.listenerCount(name)])),
  };
}

/** What differs from an earlier state, in words; environment variables are put back. */
function changesOfProcess(before) {
  const after = stateOfProcess();
  const changes = [];
  for (const name of new Set([
    ...Object.keys(before.environment),
    ...Object.keys(after.environment),
  ])) {
    if (before.environment[name] === after.environment[name]) continue;
    changes.push(`environment variable ${name}`);
  }
  if (before.folder !== after.folder) changes.push('working directory');
  for (const [name, count] of before.listeners) {
    const now = after.listeners.get(name);
    if (now !== count) changes.push(`${now} listeners of "${name}" instead of ${count}`);
  }
  return changes;
}

/**
 * Keeps the test runner of Node from following each promise of what it tests. It does so to find the test
 * that an uncaught error comes from, which takes an eighth of the processors' time of a run; here such an
 * error is named beside its file. To be called before `node:test` is loaded, which keeps the function
 * that it finds.
 */
function leavePromisesUntracked() {
  const { createHook } = asyncHooks;
  // Without `destroy`, which has each resource watched by the garbage collector, it forgets nothing that
  // began in a test, until its process ends: a number for each.
  asyncHooks.createHook = ({ init }) => createHook({ init, trackPromises: false });
}
