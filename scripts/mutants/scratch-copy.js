// A copy of the working tree to plant mutants in. It shares the installed packages of the original;
// those of this repository itself are the copy's own.

import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { planted } from './mutant.js';

/**
 * @param {string} root the repository
 * @param {string} copy a folder that is not there yet
 */
export function copyRepository(root, copy) {
  for (const path of listFiles(root)) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    copyFileSync(join(root, path), join(copy, path));
  }
  linkPackages(root, copy);
}

/** What git keeps or would keep: not what is installed, stored by a service or measured. */
function listFiles(root) {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { status, error, stdout, stderr } = spawnSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (status !== 0) {
    throw new Error(`Listing the files of ${root} with git failed: ${error?.message ?? stderr}`);
  }
  const paths = stdout.split('\0').filter((path) => path !== '');
  // A file that is deleted and not committed is still in git's list.
  return paths.filter((path) => existsSync(join(root, path)));
}

function linkPackages(root, copy) {
  const installed = join(root, 'node_modules');
  const linked = join(copy, 'node_modules');
  mkdirSync(linked);
  for (const name of readdirSync(installed)) {
    if (name.startsWith('@')) linkScope(root, copy, name);
    else symlinkSync(join(installed, name), join(linked, name));
  }
}

/** npm links the packages of this repository: such a link leads to the copy's own package. */
function linkScope(root, copy, scope) {
  const installed = join(root, 'node_modules', scope);
  const linked = join(copy, 'node_modules', scope);
  mkdirSync(linked);
  for (const name of readdirSync(installed)) {
    const path = join(installed, name);
    const isOurs = lstatSync(path).isSymbolicLink();
    symlinkSync(isOurs ? readlinkSync(path) : path, join(linked, name));
    if (!isOurs) continue;
    const workspace = relative(root, join(installed, readlinkSync(path)));
    const itsOwn = join(root, workspace, 'node_modules');
    if (existsSync(itsOwn)) symlinkSync(itsOwn, join(copy, workspace, 'node_modules'));
  }
}

/**
 * Plants a mutant in a copy until it is disposed.
 *
 * @param {string} copy
 * @param {import('./mutant.js').Mutant} mutant
 * @returns {Disposable}
 */
export function plant(copy, mutant) {
  const path = join(copy, mutant.file);
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, planted(mutant, text));
  return { [Symbol.dispose]: () => writeFileSync(path, text) };
}
