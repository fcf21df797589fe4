// `npm run interop` without Go: what it says, and how it ends. The checks themselves need Go.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { repositoryRoot } from './install.js';
import { CHECKS } from './interop/checks.js';
import { EXIT, HELP, UsageError, readOptions } from './interop/options.js';

const MAIN = join(repositoryRoot, 'scripts/interop/main.js');

/** Runs it where no program is found. */
function runWithoutGo(t, args) {
  const empty = mkdtempSync(join(tmpdir(), 'lothub-test-'));
  t.after(() => rmSync(empty, { recursive: true }));
  return spawnSync(process.execPath, [MAIN, ...args], {
    env: { ...process.env, PATH: empty, Path: empty },
    encoding: 'utf8',
  });
}

test('without Go it says so, says what to do, and ends with a code of its own', (t) => {
  const { status, stdout, stderr } = runWithoutGo(t, []);

  assert.equal(status, EXIT.notRun);
  assert.equal(stdout, '');
  assert.match(stderr, /^Go is missing, so nothing was checked: .*Install Go /);
});

test('without Go --json answers that nothing was checked', (t) => {
  const { status, stdout } = runWithoutGo(t, ['--json']);

  assert.equal(status, EXIT.notRun);
  assert.deepEqual(JSON.parse(stdout), { ok: false, go: null, checks: [] });
});

test('--help needs no Go and ends with an example', (t) => {
  const { status, stdout } = runWithoutGo(t, ['--help']);

  assert.equal(status, 0);
  assert.equal(stdout, HELP);
  assert.match(stdout, /\nExample: npm run interop -- --json\n$/);
});

test('an option that is none is wrong usage', (t) => {
  const { status, stderr } = runWithoutGo(t, ['--jsn']);

  assert.equal(status, EXIT.usageWrong);
  assert.match(stderr, /--jsn.* See: npm run interop -- --help\n$/s);
  assert.throws(() => readOptions(['word']), UsageError);
});

test('each program has something to take, a flipped byte to refuse and a fork to refuse', () => {
  for (const program of ['fsck', 'consistency', 'inclusion']) {
    const checks = CHECKS.filter((check) => check.program === program);
    const refused = checks.filter(({ expected }) => expected === 'refuse').map(({ name }) => name);

    assert.ok(checks.some(({ expected }) => expected === 'take'));
    assert.ok(refused.some((name) => /flipped byte/.test(name)));
    assert.ok(refused.some((name) => /fork/.test(name)));
  }
});
