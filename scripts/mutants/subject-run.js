// One run of the tests of a subject in a copy of the repository, which ends at the first failure that
// counts. Tests are a group of processes: whatever they started ends with them.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';

import { repositoryRoot } from '../install.js';

const REPORTER = join(repositoryRoot, 'scripts/mutants/report-failures.js');

/** Of what a run prints that is no report, so much is kept for whoever looks why it did not run. */
const KEPT_CHARS = 4_000;

/** A failed assertion of `node:assert`. */
const ASSERTION = 'ERR_ASSERTION';

/**
 * @typedef {object} Failure
 * @property {string} test
 * @property {string} file path from the root
 * @property {boolean} isFile the file as a whole failed, as one that does not load
 * @property {boolean} isOfSubtest
 * @property {string} code
 * @property {string} message
 */

/**
 * Whether a failure proves that the tests notice a defect: by an assertion, or by an error that the
 * mutant announces. Any other may come from a mutant that does not run at all.
 *
 * @param {Failure} failure
 * @param {{ failsWith?: string | undefined }} expected
 */
export function isProof({ code, message }, { failsWith }) {
  return code === ASSERTION || (failsWith !== undefined && message.includes(failsWith));
}

/**
 * @param {object} run
 * @param {string} run.copy
 * @param {readonly string[]} run.files paths from the root
 * @param {readonly string[]} [run.testNames] names of tests; not given: all
 * @param {Readonly<Record<string, string>>} run.env
 * @param {number} run.timeoutMs what a test, and a file, may take
 * @param {AbortSignal} run.signal ends the run
 * @param {(failure: Failure) => boolean} run.isEnough whether the run ends with this failure
 * @returns {Promise<{ passed: number, failures: readonly Failure[], said: string }>}
 */
export async function runSubject({
  copy,
  files,
  testNames = [],
  env,
  timeoutMs,
  signal,
  isEnough,
}) {
  signal.throwIfAborted();
  const paths = files.map((file) => join(copy, file));
  const child = spawn(
    process.execPath,
    [REPORTER, String(timeoutMs), JSON.stringify(testNames), ...paths],
    {
      cwd: copy,
      env: { ...environment(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true, // a group of its own, so that it can be ended with all that it started
    },
  );
  const closed = once(child, 'close');
  const end = () => endGroup(child);
  signal.addEventListener('abort', end);
  const failures = [];
  let [passed, said] = [0, ''];
  child.stderr.on('data', (chunk) => (said = `${said}${chunk}`.slice(-KEPT_CHARS)));
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const report = parseReport(line);
      if (report === undefined) said = `${said}${line}\n`.slice(-KEPT_CHARS);
      else if ('passed' in report) ({ passed } = report);
      else if (!report.isOfSubtest) {
        const failure = { ...report, file: relative(copy, report.file) };
        failures.push(failure);
        if (isEnough(failure)) break;
      }
    }
  } finally {
    signal.removeEventListener('abort', end);
    end();
    await closed;
  }
  signal.throwIfAborted();
  return { passed, failures, said };
}

/** Without what a test runner or an engine around this one has set for its own tests. */
function environment() {
  const env = { ...process.env };
  for (const name of Object.keys(env)) {
    if (name.startsWith('NODE_TEST_') || name.startsWith('LOTHUB_')) delete env[name];
  }
  return env;
}

/** @returns undefined of a line that is no report: something else wrote to the same place */
function parseReport(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function endGroup({ pid }) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error; // all of it has ended
  }
}
