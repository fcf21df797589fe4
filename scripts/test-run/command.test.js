// npm test as a person calls it: what its arguments select, its exit codes, and what it leaves behind
// when it is stopped or killed.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { repositoryRoot } from '../install.js';

const COMMAND = join(repositoryRoot, 'scripts', 'test-run', 'command.js');

let folder;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'lothub-command-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** Starts the command with a folder of its own for everything temporary. */
function start(args) {
  const temporary = mkdtempSync(join(folder, 'tmp-'));
  const child = spawn(process.execPath, [COMMAND, ...args], {
    cwd: repositoryRoot,
    env: { ...process.env, TMPDIR: temporary, LOTHUB_TEST_ENGINE: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece) => (text += piece));
  }
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, text }));
  return { child, temporary, ended };
}

function run(...args) {
  return start(args).ended;
}

/** A test file that never ends; it writes this file when it runs. */
function endlessTest() {
  const begun = join(mkdtempSync(join(folder, 'begun-')), 'file');
  const path = join(folder, 'endless.test.mjs');
  writeFileSync(
    path,
    `import { mkdtempSync, writeFileSync } from 'node:fs';
    import { tmpdir } from 'node:os';
    import { join } from 'node:path';
    import { test } from 'node:test';
    test('never ends', async () => {
      mkdtempSync(join(tmpdir(), 'left-'));
      writeFileSync(${JSON.stringify(begun)}, '');
      await new Promise(() => setInterval(() => {}, 1000));
    });`,
  );
  return { path, begun };
}

/** Resolves once the folder of a path changed so that the condition holds. */
async function until(path, condition) {
  const { promise, resolve } = Promise.withResolvers();
  const watching = watch(path, () => condition() && resolve());
  if (condition()) resolve();
  await promise;
  watching.close();
}

test('a word runs the files of its subject', async () => {
  const { code, text } = await run('sha256');

  assert.equal(code, 0, text);
  assert.match(text, /^✔ packages\/chain\/src\/sha256\.test\.ts /m);
  assert.match(text, /in 1 file,/);
});

test('an unknown word lists the subjects and ends with 2', async () => {
  const { code, text } = await run('sha-nothing');

  assert.equal(code, 2);
  assert.match(text, /No tests are about "sha-nothing"\. The subjects are: .*\brecall, /);
});

test('a path that leads nowhere ends with 2', async () => {
  const { code, text } = await run('tidy/nothing.test.ts');

  assert.equal(code, 2);
  assert.match(text, /No test file matches "tidy\/nothing\.test\.ts"/);
});

test('a pattern runs all files that match, and a failing one ends the run with 1', async () => {
  for (const [name, wanted] of [
    ['good', 1],
    ['bad', 2],
  ]) {
    const check = `import assert from 'node:assert'; import { test } from 'node:test';
      test('one is one', () => assert.equal(${wanted}, 1));`;
    writeFileSync(join(folder, `${name}.check.mjs`), check);
  }

  const { code, text } = await run(join(folder, '*.check.mjs'));

  assert.equal(code, 1);
  assert.match(text, /✖ one is one/);
  assert.match(text, /Failed \(2 tests in 2 files/);
});

test('--help shows how each kind of run is asked for', async () => {
  const { code, text } = await run('--help');

  assert.equal(code, 0);
  assert.match(text, /npm test -- recall/);
  assert.match(text, /npm run test:watch/);
});

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
]) {
  test(`${signal} ends a run with ${code} and leaves no folder behind`, async () => {
    const { path, begun } = endlessTest();
    const { child, temporary, ended } = start([path]);
    await until(join(begun, '..'), () => existsSync(begun));

    child.kill(signal);

    assert.equal((await ended).code, code);
    assert.deepEqual(readdirSync(temporary), []);
  });
}

test('a run that is killed leaves no process and no folder behind', async () => {
  const { path, begun } = endlessTest();
  const { child, temporary, ended } = start([path]);
  await until(join(begun, '..'), () => existsSync(begun));

  child.kill('SIGKILL');

  // Its output closes when everything that inherited it has ended.
  assert.equal((await ended).signal, 'SIGKILL');
  await until(temporary, () => readdirSync(temporary).length === 0);
});
