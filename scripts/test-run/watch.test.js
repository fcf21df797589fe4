// npm run test:watch in a repository of three files: it runs what concerns a change, and what failed
// again with the next one.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

const WATCH = new URL('./watch.js', import.meta.url).href;

/** Watches this repository with the tests in the environment of this one. */
function program(root) {
  return `
    import { watchTests } from ${JSON.stringify(WATCH)};
    const workplace = { buildEnvironment: () => process.env };
    const root = ${JSON.stringify(root)};
    process.exitCode = await watchTests({ root, engine: 'sqlite', workplace, atOnce: 1 });
  `;
}

function buildTest(path) {
  return `
    import assert from 'node:assert';
    import { test } from 'node:test';
    import { one } from '${path}';
    test('one', () => assert.equal(one, 1));
  `;
}

test('a change runs the tests that reach the file, and what failed runs again', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'lothub-watch-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  for (const folder of ['bench', 'host', 'packages', 'scripts', 'services', 'tidy']) {
    mkdirSync(join(root, folder));
  }
  const write = (path, text) => writeFileSync(join(root, path), text);
  write('package.json', '{"type":"module"}');
  write('scripts/a.js', 'export const one = 1;');
  write('scripts/b.js', 'export const one = 1;');
  write('scripts/a.test.js', buildTest('./a.js'));
  write('scripts/b.test.js', buildTest('./b.js'));
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program(root)], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece) => (text += piece));
  /** What was printed from here until it ends like this. */
  const printed = async (ends, act) => {
    const from = text.length;
    act();
    while (!ends.test(text.slice(from))) await once(child.stdout, 'data');
    return text.slice(from);
  };

  await printed(/Watching/, () => undefined);
  const broken = await printed(/Failed/, () => write('scripts/a.js', 'export const one = 2;'));
  const mended = await printed(/All passed/, () => write('scripts/a.js', 'export const one = 1;'));
  child.kill('SIGINT');
  const [code] = await ended;

  assert.match(broken, /✖ scripts\/a\.test\.js/);
  assert.match(mended, /✔ scripts\/a\.test\.js/);
  assert.doesNotMatch(text, /b\.test\.js/);
  assert.equal(code, 130);
});
