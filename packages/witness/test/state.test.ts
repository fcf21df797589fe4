// The key and the state of a witness belong together: neither is used without the other.
import assert from 'node:assert/strict';
import { readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { NoteKey } from '@lothub/note-key';
import { WITNESS_KEY_TYPE } from '@lothub/chain/log';
import { testFolder } from '@lothub/kit/test/cli-run';
import { tableLog } from './request-table.ts';
import { serveWitness } from './served-witness.ts';

const STATE_FILES = /^witness\.db/;

test('the first start makes key and state, and the next ones use them', async () => {
  await using folder = await testFolder();
  const first = await startedVkey(folder.path);

  const second = await startedVkey(folder.path);

  assert.equal(second, first);
  assert.equal((await stat(folder.file('witness.key'))).mode & 0o777, 0o600);
});

test('a key whose state is lost is refused, and stays refused', async () => {
  await using folder = await testFolder();
  const vkey = await startedVkey(folder.path);
  await removeState(folder.path);

  for (let start = 0; start < 2; start += 1) {
    await assert.rejects(serveWitness(folder.path), { code: 'state_lost', message: /--new/ });
  }

  const renewed = await startedVkey(folder.path, { mayRenew: true });
  assert.notEqual(renewed, vkey);
  const kept = (await readdir(folder.path)).filter((name) =>
    /^witness\.key\.[0-9a-f]{8}$/.test(name),
  );
  assert.equal(kept.length, 1);
  assert.equal(await startedVkey(folder.path), renewed);
});

test('an empty file in place of the state is a lost one', async () => {
  await using folder = await testFolder();
  await startedVkey(folder.path);
  await removeState(folder.path);
  await writeFile(folder.file('witness.db'), '');

  await assert.rejects(serveWitness(folder.path), { code: 'state_lost' });
});

test('a state whose key is lost is refused; a new key goes on from the same trees', async () => {
  await using folder = await testFolder();
  {
    await using served = await serveWitness(folder.path, { entries: [tableLog.entry] });
    assert.equal((await served.post(tableLog.request(0, 5))).status, 200);
  }
  await rm(folder.file('witness.key'));

  await assert.rejects(serveWitness(folder.path), { code: 'key_lost' });

  await using renewed = await serveWitness(folder.path, { mayRenew: true });
  assert.equal((await renewed.post(tableLog.request(0, 5))).text, '5\n');
});

test('another key is refused, also one of the same name', async () => {
  await using folder = await testFolder();
  await startedVkey(folder.path);
  const { line } = new NoteKey({
    name: 'witness.example.org/witness',
    type: WITNESS_KEY_TYPE,
    seed: new Uint8Array(32),
  });
  await writeFile(folder.file('witness.key'), line);

  await assert.rejects(serveWitness(folder.path), { code: 'key_differs' });
});

test('a new key is not made while the old one and its state are sound', async () => {
  await using folder = await testFolder();
  await startedVkey(folder.path);
  const before = await readFile(folder.file('witness.key'), 'utf8');

  await assert.rejects(serveWitness(folder.path, { mayRenew: true }), { code: 'key_sound' });

  assert.equal(await readFile(folder.file('witness.key'), 'utf8'), before);
});

test('two processes cannot have one state', async () => {
  await using folder = await testFolder();
  await using _served = await serveWitness(folder.path, { entries: [] });

  await assert.rejects(serveWitness(folder.path), { code: 'hub_in_use' });
});

async function startedVkey(dataDir: string, options: { mayRenew?: boolean } = {}): Promise<string> {
  await using served = await serveWitness(dataDir, { entries: [], ...options });
  return served.witness.key.vkey;
}

async function removeState(dataDir: string): Promise<void> {
  const names = (await readdir(dataDir)).filter((name) => STATE_FILES.test(name));
  assert.notEqual(names.length, 0);
  for (const name of names) await rm(`${dataDir}/${name}`);
}
