// `lothub rebuild` of a database that lost blocks: it says which are missing and changes nothing.
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { tipRecordFile } from '../../src/ledger/tip-record.ts';
import { runCli, type CliRun } from './run.ts';
import { makeStoredLedger, tamperWith, type StoredLedger } from '../tampering/database.ts';
import { TIP_HEIGHT } from '../tampering/ledger.ts';

const ledger = await openForFile(makeStoredLedger());

/** All lots of the ledger are named up to this block, and some of them are on hold. */
const CUT_ABOVE = 17;

async function lothub(
  { dataDir, databaseUrl }: StoredLedger,
  ...args: readonly string[]
): Promise<CliRun> {
  const place = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl };
  return await runCli([...args, '--json'], { DATA_DIR: dataDir, ...place });
}

async function eventCount(cut: StoredLedger): Promise<number> {
  await using tampering = await cut.tampering();
  const [row] = await tampering.all('select count(*) as events from events');
  return Number(row?.['events']);
}

function assertRefused(run: CliRun, what: RegExp): void {
  assert.equal(run.code, 1, run.stdout);
  assert.equal(run.json['error']?.['code'], 'rebuild_refused', run.stderr);
  assert.match(run.stderr, what);
  assert.match(run.stderr, /restore a backup/);
}

test('a cut tail is named by the record of the tip, and the rows stay as they were', async () => {
  await using cut = await ledger.copy();
  await tamperWith(cut, `delete from blocks where height > ${CUT_ABOVE}`);
  const before = await eventCount(cut);

  const run = await lothub(cut, 'rebuild');

  assertRefused(
    run,
    /\(tail_missing at block 18\): blocks 18 to 33 were sealed but are not in the database/,
  );
  assert.equal(await eventCount(cut), before);
});

test('a cut tail is named, too, when holds are on lots that it alone names', async () => {
  await using cut = await ledger.copy();
  await tamperWith(cut, 'delete from blocks where height > 2');

  const run = await lothub(cut, 'rebuild');

  assertRefused(run, /\(tail_missing at block 3\): blocks 3 to 33 were sealed/);
});

test('without the record of the tip the stored head names the cut', async () => {
  await using cut = await ledger.copy();
  await tamperWith(cut, `delete from blocks where height > ${CUT_ABOVE}`);
  await rm(tipRecordFile(cut.dataDir));

  const run = await lothub(cut, 'rebuild');

  assertRefused(
    run,
    /\(tail_missing at block 18\): the head says that block 33 was sealed, but block 17 is the last/,
  );
});

test('a block that was cut out of the middle is named', async () => {
  await using cut = await ledger.copy();
  await tamperWith(cut, 'delete from blocks where height = 6');

  const run = await lothub(cut, 'rebuild');

  assertRefused(run, /\(height_gap at block 6\): Block 6 is expected next, .* height 7; restore/);
});

test('a last block that was replaced is named', async () => {
  await using cut = await ledger.copy();
  await tamperWith(cut, `update blocks set hash = 'X' where height = ${TIP_HEIGHT}`);

  const run = await lothub(cut, 'rebuild');

  assertRefused(run, /\(tip_differs at block 33\): block 33 is not the block that was sealed/);
});

test('an operator who gives the lost blocks up has a chain that verifies again', async () => {
  await using cut = await ledger.copy();
  await tamperWith(cut, `delete from blocks where height > ${CUT_ABOVE}`);

  const rebuilt = await lothub(cut, 'rebuild', '--accept-tip');
  const verified = await lothub(cut, 'verify', '--accept-tip');

  assert.equal(rebuilt.code, 0, rebuilt.stderr);
  assert.equal(rebuilt.json['blocks'], CUT_ABOVE + 1);
  assert.equal(verified.code, 0, verified.stdout);
});

for (const { what, others } of [
  // Cases that were made before their steps were sealed: the others go with their blocks.
  {
    what: 'a hold',
    others: `recall_lots;
      update recall_cases set step_no = null;
      insert into lot_holds (lot_no, source, reason, held_by, held_since, tenant_no)
      values (8, 'RC-2026-0001', 'recall', 'Ada', '2026-03-04T10:00:00Z', 1)`,
  },
  { what: 'a recall case', others: 'lot_holds; update recall_cases set step_no = null' },
]) {
  test(`${what} is not left on a number that another lot will get`, async () => {
    await using cut = await ledger.copy();
    await tamperWith(cut, `delete from blocks where height > 2; delete from ${others}`);

    const run = await lothub(cut, 'rebuild', '--accept-tip');

    assertRefused(run, new RegExp(`${what} names a lot that no block up to 2 names`));
  });
}
