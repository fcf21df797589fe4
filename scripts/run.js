// Runs one of our programs with the pinned Node and is between it and npm: signals go on to
// the program, its exit code comes back, and neither outlives the other.

import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';

import { COMPILED_FOLDER, ensureInstalled, repositoryRoot } from './install.js';

/** How often to look whether npm is still there; bounds how long a port stays taken after it died. */
const PARENT_POLL_MS = 250;

/** Shells report death by signal N as 128 + N; so do we. */
export const SIGNAL_EXIT_BASE = 128;

const FORWARDED_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * The second start takes half the processor time of the first with what it compiled; and memory that threads free goes
 * back to two pools, not to one of each thread, which is 25 MB less of an idle service.
 */
const PROGRAM_ENV = { NODE_COMPILE_CACHE: COMPILED_FOLDER, MALLOC_ARENA_MAX: '2' };

const STOP_WITH_PARENT = new URL('./stop-with-parent.js', import.meta.url).href;

/** Read at once: if npm dies while dependencies are installed, the number changes. */
const PARENT_PID = process.ppid;

/**
 * Installs what is missing, runs a program of this repository and ends this process with its
 * exit code.
 *
 * @param {string} program path from the repository's root, such as "bench/main.ts"
 * @param {readonly string[]} args
 */
export async function runProgram(program, args) {
  await exitWith(async () => {
    const node = ensureInstalled();
    return runNode(node, [join(repositoryRoot, program), ...args]);
  });
}

/**
 * Ends this process with the code that `work` resolves to; an Error becomes its message on
 * stderr and code 1.
 *
 * @param {() => Promise<number>} work
 */
export async function exitWith(work) {
  try {
    process.exitCode = await work();
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}

/**
 * Runs Node with the given arguments on our own stdin, stdout and stderr.
 *
 * @param {string} node path of the binary
 * @param {readonly string[]} args
 * @param {{ output?: 'at once' | 'at the end' }} options what is written `at the end` is together
 *   on stdout, whatever else runs meanwhile
 * @returns {Promise<number>} the exit code
 */
export function runNode(node, args, { output = 'at once' } = {}) {
  return new Promise((resolve, reject) => {
    const out = output === 'at once' ? 'inherit' : 'pipe';
    const child = spawn(node, ['--import', STOP_WITH_PARENT, ...args], {
      stdio: ['inherit', out, out, 'ipc'],
      env: { ...PROGRAM_ENV, ...process.env },
    });
    const written = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => written.push(chunk));
    }
    const forward = (signal) => child.kill(signal);
    for (const signal of FORWARDED_SIGNALS) process.on(signal, forward);
    const watch = watchParent(() => child.kill('SIGTERM'));
    const release = () => {
      for (const signal of FORWARDED_SIGNALS) process.off(signal, forward);
      clearInterval(watch);
    };

    child.once('error', (error) => {
      release();
      reject(new Error(`Could not run ${node}: ${error.message}`, { cause: error }));
    });
    // "close" comes after "exit", when all that was written has arrived.
    child.once(output === 'at once' ? 'exit' : 'close', (code, signal) => {
      release();
      for (const chunk of written) process.stdout.write(chunk);
      resolve(code ?? SIGNAL_EXIT_BASE + constants.signals[signal]);
    });
  });
}

/**
 * Calls `onGone` once npm has died. Only npm is watched: a script started straight from a shell may
 * well outlive that shell, as under nohup.
 */
function watchParent(onGone) {
  if (process.env.npm_lifecycle_event === undefined) return undefined;
  const timer = setInterval(() => {
    if (process.ppid === PARENT_PID) return;
    clearInterval(timer);
    onGone();
  }, PARENT_POLL_MS);
  return timer;
}
