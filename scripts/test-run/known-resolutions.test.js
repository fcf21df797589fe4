// Imports of our own modules alone are found without a search: by their path, or where an earlier Node of the
// run has found a package.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';

import { repositoryRoot } from '../install.js';
import { RESOLUTIONS_VARIABLE } from './known-resolutions.js';

const PRELOAD = `--import=${new URL('./known-resolutions.js', import.meta.url).href}`;
/** Imports more packages of ours than it takes to be written. */
const MODULE = 'services/traceability/src/app.ts';
const PACKAGE = '@lothub/kit/http/json-body';

let folder;
let outside;
beforeEach(() => {
  outside = mkdtempSync(join(tmpdir(), 'lothub-resolutions-'));
  folder = join(outside, 'resolutions');
});
afterEach(() => rmSync(outside, { recursive: true, force: true }));

/** What a Node of its own prints that evaluates this module. */
function evaluate(program) {
  return execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: repositoryRoot,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: PRELOAD, [RESOLUTIONS_VARIABLE]: folder },
    encoding: 'utf8',
  });
}

test('where packages lead is written at the end of a process, and read by the next', () => {
  evaluate(`await import('./${MODULE}');`);
  const file = join(folder, 'in-services+traceability.json');
  const written = JSON.parse(readFileSync(file, 'utf8'));
  const changed = { ...written, [PACKAGE]: ['packages/kit/src/absent.ts', 'module-typescript'] };
  writeFileSync(file, JSON.stringify(changed));

  assert.equal(written[PACKAGE][0], 'packages/kit/src/http/json-body.ts');
  assert.throws(() => evaluate(`await import('./${MODULE}');`), /open '.*absent\.ts'/);
});

test('a module that is named by its path is opened there', () => {
  const program = "await import('./scripts/test-run/absent.js');";

  assert.throws(() => evaluate(program), /open '.*scripts\/test-run\/absent\.js'/);
});

test('a module of TypeScript and one of JavaScript load by their paths', () => {
  const printed = evaluate(
    "const [one] = Object.keys(await import('./packages/kit/src/in-list.ts'));" +
      "const [other] = Object.keys(await import('./scripts/install.js'));" +
      'console.log(one !== undefined, other !== undefined);',
  );

  assert.equal(printed, 'true true\n');
});

test('a module outside of the repository is looked for each time', () => {
  const other = join(outside, 'other.mjs');
  writeFileSync(other, "export { MUTANTS as default } from './own.mjs';");
  writeFileSync(join(outside, 'own.mjs'), 'export const MUTANTS = 1;');

  evaluate(`await import(${JSON.stringify(other)});`);

  assert.equal(existsSync(folder), false);
});
