// A SQLite file in a data directory that is not what it was: an old copy, another one, none, damage to
// the file itself. What is in rows is the subject of tampering-rows.test.ts.
import assert from 'node:assert/strict';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { systemClock } from '@lothub/kit/clock';
import fc from 'fast-check';
import { DATABASE_FILE_NAME } from '../../src/ledger/sqlite/store.ts';
import { readTipRecord, tipRecordFile } from '../../src/ledger/tip-record.ts';
import { verifyDatabase } from '../../src/ledger/operate/verify-database.ts';
import type { VerificationReport } from '../../src/ledger/operate/verify-database.ts';
import { TEST_CALLER } from '../ledger.ts';
import { cutTail, makeStoredLedger, runStored, tamperWith } from './database.ts';
import { TIP_HEIGHT, oneMore, openStore } from './ledger.ts';
import { verifyFully } from '../verified.ts';

const ledger = await openForFile(makeStoredLedger());

test('an old copy of the database is told when the service starts and by a full verification', async () => {
  await using copy = await ledger.copy();
  await using old = await copy.copy();
  {
    await using store = await openStore(copy.dataDir);
    await store.append({
      tenantId: 'acme',
      caller: TEST_CALLER,
      drafts: [oneMore('c'), oneMore('d')],
      unit: 'all',
    });
  }
  await cp(join(old.dataDir, DATABASE_FILE_NAME), join(copy.dataDir, DATABASE_FILE_NAME));

  await using running = await runStored(copy, 'paused');
  const report = await verify(copy.dataDir);

  assert.equal(running.state.valid, false);
  assert.equal(running.state.condition.firstBadHeight, TIP_HEIGHT + 1);
  assert.equal(report.firstBad, TIP_HEIGHT + 1);
});

test('a new chain in place of a deleted database is noticed when the service starts', async () => {
  await using copy = await ledger.copy();
  await rm(join(copy.dataDir, DATABASE_FILE_NAME));

  await using running = await runStored(copy, 'paused');

  assert.equal(running.state.valid, false);
  assert.equal(running.state.condition.firstBadHeight, 1);
});

test('a tip record that is gone is noticed when the service starts', async () => {
  await using copy = await ledger.copy();
  await rm(tipRecordFile(copy.dataDir));

  await using running = await runStored(copy, 'paused');

  assert.equal(running.state.valid, false);
});

test('an operator who restored a backup on purpose can accept the tip', async () => {
  await using copy = await ledger.copy();
  await cutTail(copy, 6);
  await using running = await runStored(copy, 'paused');
  assert.equal(running.state.valid, false);

  const report = await verifyDatabase({
    dataDir: copy.dataDir,
    clock: systemClock,
    tip: 'accept',
  });
  await running.state.refresh();

  assert.equal(report.ok, true);
  assert.equal(report.alarmsCleared, 1);
  assert.equal(running.state.valid, true);
  assert.deepEqual(readTipRecord(copy.dataDir), { kind: 'read', value: report.head });
  const next = await running.store.append({
    tenantId: 'acme',
    caller: TEST_CALLER,
    drafts: [oneMore('c')],
    unit: 'all',
  });
  assert.deepEqual(readTipRecord(copy.dataDir), { kind: 'read', value: next.tip });
});

test('damage to the file that no row shows fails a full verification', async () => {
  await using copy = await ledger.copy();
  // An index that lacks an entry: every table reads as before.
  await tamperWith(
    copy,
    `pragma writable_schema = on;
     update sqlite_schema set sql = replace(sql, 'external_id is not null', 'external_id is null')
     where name = 'events_by_external_id'`,
  );

  const report = await verify(copy.dataDir);

  assert.deepEqual(
    report.mismatches.map(({ code }) => code),
    ['storage_damaged'],
  );
});

test('a database that is not there cannot be verified', async () => {
  await using copy = await ledger.copy();
  await rm(join(copy.dataDir, DATABASE_FILE_NAME));

  await assert.rejects(verify(copy.dataDir), { code: 'database_failed' });
});

test('a file that is no database any more cannot be verified and says so', async () => {
  await using copy = await ledger.copy();
  const file = join(copy.dataDir, DATABASE_FILE_NAME);
  const bytes = await readFile(file);
  bytes.write('overwritten');
  await writeFile(file, bytes);

  await assert.rejects(verify(copy.dataDir), { name: 'DatabaseError', code: 'database_failed' });
});

test('a bit flipped anywhere in the file ends in a report or in an error of the database', async () => {
  await using copy = await ledger.copy();
  const file = join(copy.dataDir, DATABASE_FILE_NAME);
  const sound = await readFile(file);

  await fc.assert(
    fc.asyncProperty(fc.nat({ max: sound.length - 1 }), fc.nat({ max: 7 }), async (at, bit) => {
      const bytes = Buffer.from(sound);
      bytes[at]! ^= 1 << bit;
      await writeFile(file, bytes);

      const outcome = await verify(copy.dataDir).catch((error: unknown) => error);

      if (outcome instanceof Error) assert.equal(outcome.name, 'DatabaseError');
    }),
    { numRuns: 150 },
  );
});

function verify(dataDir: string): Promise<VerificationReport> {
  return verifyFully({ dataDir });
}
