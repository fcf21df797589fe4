// What lies between npm and a program: exit codes come back, signals go on, and whoever is killed
// in the chain npm, script, program, the program does not stay behind.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';

/** Longer than any of these takes, so that a program left behind is a failure and not a hang. */
const PATIENCE_MS = 300_000;

const RUN = new URL('./run.js', import.meta.url).href;

/** A script as start.js is one, around a program given as source. */
function scriptAround(program) {
  return `
    import { exitWith, runNode } from ${JSON.stringify(RUN)};
    await exitWith(() => runNode(process.execPath, ['--eval', ${JSON.stringify(program)}]));
  `;
}

/** A stand-in for npm: starts the script, prints its process id, waits for it. */
function npmAround(script) {
  return `
    import { spawn } from 'node:child_process';
    spawn(process.execPath, ['--input-type=module', '--eval', ${JSON.stringify(script)}], {
      stdio: 'inherit',
      env: { ...process.env, npm_lifecycle_event: 'start' },
    });
  `;
}

/** Says that it is up, then runs until asked to stop, which it acknowledges with code 7. */
const SERVICE = `
  const alive = setInterval(() => {}, 1000);
  process.on('SIGTERM', () => { console.log('stopping'); process.exit(7); });
  console.log('up');
`;

/**
 * Runs the source and waits for "up" when asked to. stdout closes only when every process that
 * inherited it has ended: that is how a test sees that nothing stayed behind.
 */
function start(t, source) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: PATIENCE_MS,
  });
  t.after(() => child.kill('SIGKILL'));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    child,
    nextLine: async () => (await lines.next()).value,
    exit: once(child, 'exit').then(([code]) => code),
  };
}

test(
  'the exit code of the program is the exit code of the script',
  { timeout: PATIENCE_MS },
  async (t) => {
    const script = start(t, scriptAround('process.exit(42)'));

    const code = await script.exit;

    assert.equal(code, 42);
  },
);

test(
  'a program killed by a signal is reported as shells do, as 128 plus its number',
  { timeout: PATIENCE_MS },
  async (t) => {
    const script = start(t, scriptAround("process.kill(process.pid, 'SIGKILL')"));

    const code = await script.exit;

    assert.equal(code, 128 + 9);
  },
);

test(
  'SIGTERM goes on to the program, which stops in its own way',
  { timeout: PATIENCE_MS },
  async (t) => {
    const script = start(t, scriptAround(SERVICE));
    assert.equal(await script.nextLine(), 'up');

    script.child.kill('SIGTERM');

    assert.equal(await script.nextLine(), 'stopping');
    assert.equal(await script.exit, 7);
  },
);

test('a script that is killed takes its program along', { timeout: PATIENCE_MS }, async (t) => {
  const script = start(t, scriptAround(SERVICE));
  assert.equal(await script.nextLine(), 'up');

  script.child.kill('SIGKILL');

  assert.equal(await script.nextLine(), 'stopping');
  assert.equal(await script.nextLine(), undefined);
});

test(
  'an npm that is killed takes the script and its program along',
  { timeout: PATIENCE_MS },
  async (t) => {
    const npm = start(t, npmAround(scriptAround(SERVICE)));
    assert.equal(await npm.nextLine(), 'up');

    npm.child.kill('SIGKILL');

    assert.equal(await npm.nextLine(), 'stopping');
    assert.equal(await npm.nextLine(), undefined);
  },
);

test(
  'a program that has nothing left to do ends by itself',
  { timeout: PATIENCE_MS },
  async (t) => {
    const script = start(t, scriptAround("console.log('done')"));

    assert.equal(await script.nextLine(), 'done');
    assert.equal(await script.exit, 0);
  },
);
