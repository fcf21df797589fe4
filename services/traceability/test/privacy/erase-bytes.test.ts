// Erased values are in no file of an SQLite database right after the answer: not in rows, not in what
// was left between them when trees were balanced, not on free pages, not in the log.
import assert from 'node:assert/strict';
import { copyFile, mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseFile } from '../../src/ledger/sqlite/store.ts';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { PATIENCE_MS } from '@lothub/kit/test/patience';
import { aLine, anEvent, boot, type Booted } from '../boot.ts';
import { runCli } from '../cli/run.ts';
import { change, corrected } from '../corrections/correction-requests.ts';

/** It is in every value that is erased here, so that any trace of one is found. */
const MARK = 'Zqxerased';
/** Lines of the customer, among as many of others: trees of rows are balanced many times. */
const EVENTS = 300;

interface Secrets {
  readonly customer: string;
  /** Of every row that goes. */
  readonly salts: readonly string[];
}

/** Sales to many, every third to the customer, with long texts that spill over onto pages of their own. */
async function sellToMany(hub: Booted): Promise<Secrets> {
  const customer = `${MARK}-customer`;
  const long = 'ü'.repeat(150);
  for (let from = 0; from < EVENTS; from += 100) {
    const events = Array.from({ length: 100 }, (_, index) => {
      const number = from + index;
      const isErased = number % 3 === 0;
      return anEvent({
        event_type: 'SELL',
        reference: `SO-${number}`,
        notes: isErased ? `${customer} ${MARK.repeat(200)}` : `for ${number * 7919}`,
        lines: [0, 1].map((line) =>
          aLine({
            lot_code: `LOT-${number % 40}`,
            direction: 'out',
            customer_ref: isErased ? customer : `C-${(number * 7919) % 1000}-${line} ${long}`,
            channel: isErased ? `${MARK} ${long}` : long,
          }),
        ),
      });
    });
    const answer = await hub.post('/v1/events/batch', { events });
    assert.equal(answer.status, 201, answer.text);
  }
  for (const row of await hub.database.rows('select height from private_notes where height < 40')) {
    const recorded = { tenant: 'acme', eventId: Number(row['height']) };
    if ((recorded.eventId - 1) % 3 === 0) {
      await corrected(hub, recorded, change('lines[0].customer_ref', customer, `${MARK}-typo`));
      await corrected(hub, recorded, change('lines[0].customer_ref', `${MARK}-typo`, customer));
    }
  }
  const salts = [];
  for (const query of [
    `select salt from private_lines where customer_ref like '${MARK}%'`,
    `select salt from private_notes where notes like '${MARK}%'`,
    'select salt from private_changes',
  ])
    salts.push(...(await hub.database.rows(query)).map((row) => String(row['salt'])));
  return { customer, salts };
}

/** Every trace of what was erased in the files of a folder, as `name: what`. */
async function tracesIn(
  folder: string,
  { salts }: Pick<Secrets, 'salts'>,
): Promise<readonly string[]> {
  const traces = [];
  for (const name of await readdir(folder)) {
    if (!name.includes('.')) continue;
    const bytes = await readFile(join(folder, name), 'latin1');
    if (bytes.includes(MARK)) traces.push(`${name}: a value`);
    // Half a salt is found, too: pages end within texts.
    if (salts.some((salt) => bytes.includes(salt.slice(0, 32)) || bytes.includes(salt.slice(32))))
      traces.push(`${name}: a salt`);
  }
  return traces;
}

test('no file of the database holds a value or a salt right after the answer', async () => {
  await using hub = await boot();
  const secrets = await sellToMany(hub);
  const before = await tracesIn(hub.dataDir, secrets);

  const answer = await hub.post('/v1/privacy/erase', { customer_ref: secrets.customer });

  const after = await tracesIn(hub.dataDir, secrets);
  assert.ok(before.length > 0, 'the files are looked through for what they never held');
  assert.partialDeepStrictEqual(answer.json, { erased_lines: 200, bytes: 'overwritten' });
  assert.deepEqual(after, []);
});

test('notes of another sale that quote the customer are not promised to be overwritten', async () => {
  await using hub = await boot();
  const secrets = await sellToMany(hub);
  const notes = `${secrets.customer} picked it up`;
  const lines = [aLine({ direction: 'out', customer_ref: 'C-other' })];
  const sold = await hub.post('/v1/events', anEvent({ event_type: 'SELL', notes, lines }));
  const recorded = { tenant: 'acme', eventId: Number(sold.json['id']) };

  const first = await hub.post('/v1/privacy/erase', { customer_ref: secrets.customer });
  const left = await tracesIn(hub.dataDir, secrets);
  await corrected(hub, recorded, change('notes', notes, 'A neighbour picked it up'));
  const again = await hub.post('/v1/privacy/erase', { customer_ref: secrets.customer });

  assert.partialDeepStrictEqual(first.json, { bytes: 'quoted', quoted_in_total: 1 });
  assert.notDeepEqual(left, []);
  assert.partialDeepStrictEqual(again.json, { bytes: 'overwritten', quoted_in_total: 0 });
  assert.deepEqual(await tracesIn(hub.dataDir, secrets), []);
});

test('a copy, an export and a backup made afterwards hold nothing of it', async () => {
  await using hub = await boot();
  const secrets = await sellToMany(hub);
  await hub.post('/v1/privacy/erase', { customer_ref: secrets.customer });
  const folder = await mkdtemp(join(tmpdir(), 'lothub-test-'));

  const runs = [
    await runCli(['export', join(folder, 'chain.jsonl')], hub.database.env),
    await runCli(['backup', join(folder, 'backup.db')], hub.database.env),
  ];

  const traces = await tracesIn(folder, secrets);
  await rm(folder, { recursive: true });
  assert.deepEqual(
    runs.map((run) => run.code),
    [0, 0],
  );
  assert.deepEqual(traces, []);
});

test('while somebody reads what was, the answer says so, and it goes when they end', async () => {
  await using hub = await boot();
  const secrets = await sellToMany(hub);
  const reader = new DatabaseSync(databaseFile(hub.dataDir), { readOnly: true });
  reader.exec('begin');
  reader.prepare('select count(*) from private_lines').get();

  const answer = await hub.post('/v1/privacy/erase', { customer_ref: secrets.customer });
  const meanwhile = await hub.call('/v1/events?limit=1');
  reader.close();
  const deadline = performance.now() + PATIENCE_MS;
  while ((await tracesIn(hub.dataDir, secrets)).length > 0 && performance.now() < deadline)
    await sleep(50);

  assert.equal(String(answer.json['bytes']), 'pending');
  assert.equal(meanwhile.status, 200);
  assert.deepEqual(await tracesIn(hub.dataDir, secrets), []);
});

test('what a crash left in the log is gone with the next start', async () => {
  await using hub = await boot();
  const secrets = await sellToMany(hub);
  const reader = new DatabaseSync(databaseFile(hub.dataDir), { readOnly: true });
  reader.exec('begin');
  reader.prepare('select count(*) from private_lines').get();
  await hub.post('/v1/privacy/erase', { customer_ref: secrets.customer });
  const dataDir = await mkdtemp(join(tmpdir(), 'lothub-test-'));
  for (const name of await readdir(hub.dataDir))
    if (name.includes('.')) await copyFile(join(hub.dataDir, name), join(dataDir, name));
  reader.close();
  const left = await tracesIn(dataDir, secrets);

  await using again = await boot({ env: { DATA_DIR: dataDir } });

  const traces = await tracesIn(dataDir, secrets);
  await again.service.close();
  await rm(dataDir, { recursive: true });
  assert.notDeepEqual(left, []);
  assert.deepEqual(traces, []);
});

test('copies of rows that an earlier version left between others go with the erasing', async () => {
  await using hub = await boot();
  await hub.post('/v1/events', anEvent());
  await hub.service.close();
  const salts = Array.from({ length: 6_000 }, (_, number) => sha256Hex(`${number}`));
  {
    using database = new DatabaseSync(databaseFile(hub.dataDir));
    database.exec('pragma secure_delete = off; begin');
    const insert = database.prepare(
      'insert into private_lines (height, line_no, customer_ref, channel, salt) values (?, ?, ?, ?, ?)',
    );
    for (const [number, salt] of salts.entries())
      insert.run(1, number, `C-${(number * 7919) % 6_000}`, 'shop', salt);
    database.exec(
      `update private_lines set customer_ref = '${MARK}' where line_no % 50 = 0; commit`,
    );
  }
  await using again = await hub.restart();

  await again.post('/v1/privacy/erase', { customer_ref: MARK });

  const erased = salts.filter((_, number) => number % 50 === 0);
  assert.deepEqual(await tracesIn(again.dataDir, { salts: erased }), []);
});
