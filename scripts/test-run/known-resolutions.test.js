// What one Node of a run has resolved, the next one takes from it, of our own modules alone.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';

import { repositoryRoot } from '../install.js';
import { RESOLUTIONS_VARIABLE } from './known-resolutions.js';

const PRELOAD = `--import=${new URL('./known-resolutions.js', import.meta.url).href}`;
const MODULE = 'scripts/mutants/list.js';

let folder;
let file;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lothub-resolutions-'));
  file = join(folder, 'resolutions.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What a Node of its own prints that evaluates this module. */
function evaluate(program) {
  return execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: repositoryRoot,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: PRELOAD, [RESOLUTIONS_VARIABLE]: file },
    encoding: 'utf8',
  });
}

test('where the imports of our modules lead is written at the end of a process, and read by the next', () => {
  evaluate(`await import('./${MODULE}');`);
  const written = JSON.parse(readFileSync(file, 'utf8'));
  written[MODULE]['./list/chain.js'] = ['scripts/mutants/list/absent.js', 'module'];
  writeFileSync(file, JSON.stringify(written));

  assert.equal(written[MODULE]['./list/lots.js'][0], 'scripts/mutants/list/lots.js');
  assert.throws(() => evaluate(`await import('./${MODULE}');`), /open '.*absent\.js'/);
});

test('a module outside of the repository is looked for each time', () => {
  const other = join(folder, 'other.mjs');
  writeFileSync(other, "export { MUTANTS as default } from './own.mjs';");
  writeFileSync(join(folder, 'own.mjs'), 'export const MUTANTS = 1;');

  evaluate(`await import(${JSON.stringify(other)}); await import('./${MODULE}');`);

  assert.doesNotMatch(readFileSync(file, 'utf8'), /own\.mjs/);
});
