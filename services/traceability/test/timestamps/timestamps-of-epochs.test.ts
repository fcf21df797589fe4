// Time stamps of a log that has ended: the evidence under them is of that log, as far as the log that continues
// shares the stamped tree.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { openOperated } from '../../src/ledger/operate/open-operated.ts';
import type { LogTimestampRow } from '../../src/ledger/tables/log.ts';
import { insertTimeStamp } from '../../src/timestamps/stored.ts';
import { boot, valueAt, type Booted } from '../boot.ts';
import { runCli, testFolder } from '../cli/run.ts';
import { makeCopy } from '../log/older-copy.ts';
import { ask, readLine, post } from '../log/readers.ts';

type Env = Readonly<Record<string, string>>;

/** A time stamp on the newest checkpoint, whose reply nobody verifies here. */
async function readStamp(hub: Booted, epoch: number): Promise<LogTimestampRow> {
  const note = (await hub.call(`/log/${epoch}/checkpoint`)).text;
  const size = Number(note.split('\n')[1]);
  const stamped_at = `2026-03-0${epoch}T00:00:00.000Z`;
  return { epoch, size, note, reply: Buffer.of(0x30, 0), service: 'tsa.test', stamped_at };
}

async function keep(stamp: LogTimestampRow, { dataDir }: Booted, env: Env): Promise<void> {
  await using database = await openOperated({ dataDir, databaseUrl: env['DATABASE_URL'] });
  await database.write([insertTimeStamp(stamp)]);
}

async function evidence(hub: Booted, lot: string): Promise<unknown> {
  const { json } = await hub.call(`/public/verify/${lot}/evidence?timestamp=true`);
  return valueAt(json, 'origin');
}

test('the oldest time stamp counts, of whichever log that still has the whole stamped tree', async () => {
  await using folder = await testFolder();
  const first = await boot();
  const { database } = first;
  await post(first, 1);
  await keep(await readStamp(first, 1), first, database.env);
  const oldVkey = await readLine(first, '/log/1/vkeys');
  await first.service.close();
  const older = await makeCopy(database);
  const before = await boot({ database });
  await post(before, 2);
  await before.service.close();
  const env = await older.putBack();
  const begun = await runCli(['log', 'new-epoch', '--reason', 'restore', '--json'], env);
  assert.equal(begun.code, 0, begun.stdout);
  await using hub = await boot({ database, env });
  await post(hub, 3);
  await keep(await readStamp(hub, 2), hub, env);

  const origins = [await evidence(hub, 'LOT-1'), await evidence(hub, 'LOT-3')];
  const page = (await hub.call('/lot/LOT-1')).text;

  assert.deepEqual(origins, [
    String(valueAt(begun.json, 'old')),
    String(valueAt(begun.json, 'vkey')).split('+')[0],
  ]);
  assert.match(page, /href="\/log\/1\/timestamp\/2"/);
  assert.equal((await hub.call('/log/1/timestamp/2/proof/1')).status, 200);
  // Whoever believes in the first log alone judges both.
  await writeFile(folder.file('policy'), `log ${oldVkey}\nquorum none\n`);
  for (const lot of ['LOT-1', 'LOT-3']) {
    const { text } = await hub.call(`/public/verify/${lot}/evidence?timestamp=true`);
    await writeFile(folder.file('evidence'), text);
    const args = ['verify', '--evidence', folder.file('evidence')];
    const judged = await ask([...args, '--policy', folder.file('policy')]);
    assert.equal(judged.code, 0, judged.stdout);
  }
  await older[Symbol.asyncDispose]();
});

test('a stamped tree that the log that goes on does not share is evidence of nothing here', async () => {
  const first = await boot();
  const { database } = first;
  await post(first, 1);
  await first.service.close();
  const older = await makeCopy(database);
  const before = await boot({ database });
  await post(before, 2);
  const lost = await readStamp(before, 1);
  await before.service.close();
  const env = await older.putBack();
  assert.equal((await runCli(['log', 'new-epoch', '--reason', 'restore'], env)).code, 0);
  await using hub = await boot({ database, env });
  await post(hub, 3);
  await keep(lost, hub, env);

  const { status } = await hub.call('/public/verify/LOT-1/evidence?timestamp=true');

  assert.equal(status, 404);
  await older[Symbol.asyncDispose]();
});
