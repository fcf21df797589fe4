// A process of both services whose hub is upgraded: the notifications do not wait for it.
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { TestProgram, awaitEnd, testFolder } from '@lothub/kit/test/cli-run';
import { holdStatement } from '@lothub/kit/test/held-statement-names';
import { freePort } from '@lothub/kit/test/free-port';

const PROGRAM = new TestProgram(fileURLToPath(new URL('../bin/lothub.ts', import.meta.url)));

const GROUP_KEY = 'test-group-key-0123456789abcdef0123456789';
const METRICS_TOKEN = 'test-metrics-token-0123456789abcdef';
const SETTINGS = {
  METRICS_TOKEN,
  NOTIFICATIONS_OWNER_EMAIL: 'owner@example.com',
  NOTIFICATIONS_OWNER_PASSWORD: 'correct horse battery staple',
  NOTIFICATIONS_API_KEY: GROUP_KEY,
};
/** Of the rows of blocks that are made anew. */
const REBUILDING = 'delete from import_keys';

test('while its hub is upgraded, a process takes posts of notifications and ends in order', async () => {
  await using folder = await testFolder();
  const settings = { ...SETTINGS, DATA_DIR: folder.path };
  {
    await using first = await PROGRAM.serve(settings);
    first.child.kill('SIGTERM');
    await first.ended;
  }
  {
    using database = new DatabaseSync(folder.file('lothub.db'));
    database.exec('update head set derived_version = 1');
  }
  const held = await holdStatement(folder.file('held'), REBUILDING);
  const port = await freePort();
  const child = PROGRAM.start(['serve'], { ...settings, ...held.env, PORT: String(port) });
  const ended = awaitEnd(child);
  const base = `http://127.0.0.1:${port}`;
  await held.reached();

  const posted = await fetch(`${base}/api/v1/ingest`, {
    method: 'POST',
    headers: { 'X-Api-Key': GROUP_KEY, 'Content-Type': 'application/json' },
    body: JSON.stringify({ title: 'Oven 3 is too hot' }),
  });
  const ready = await fetch(`${base}/ready`);
  const readyToPost = await fetch(`${base}/api/v1/ready`);
  const lot = await fetch(`${base}/public/verify/FLOUR-1`);
  const metrics = await fetch(`${base}/metrics`, {
    headers: { Authorization: `Bearer ${METRICS_TOKEN}` },
  });
  child.kill('SIGTERM');

  assert.deepEqual(
    [posted.status, ready.status, readyToPost.status, lot.status, metrics.status],
    [201, 503, 200, 503, 200],
  );
  assert.equal(await ended, 0);
});
