// What the disk does to a hub on SQLite: while a commit cannot be flushed nobody learns what became of
// it, and sending the same again stores it once, also after a restart that found it in the log.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { startTrace, type Trace } from '@lothub/kit/test/programs/strace';
import { testInLongRun } from '@lothub/kit/test/rounds';
import { boot } from '../boot.ts';
import { startCrashChild, type CrashChild } from './crash-hub.ts';
import { newTestDatabase, type TestDatabase } from '../engine.ts';
import { NO_DAMAGE, findDamage, newRecord, postOnce, readStored, sendEvents } from '../posting.ts';
import type { Sent } from '../posting.ts';

const BATCH = ['flush-1', 'flush-2', 'flush-3'];

let database: TestDatabase;

async function start(): Promise<CrashChild> {
  return await startCrashChild({ database });
}

const LOG = 'lothub.db-wal';

/** From now on these calls on a file of the hub fail. */
function failFile(
  child: CrashChild,
  failing: { readonly file: string; readonly calls: readonly string[]; readonly error: string },
): Promise<Trace> {
  const { file, calls, error } = failing;
  const files = [join(database.dataDir, file)];
  return startTrace({ pids: [child.pid], calls, fail: { error, files } });
}

function failFlushes(child: CrashChild): Promise<Trace> {
  return failFile(child, { file: LOG, calls: ['fsync', 'fdatasync'], error: 'EIO' });
}

function assertUnknown(sent: Sent): void {
  assert.equal(sent.kind, 'unanswered');
  assert.match(sent.because, /may be stored or not/);
  assert.doesNotMatch(sent.because, /nothing was stored/i);
}

for (const [failure, calls, error, play] of [
  ['cannot be flushed', ['fsync', 'fdatasync'], 'EIO', test],
  ['finds no room when it is flushed', ['fsync', 'fdatasync'], 'ENOSPC', testInLongRun],
  ['meets a file that cannot be written any more', ['pwrite64'], 'EROFS', testInLongRun],
] as const) {
  void play(
    `a commit that ${failure} is refused as unknown, and is stored once by sending it again`,
    async () => {
      await using own = await newTestDatabase();
      database = own;
      const child = await start();
      await using _tracing = await failFile(child, { file: LOG, calls, error });
      const refused = await sendEvents(child.base, BATCH);
      await child.end();
      const after = await boot({ database });

      const record = newRecord();
      await postOnce(after.base, BATCH, record);
      await postOnce(after.base, BATCH, record);

      await after.service.close();
      const stored = await readStored(database);
      assertUnknown(refused);
      assert.deepEqual([...record.refused, ...record.unanswered], []);
      assert.deepEqual(
        stored.events.map(({ externalId }) => externalId),
        BATCH,
      );
      assert.deepEqual(findDamage(stored, record), NO_DAMAGE);
    },
  );
}

test('a commit that could not be flushed may be found in the log by a restart', async () => {
  await using own = await newTestDatabase();
  database = own;
  const child = await start();
  await using _tracing = await failFlushes(child);
  await sendEvents(child.base, BATCH);
  await child.end();

  const after = await boot({ database });

  const { events } = await readStored(database);
  await after.service.close();
  assert.equal(events.length, BATCH.length);
});

test('once the disk takes commits again, what was refused as unknown is stored once', async () => {
  await using own = await newTestDatabase();
  database = own;
  const child = await start();
  await using tracing = await failFlushes(child);
  const refused = await sendEvents(child.base, BATCH);
  await tracing.stop();

  const record = newRecord();
  await postOnce(child.base, ['another'], record);
  await postOnce(child.base, BATCH, record);

  await child.end();
  assertUnknown(refused);
  assert.deepEqual(record.refused, []);
  const stored = await readStored(database);
  assert.equal(stored.events.length, 1 + BATCH.length);
  assert.deepEqual(findDamage(stored, record), NO_DAMAGE);
});

test('events whose group is on disk are acknowledged though the tip record cannot be written', async () => {
  await using own = await newTestDatabase();
  database = own;
  const child = await start();
  await using _tracing = await failFile(child, {
    file: 'tip.json',
    calls: ['pwrite64', 'write'],
    error: 'EIO',
  });
  const record = newRecord();

  await Promise.all(BATCH.map((id) => postOnce(child.base, [id], record)));

  await child.end();
  assert.deepEqual([...record.refused, ...record.unanswered], []);
  const stored = await readStored(database);
  assert.equal(stored.events.length, BATCH.length);
  assert.deepEqual(findDamage(stored, record), NO_DAMAGE);
});
