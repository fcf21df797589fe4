// Replacing the key of a log while services run, and commands that are killed in the middle.
import assert from 'node:assert/strict';
import { cp, readFile, rm } from 'node:fs/promises';
import { test } from 'node:test';
import { testInLongRun } from '@lothub/kit/test/rounds';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseCheckpoint, parseVkey } from '@lothub/chain/log';
import { PATIENCE_MS } from '@lothub/kit/test/patience';
import { logKeyFile } from '../../src/ledger/log/log-key.ts';
import { nextKeyFile } from '../../src/ledger/log/epochs/own-keys.ts';
import { anEvent, boot, bootSecond, valueAt, type Booted } from '../boot.ts';
import { awaitEnd, runCli, serveCli, startCli } from '../cli/run.ts';
import { testEngine } from '../engine.ts';

const POLL_MS = 20;

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await isSo())) {
    assert.ok(performance.now() < deadline, `it never was so: ${what}`);
    await sleep(POLL_MS);
  }
}

async function readVkeys(hub: Booted): Promise<readonly string[]> {
  return (await hub.call('/log/1/vkeys')).text.trimEnd().split('\n');
}

async function readSigners(hub: Booted): Promise<readonly string[]> {
  const { text } = await hub.call('/log/1/checkpoint/latest');
  return parseCheckpoint(text).signatures.map(({ keyId }) => keyId);
}

async function readLogState(hub: Booted): Promise<unknown> {
  const answer = await hub.post('/v1/events', anEvent());
  assert.equal(answer.status, 201, answer.text);
  return valueAt(answer.json, 'log_state') ?? 'signing';
}

test('a running hub signs with both keys for a time, then with the new one, and keeps the old one’s name', async () => {
  await using hub = await boot();
  const { env } = hub.database;
  const [oldVkey = ''] = await readVkeys(hub);
  const tooEarly = await runCli(['log', 'rotate-key', '--finish', '--json'], env);

  const begun = await runCli(['log', 'rotate-key', '--json'], env);

  assert.deepEqual(
    [tooEarly.code, valueAt(tooEarly.json, 'error', 'code')],
    [1, 'rotation_not_open'],
  );
  assert.equal(begun.code, 0, begun.stdout);
  await until('two keys sign', async () => (await readSigners(hub)).length === 2);
  const [newVkey = '', second] = await readVkeys(hub);
  assert.deepEqual([valueAt(begun.json, 'vkeys', 0), second], [newVkey, oldVkey]);
  const ids = [newVkey, oldVkey].map((vkey) => parseVkey(vkey).keyId);
  assert.deepEqual(await readSigners(hub), ids);
  assert.equal(await readLogState(hub), 'signing');
  assert.deepEqual(await readSigners(hub), ids);
  const twice = await runCli(['log', 'rotate-key', '--json'], env);
  assert.deepEqual([twice.code, valueAt(twice.json, 'error', 'code')], [1, 'rotation_open']);

  const finished = await runCli(['log', 'rotate-key', '--finish', '--json'], env);

  assert.equal(finished.code, 0, finished.stdout);
  await until('one key signs', async () => (await readSigners(hub)).length === 1);
  assert.deepEqual(await readVkeys(hub), [newVkey]);
  assert.equal(await readLogState(hub), 'signing');
  const shown = await runCli(['log', '--json'], env);
  assert.deepEqual(valueAt(shown.json, 'logs', 0, 'retired_vkeys'), [oldVkey]);
  await using again = await hub.restart();
  assert.deepEqual(await readSigners(again), [ids[0]]);
  // The new key has the place of the old one, whose file is gone.
  assert.match(await readFile(logKeyFile(hub.dataDir), 'utf8'), new RegExp(`\\+${ids[0]}\\+`));
});

// One process serves SQLite.
if (testEngine !== 'sqlite') {
  test('a process that lacks the next key goes on with the old one, signs nothing behind it, and does not start', async () => {
    await using hub = await boot();
    const { env, dataDir } = hub.database;
    const lonelyKey = `${logKeyFile(dataDir)}.lonely`;
    await cp(logKeyFile(dataDir), lonelyKey);
    await using lonely = await bootSecond(hub, { LOG_KEY_FILE: lonelyKey });
    await runCli(['log', 'rotate-key'], env);
    await until('two keys sign', async () => (await readSigners(hub)).length === 2);

    assert.equal(await readLogState(lonely), 'signing');
    assert.equal((await readSigners(lonely)).length, 1);
    await assert.rejects(
      bootSecond(hub, { LOG_KEY_FILE: lonelyKey }),
      /put that key in place \(LOG_KEY_FILE/,
    );
    await runCli(['log', 'rotate-key', '--finish'], env);
    await until('it signs nothing', async () => (await readLogState(lonely)) === 'held');
    assert.equal(await readLogState(hub), 'signing');
    // It continues when the key is put beside the old one, without a restart.
    await cp(logKeyFile(dataDir), nextKeyFile(lonelyKey));
    await until('it signs again', async () => (await readLogState(lonely)) === 'signing');
  });
}

test('a log is not ended while the hub is served', async () => {
  await using hub = await boot();
  const { env } = hub.database;
  await hub.service.close();
  await using served = await serveCli({ ...env, TENANT_API_KEY: 'a-key-of-enough-characters' });

  const refused = await runCli(['log', 'new-epoch', '--reason', 'key_stolen', '--json'], env);

  assert.deepEqual([refused.code, valueAt(refused.json, 'error', 'code')], [1, 'hub_in_use']);
  served.child.kill('SIGTERM');
  assert.equal(await served.ended, 0);
  const done = await runCli(['log', 'new-epoch', '--reason', 'key_stolen', '--json'], env);
  assert.equal(done.code, 0, done.stdout);
});

for (const point of ['key made', 'statement stored', 'key in place'] as const) {
  const play = point === 'statement stored' ? test : testInLongRun;
  void play(
    `new-epoch that is killed with the ${point} is finished by the next run, and by a start`,
    async () => {
      await using hub = await boot();
      const { env, dataDir } = hub.database;
      assert.equal(await readLogState(hub), 'signing');
      await hub.service.close();
      const preload = new URL('./kill-near-rename.ts', import.meta.url).href;
      const args = ['log', 'new-epoch', '--reason', 'key_stolen', '--json'];
      const killed = await awaitEnd(
        startCli(args, { ...env, NODE_OPTIONS: `--import=${preload}`, TEST_KILL_AT: point }),
      );
      assert.equal(killed, 'SIGKILL');

      const done = await runCli(args, env);

      assert.equal(done.code, 0, done.stdout);
      assert.equal(valueAt(done.json, 'epoch'), 2);
      assert.equal(valueAt(done.json, 'finished_earlier_run'), point !== 'key made');
      await assert.rejects(readFile(nextKeyFile(logKeyFile(dataDir))), /ENOENT/);
      await using again = await boot({ database: hub.database });
      const note = parseCheckpoint((await again.call('/log/2/checkpoint/latest')).text);
      assert.equal(note.origin, valueAt(done.json, 'vkey')?.toString().split('+')[0]);
      assert.equal(await readLogState(again), 'signing');
      const verified = await runCli(['verify', '--json'], env);
      assert.equal(verified.code, 0, verified.stdout);
    },
  );
}

test('a service that starts behind a killed new-epoch signs as the new log', async () => {
  await using hub = await boot();
  const { env } = hub.database;
  assert.equal(await readLogState(hub), 'signing');
  await hub.service.close();
  const preload = new URL('./kill-near-rename.ts', import.meta.url).href;
  await awaitEnd(
    startCli(['log', 'new-epoch', '--reason', 'key_stolen'], {
      ...env,
      NODE_OPTIONS: `--import=${preload}`,
      TEST_KILL_AT: 'statement stored',
    }),
  );

  await using again = await boot({ database: hub.database });

  assert.equal(await readLogState(again), 'signing');
  assert.equal((await again.call('/log/2/checkpoint/latest')).status, 200);
  const list = await again.call('/log/epochs');
  assert.match(list.text, /^=== 2\nlothub\/epoch\/1\n/);
});

test('a key that was made and signs nothing yet is taken by the next rotate-key', async () => {
  await using hub = await boot();
  const { env, dataDir } = hub.database;
  const preload = new URL('./kill-near-rename.ts', import.meta.url).href;
  const killed = await awaitEnd(
    startCli(['log', 'rotate-key'], {
      ...env,
      NODE_OPTIONS: `--import=${preload}`,
      TEST_KILL_AT: 'key made',
    }),
  );
  assert.equal(killed, 'SIGKILL');
  const made = await readFile(nextKeyFile(logKeyFile(dataDir)), 'utf8');

  const begun = await runCli(['log', 'rotate-key', '--json'], env);

  assert.equal(begun.code, 0, begun.stdout);
  const vkey = String(valueAt(begun.json, 'vkeys', 0));
  assert.ok(made.includes(`+${parseVkey(vkey).keyId}+`));
  await rm(nextKeyFile(logKeyFile(dataDir)));
  const finished = await runCli(['log', 'rotate-key', '--finish', '--json'], env);
  assert.deepEqual(
    [finished.code, valueAt(finished.json, 'error', 'code')],
    [1, 'log_key_missing'],
  );
});
