// Installs the dependencies when they are missing or older than the lock file. npm runs no
// "prestart" hook here (.npmrc ignores scripts), so the scripts behind `npm start` and `npm test`
// call this first. Plain JavaScript without dependencies: it runs when nothing is installed yet.

import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { findPinnedNode, getPinnedNode } from './pinned-node.js';

export const repositoryRoot = dirname(dirname(fileURLToPath(import.meta.url)));
/** For what tools keep between two runs and can make anew. */
export const CACHE_FOLDER = join(repositoryRoot, 'node_modules', '.cache');
/** What Node has compiled, for later runs: an entry for each module, replaced when the module changes. */
export const COMPILED_FOLDER = join(CACHE_FOLDER, 'lothub-compiled');

/** npm writes this file last, so an install that was cut short leaves none. */
const INSTALLED_LOCK = join('node_modules', '.package-lock.json');

/** A package of the development group: present only if that group was installed. */
const DEVELOPMENT_WITNESS = join('node_modules', 'typescript', 'package.json');

/**
 * Brings node_modules in step with package-lock.json and returns the Node to run Lothub with.
 * What npm prints goes to stderr, so that a command's own output stays clean.
 *
 * @param {{ groups?: readonly ('optional' | 'dev')[], root?: string }} options
 * @returns {string} the path of the Node binary
 * @throws {Error} with one paragraph for people: what failed and what to do
 */
export function ensureInstalled({ groups = ['optional'], root = repositoryRoot } = {}) {
  const reason = findReasonToInstall({ groups, root });
  if (reason === undefined) return getPinnedNode(root);

  console.error(`Installing dependencies (${reason}): npm ci`);
  runNpmCi({ groups, root });
  const node = getPinnedNode(root);
  checkRuns(node);
  return node;
}

/**
 * Why an install is due, in a few words; undefined when everything is in place.
 *
 * @param {{ groups: readonly string[], root: string }} options
 * @returns {string | undefined}
 */
export function findReasonToInstall({ groups, root }) {
  const installed = statSync(join(root, INSTALLED_LOCK), { throwIfNoEntry: false });
  if (installed === undefined) return 'none are installed';

  const wanted = statSync(join(root, 'package-lock.json'));
  if (installed.mtimeMs < wanted.mtimeMs) return 'package-lock.json is newer';
  if (findPinnedNode(root) === undefined) return 'the pinned Node is missing';
  if (groups.includes('dev') && !existsSync(join(root, DEVELOPMENT_WITNESS))) {
    return 'the development tools are missing';
  }
  return undefined;
}

function runNpmCi({ groups, root }) {
  const npm = findNpm();
  const args = ['ci', '--loglevel=error', ...groups.map((group) => `--include=${group}`)];
  const { status, error } = spawnSync(npm.file, [...npm.args, ...args], {
    cwd: root,
    shell: npm.shell,
    stdio: ['ignore', process.stderr, process.stderr],
  });
  if (status === 0) return;

  const outcome = error ? error.message : `exit code ${status}`;
  throw new Error(
    `"npm ${args.join(' ')}" failed (${outcome}), so the dependencies are not installed; what npm ` +
      `said is above. It is most often the network (npm needs to reach its registry, directly ` +
      `or through the proxy in its settings), a full disk, or a directory this user may not write ` +
      `to: ${root}. Once that is mended, run the same command again.`,
    { cause: error },
  );
}

/**
 * The npm that runs us, started by the Node that runs it: "npm" on PATH may by now lead to the
 * pinned Node inside node_modules, which `npm ci` is about to remove.
 */
function findNpm() {
  const { npm_execpath: script, npm_node_execpath: node } = process.env;
  if (script !== undefined && node !== undefined && basename(script).startsWith('npm')) {
    return { file: node, args: [script], shell: false };
  }
  return { file: 'npm', args: [], shell: process.platform === 'win32' };
}

/** A binary can be there and yet not start, when the system lacks a library that it is linked to. */
function checkRuns(node) {
  const { status, error, stderr } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  if (status === 0) return;

  throw new Error(
    `The pinned Node was installed but does not start on this system: ` +
      `${(error ? error.message : stderr).trim()}. It needs glibc 2.28 or newer, libstdc++ and ` +
      `libatomic (on Debian and Ubuntu: apt-get install libstdc++6 libatomic1).`,
    { cause: error },
  );
}
