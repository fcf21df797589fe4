// The programs of others, in Go: whether there is a Go, how they are built, and how they are run. Their
// versions are pinned in go/go.mod.

import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { CACHE_FOLDER } from '../install.js';

const MODULE_FOLDER = join(import.meta.dirname, 'go');
const PROGRAM_FOLDER = join(CACHE_FOLDER, 'interop');

/** Downloading and compiling from nothing; a run of a program takes seconds. */
const BUILD_TIMEOUT_MS = 1_200_000;
const RUN_TIMEOUT_MS = 120_000;

/** What is built of which package. */
const PACKAGES = {
  fsck: 'github.com/transparency-dev/tessera/cmd/fsck',
  consistency: './consistency',
  inclusion: './inclusion',
  litewitness: 'filippo.io/torchwood/cmd/litewitness',
  omniwitness: 'github.com/transparency-dev/witness/cmd/omniwitness',
  'posix-oneshot': 'github.com/transparency-dev/tessera/cmd/examples/posix-oneshot',
};

/** @typedef {{ code: number | undefined, output: string }} Ended `code` is undefined when it could not be started */

/**
 * The version of Go, such as `go version go1.26.1 linux/amd64`; undefined when there is none.
 *
 * @returns {Promise<string | undefined>}
 */
export async function findGo() {
  const { code, output } = await execute('go', ['version'], { timeoutMs: RUN_TIMEOUT_MS });
  return code === 0 ? output.trim() : undefined;
}

/**
 * Builds one program.
 *
 * @param {keyof typeof PACKAGES} name
 * @returns {Promise<string | undefined>} why it could not be built
 */
async function build(name) {
  mkdirSync(PROGRAM_FOLDER, { recursive: true });
  const args = ['build', '-o', buildPath(name), PACKAGES[name]];
  const { code, output } = await execute('go', args, {
    cwd: MODULE_FOLDER,
    timeoutMs: BUILD_TIMEOUT_MS,
  });
  return code === 0 ? undefined : output.trim();
}

/**
 * Builds all programs, one after the other.
 *
 * @param {(line: string) => void} onProgress
 * @returns {Promise<Map<string, string>>} why some could not be built, by name
 */
export async function buildPrograms(onProgress) {
  const failures = new Map();
  for (const name of Object.keys(PACKAGES)) {
    const startedMs = performance.now();
    onProgress(`building ${name} (${PACKAGES[name]})`);
    const failure = await build(name);
    const seconds = Math.round((performance.now() - startedMs) / 1000);
    onProgress(failure === undefined ? `built ${name} in ${seconds} s` : `${name} failed`);
    if (failure !== undefined) failures.set(name, failure);
  }
  return failures;
}

/**
 * Runs a program that was built.
 *
 * @param {keyof typeof PACKAGES} name
 * @param {readonly string[]} args
 * @param {string} input for its standard input
 * @returns {Promise<Ended>}
 */
export function runProgram(name, args, input = '') {
  return execute(buildPath(name), args, { timeoutMs: RUN_TIMEOUT_MS, input });
}

/**
 * Starts a program that was built and that serves until it is ended.
 *
 * @param {keyof typeof PACKAGES} name
 * @param {readonly string[]} args
 */
export function startProgram(name, args) {
  const child = spawn(buildPath(name), args, { stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  child.once('close', () => running.delete(child));
  return child;
}

function buildPath(name) {
  return join(PROGRAM_FOLDER, process.platform === 'win32' ? `${name}.exe` : name);
}

/** Programs that run now; none outlives this process. */
const running = new Set();
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** @returns {Promise<Ended>} */
function execute(command, args, { cwd, timeoutMs, input = '' }) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, timeout: timeoutMs });
    running.add(child);
    child.once('close', () => running.delete(child));
    const written = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => written.push(chunk));
    }
    child.once('error', (error) => resolve({ code: undefined, output: error.message }));
    child.once('close', (code) => resolve({ code: code ?? 1, output: written.join('') }));
    // A program that ends before it has read everything says why itself.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}
