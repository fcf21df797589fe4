// That test files which share a process are kept apart, that whatever goes wrong in one is a failure of
// that one, and that a run which ends leaves no process behind.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { Pool } from './pool.js';

let folder;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'lothub-pool-'));
});
after(() => {
  rmSync(folder, { recursive: true, force: true });
});

let fileCount = 0;

/** A test file of this text, as a task. */
function fileTask(text, { isAlone = false, isOnlyAdded = false } = {}) {
  const file = join(folder, `${(fileCount += 1)}.test.mjs`);
  const imports =
    "import assert from 'node:assert/strict';\nimport { after, test } from 'node:test';\n";
  writeFileSync(file, `${imports}${text}`);
  return { kind: 'file', file, engine: 'sqlite', isAlone, isOnlyAdded };
}

/** Runs tasks one after the other; answers their results in that order. */
async function run(
  tasks,
  { environment = {}, nodeOptions = [], leftOpenMaxMs, pool, ...options } = {},
) {
  const results = [];
  const buildEnvironment = () => ({ ...process.env, ...environment });
  await (pool ?? new Pool({ buildEnvironment, nodeOptions, leftOpenMaxMs })).run({
    tasks,
    atOnce: 1,
    onResult: (result) => results.push(result),
    ...options,
  });
  return results;
}

const REPORTS_PROCESS = "test('one', (t) => t.diagnostic(`process ${process.pid}`));";
const readProcess = ({ output }) => /process (\d+)/.exec(output)?.[1];

test('files share a process, and one that is alone has its own', async () => {
  const results = await run([
    fileTask(REPORTS_PROCESS),
    fileTask(REPORTS_PROCESS, { isAlone: true }),
    fileTask(REPORTS_PROCESS),
  ]);

  const [first, alone, last] = results.map(readProcess);
  assert.ok(first !== undefined && alone !== undefined);
  assert.equal(last, first);
  assert.notEqual(alone, first);
});

test('while a file waits and processors idle, the next one runs beside it', async () => {
  const written = join(folder, 'written');
  const [path, ms] = [JSON.stringify(written), 5];
  const results = await run(
    [
      fileTask(`
        import { existsSync } from 'node:fs';
        import { setTimeout as sleep } from 'node:timers/promises';
        test('waits for the other', async () => { while (!existsSync(${path})) await sleep(${ms}); });`),
      fileTask(`
        import { writeFileSync } from 'node:fs';
        test('is waited for', () => writeFileSync(${path}, ''));`),
    ],
    { atOnceMax: 2, idleProcessors: () => 1 },
  );

  assert.deepEqual(
    results.map(({ isPassed }) => isPassed),
    [true, true],
  );
  assert.ok(results.some(({ output }) => /waits for the other/.test(output)));
});

test('each file is reported with its own tests, hooks and output', async () => {
  const [failed, passed] = await run([
    fileTask(
      "console.log('of the first');\ntest('one', () => assert.equal(1, 2));\ntest('two', () => {});",
    ),
    fileTask("after(() => console.error('after the second'));\ntest('three', () => {});"),
  ]);

  assert.deepEqual([failed.isPassed, failed.tests], [false, 2]);
  assert.match(failed.output, /✖ one[^]*✔ two[^]*of the first/);
  assert.deepEqual([passed.isPassed, passed.tests], [true, 1]);
  assert.match(passed.output, /✔ three[^]*after the second/);
  assert.doesNotMatch(passed.output, /first/);
});

test('a file that cannot be loaded fails with the reason', async () => {
  const [result] = await run([fileTask("import './absent.js';")]);

  assert.equal(result.isPassed, false);
  assert.match(result.output, /Cannot find module/);
});

test('a file that fails between its tests fails with the reason, and the rest of it is missed', async () => {
  const [failed, passed] = await run([
    fileTask("test('one', () => {});\nthrow new Error('half-way');\ntest('two', () => {});"),
    fileTask("test('three', () => {});"),
  ]);

  assert.equal(failed.isPassed, false);
  assert.match(failed.output, /half-way/);
  assert.equal(passed.isPassed, true);
});

test('a file that changes the environment for the next one fails', async () => {
  const changing = "test('one', () => { process.env.OF_ONE_FILE = '1'; });";

  const [result] = await run([fileTask(changing)]);

  assert.equal(result.isPassed, false);
  assert.match(result.output, /leaves its process changed: environment variable OF_ONE_FILE/);
});

test('a file that leaves a listener on a signal fails', async () => {
  const [result] = await run([
    fileTask("test('one', () => { process.on('SIGTERM', () => {}); });"),
  ]);

  assert.equal(result.isPassed, false);
  assert.match(result.output, /1 listeners of "SIGTERM" instead of 0/);
});

test('a file that ends its process fails, and the next one gets a new process', async () => {
  const [ended, next] = await run([
    fileTask("console.log('last words');\ntest('ends it', () => process.exit(3));"),
    fileTask("test('two', () => {});"),
  ]);

  assert.equal(ended.isPassed, false);
  assert.match(ended.output, /last words[^]*The process ended with exit code 3 in: ends it/);
  assert.equal(next.isPassed, true);
});

test('an error after the end of its test fails the file', async () => {
  const late = "test('one', () => { setTimeout(() => { throw new Error('too late'); }, 5); });";

  const [result] = await run([fileTask(late)]);

  assert.equal(result.isPassed, false);
  assert.match(result.output, /too late/);
});

test('an error that nothing catches is named, and its file does not wait for what it prevented', async () => {
  const stray = `
    import { setTimeout as sleep } from 'node:timers/promises';
    test('one', async () => {
      await sleep(1);
      setTimeout(() => { throw new Error('nowhere caught'); }, 1);
      await new Promise(() => setInterval(() => {}, 1000));
    });`;

  const [failed, next] = await run([fileTask(stray), fileTask("test('two', () => {});")]);

  assert.equal(failed.isPassed, false);
  assert.match(failed.output, /goes on 5 s after an error[^]*nowhere caught[^]* at /);
  assert.equal(next.isPassed, true);
});

const LEAVING_OPEN = `
  import { createServer } from 'node:net';
  import { before, describe } from 'node:test';
  const open = () => createServer().listen(0, '127.0.0.1');`;

test('a file whose before fails half-way ends soon, with the reason of each test and what is open', async () => {
  const [failed, next] = await run(
    [
      fileTask(`${LEAVING_OPEN}
        before(() => { open(); throw new Error('no database'); });
        test('one', () => {});
        describe('some', () => { test('two', () => {}); });`),
      fileTask("test('three', () => {});"),
    ],
    { leftOpenMaxMs: 200 },
  );

  assert.equal(failed.isPassed, false);
  assert.match(failed.output, /✖ one[^]*no database/);
  assert.match(failed.output, /ended, and 0\.2 s later .* still open \(.*TCPServerWrap.*\)/);
  assert.equal(next.isPassed, true);
});

test('a file whose tests pass and that leaves something open fails, and nothing of it stays', async () => {
  const [left, next] = await run(
    [
      fileTask(`${LEAVING_OPEN}
        describe('some', () => { before(() => void open()); test('one', () => {}); });`),
      fileTask(
        "test('two', () => assert.ok(!process.getActiveResourcesInfo().includes('TCPServerWrap')));",
      ),
    ],
    { leftOpenMaxMs: 200 },
  );

  assert.equal(left.isPassed, false);
  assert.match(left.output, /✔ one[^]*still open/);
  assert.equal(next.isPassed, true);
});

test('what a file closes after its last test may take longer than one test of another', async () => {
  const closing = `
    import { setTimeout as sleep } from 'node:timers/promises';
    test('one', () => sleep(300));
    test('two', () => {});
    after(() => sleep(100));`;

  const [result] = await run([fileTask(closing)], { leftOpenMaxMs: 200 });

  assert.deepEqual([result.isPassed, result.tests], [true, 2]);
});

test('of a file to which tests are added only those run where they are wanted, and then all of the next', async () => {
  const text = `
    import { describe } from 'node:test';
    const added = process.env.LOTHUB_TEST_ONLY_ADDED === '1' ? { only: true } : {};
    ${REPORTS_PROCESS.replace("'one'", "'one', added")}
    test('plain', () => {});
    test('added', added, () => {});
    describe('inside', () => { test('too', added, () => {}); test('not', () => {}); });`;

  const [added, all] = await run([fileTask(text, { isOnlyAdded: true }), fileTask(text)]);

  assert.deepEqual([added.isPassed, added.tests], [true, 3]);
  assert.deepEqual([all.isPassed, all.tests], [true, 5]);
  assert.equal(readProcess(added), readProcess(all));
});

test('options of Node narrow the tests that run', async () => {
  const [result] = await run([fileTask("test('red', () => {});\ntest('blue', () => {});")], {
    nodeOptions: ['--test-name-pattern=blue'],
  });

  assert.deepEqual([result.isPassed, result.tests], [true, 1]);
});

test('an option that Node does not know fails with what Node says', async () => {
  const [result] = await run([fileTask('')], { nodeOptions: ['--no-such-option'] });

  assert.equal(result.isPassed, false);
  assert.match(result.output, /bad option: --no-such-option/);
});

test('a check passes by its exit code and is reported with all that it wrote', async () => {
  const check = (name, program) => ({ kind: 'command', name, args: ['--eval', program] });

  const [good, bad] = await run([
    check('good', "console.log('fine')"),
    check('bad', "console.error('broken'); process.exitCode = 1"),
  ]);

  assert.deepEqual([good.isPassed, good.output], [true, 'fine\n']);
  assert.deepEqual([bad.isPassed, bad.output], [false, 'broken\n']);
});

test('a pool that is stopped kills what runs, with the processes that a test started', async (t) => {
  const pool = new Pool({ buildEnvironment: () => process.env });
  const server = createServer().listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  // Of the process that the test starts one end of a connection is left when it dies.
  const program = `require('node:net').connect(${server.address().port}, '127.0.0.1')`;
  const starting = `
    import { spawn } from 'node:child_process';
    test('one', async () => {
      spawn(process.execPath, ['--eval', ${JSON.stringify(program)}]);
      await new Promise(() => setInterval(() => {}, 1000));
    });`;

  const running = run([fileTask(starting)], { pool });
  const [connection] = await once(server, 'connection');
  const closed = new Promise((resolve) => connection.once('close', resolve));
  connection.on('error', () => undefined).resume();
  pool.stop();
  const results = await running;
  await closed;

  assert.deepEqual(results, []);
});
