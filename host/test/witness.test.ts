// `lothub witness` as a command: what it prints, what it refuses, how it ends, and what it serves.
import assert from 'node:assert/strict';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { TestProgram, awaitEnd, captureRun, testFolder } from '@lothub/kit/test/cli-run';
import type { TestFolder } from '@lothub/kit/test/cli-run';
import { tableLog } from '@lothub/witness/test/request-table';
import { formatList } from '@lothub/witness/test/test-log';
import { runLothub } from '../src/program.ts';

const PROGRAM = new TestProgram(fileURLToPath(new URL('../bin/lothub.ts', import.meta.url)));

async function settingsIn(folder: TestFolder): Promise<Record<string, string>> {
  const listFile = folder.file('logs.txt');
  await writeFile(listFile, formatList([tableLog.entry]));
  return { DATA_DIR: folder.path, WITNESS_LOGS: listFile, PORT: '0' };
}

test('a witness prints its key for the policy of logs, cosigns, and stops in order', async () => {
  await using folder = await testFolder();
  const settings = {
    ...(await settingsIn(folder)),
    PUBLIC_URL: 'https://witness.example.org',
  };
  await using served = await PROGRAM.serve(settings, [], { command: 'witness' });

  const line = /^ {2}witness NAME (witness\.example\.org\/witness\+\S+) (\S+)$/m.exec(
    served.stdout(),
  );
  assert.equal(line?.[2], 'https://witness.example.org/witness');
  const body = tableLog.request(0, 5);
  const answer = await fetch(`${served.base}/witness/add-checkpoint`, { method: 'POST', body });
  const health = (await (await fetch(`${served.base}/health`)).json()) as Record<string, unknown>;
  served.child.kill('SIGTERM');

  assert.equal(answer.status, 200);
  assert.deepEqual(
    { ...health },
    { status: 'ok', name: 'witness.example.org/witness', vkey: line?.[1], logs: 1 },
  );
  assert.equal(await served.ended, 0);
});

test('a witness without an address is called by random digits, and by its name when it has one', async () => {
  for (const [more, name] of [
    [{}, /^lothub-[0-9a-f]{16}\/witness$/],
    [{ WITNESS_NAME: 'w.example.net/a' }, /^w\.example\.net\/a$/],
  ] as const) {
    await using folder = await testFolder();
    await using served = await PROGRAM.serve(
      { ...(await settingsIn(folder)), ...more },
      ['--json'],
      { command: 'witness' },
    );

    const started = JSON.parse(served.stdout().split('\n', 1)[0] ?? '') as Record<string, unknown>;

    assert.equal(started['ok'], true);
    assert.match(String(started['name']), name);
    assert.equal(started['logs'], 1);
  }
});

test('a witness without a list, or with a broken one, says what to do', async () => {
  await using folder = await testFolder();
  const settings = await settingsIn(folder);

  const missing = await captureRun((terminal) => runLothub(['witness', '--json'], terminal), {
    DATA_DIR: folder.path,
  });
  await writeFile(settings['WITNESS_LOGS']!, 'nothing');
  const broken = await captureRun((terminal) => runLothub(['witness'], terminal), settings);

  assert.deepEqual([missing.code, broken.code], [2, 1]);
  assert.match(missing.stderr, /WITNESS_LOGS is missing/);
  assert.match(broken.stderr, /reading the list of logs in .*: line 1 must be logs\/v0;/);
});

test('the help of the witness has an example', async () => {
  const { code, stdout } = await captureRun((terminal) =>
    runLothub(['witness', '--help'], terminal),
  );

  assert.equal(code, 0);
  assert.match(stdout, /Example:\n {2}WITNESS_LOGS=/);
});

test('a key whose state is lost keeps the process from starting, unless a new one is asked for', async () => {
  await using folder = await testFolder();
  const settings = await settingsIn(folder);
  {
    await using _served = await PROGRAM.serve(settings, [], { command: 'witness' });
  }
  for (const name of await readdir(folder.path)) {
    if (name.startsWith('witness.db')) await rm(folder.file(name));
  }

  const child = PROGRAM.start(['witness'], settings);
  let errorText = '';
  child.stderr.on('data', (chunk) => (errorText += String(chunk)));
  assert.equal(await awaitEnd(child), 1);
  assert.match(errorText, /nobody knows what was cosigned under this key/);

  await using renewed = await PROGRAM.serve(settings, ['--new'], { command: 'witness' });
  assert.match(renewed.stdout(), /witness NAME lothub-/);
});
