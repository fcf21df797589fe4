// The record of the tip beside PostgreSQL: it follows what this process and others append, keeps what
// was lost in mind whatever is appended afterwards, and follows again once an operator has accepted it.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { rename, rm } from 'node:fs/promises';
import { systemClock } from '@lothub/kit/clock';
import { DatabaseError } from '@lothub/kit/database';
import { PostgresConnection } from '@lothub/kit/postgres/connection';
import { PATIENCE_MS } from '@lothub/kit/test/patience';
import sql from 'sql-template-tag';
import { TEST_CALLER } from '../../../test/ledger.ts';
import { cutTail, makeStoredLedger, type StoredLedger } from '../../../test/tampering/database.ts';
import { TIP_HEIGHT, oneMore } from '../../../test/tampering/ledger.ts';
import type { Tip } from '../draft.ts';
import { openStore } from '../open-store.ts';
import { readTipRecord, tipRecordFile } from '../tip-record.ts';
import { verifyDatabase } from '../operate/verify-database.ts';
import { TipFollower } from './tip-follower.ts';
import { verifyFully } from '../../../test/verified.ts';

let ledger: StoredLedger;

before(async () => {
  ledger = await makeStoredLedger();
});

after(() => ledger[Symbol.asyncDispose]());

interface Following extends AsyncDisposable {
  readonly follower: TipFollower;
  readonly database: PostgresConnection;
  openAlarms(): Promise<readonly string[]>;
}

async function follow({ dataDir, databaseUrl = '' }: StoredLedger): Promise<Following> {
  const database = await PostgresConnection.open(databaseUrl, { connectionsMax: 1 });
  const onFailure = (error: unknown): void => {
    // Tests that keep the record from being read see so in `look`.
    if (!(error instanceof DatabaseError && error.code === 'database_busy')) throw error;
  };
  const follower = await TipFollower.open({ dataDir, database, clock: systemClock, onFailure });
  return {
    follower,
    database,
    openAlarms: async () => {
      const rows = await database.all<{ code: string; height: number }>(
        sql`select height, code from chain_alarms where cleared_at is null order by id`,
      );
      return rows.map(({ code, height }) => `${code} ${height}`);
    },
    [Symbol.asyncDispose]: async () => {
      await follower.close();
      await database.close();
    },
  };
}

/** Appends as another process on another machine does. */
async function appendElsewhere(
  { databaseUrl }: StoredLedger,
  names: readonly string[],
): Promise<Tip> {
  await using elsewhere = await ledger.copy();
  const onFatal = (error: Error): never => {
    throw error;
  };
  await rm(tipRecordFile(elsewhere.dataDir));
  const { dataDir } = elsewhere;
  await using store = await openStore({ dataDir, databaseUrl, hubName: 'Testhub', onFatal });
  const drafts = names.map((name) => oneMore(name));
  const { tip } = await store.append({
    tenantId: 'acme',
    caller: TEST_CALLER,
    drafts,
    unit: 'all',
  });
  return tip;
}

function readRecord({ dataDir }: StoredLedger): Tip | undefined {
  const reading = readTipRecord(dataDir);
  return reading.kind === 'read' ? reading.value : undefined;
}

async function until(condition: () => boolean): Promise<void> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  while (!condition()) {
    assert.equal(signal.aborted, false, 'it did not happen in time');
    await sleep(10);
  }
}

test('what other processes append is recorded without anybody asking', async () => {
  await using copy = await ledger.copy();
  await using following = await follow(copy);

  const tip = await appendElsewhere(copy, ['c', 'd']);
  await until(() => readRecord(copy)?.height === tip.height);

  assert.deepEqual(readRecord(copy), tip);
  assert.deepEqual(await following.openAlarms(), []);
});

test('a commit right behind the recorded block is recorded at once', async () => {
  await using copy = await ledger.copy();
  await using following = await follow(copy);
  const before = readRecord(copy)!;
  const tip = { height: TIP_HEIGHT + 1, hash: 'a'.repeat(64) };

  following.follower.committed({ before, tip });

  assert.deepEqual(readRecord(copy), tip);
});

test('a commit behind another one than the recorded block waits until both were found', async () => {
  await using copy = await ledger.copy();
  await using following = await follow(copy);
  const recorded = readRecord(copy);
  const before = { height: TIP_HEIGHT + 70, hash: 'b'.repeat(64) };
  const tip = { height: TIP_HEIGHT + 71, hash: 'a'.repeat(64) };

  following.follower.committed({ before, tip });

  assert.deepEqual(readRecord(copy), recorded);
});

test('a record that the system cannot read raises no alarm, and is compared once it can', async () => {
  await using copy = await ledger.copy();
  await using following = await follow(copy);
  const file = tipRecordFile(copy.dataDir);
  await rename(file, `${file}.aside`);
  // Nobody can open a socket as a file.
  const inItsPlace = createServer().listen(file);
  await once(inItsPlace, 'listening');

  await assert.rejects(following.follower.look(), { code: 'database_busy' });
  const whileUnread = await following.openAlarms();
  inItsPlace.close();
  await once(inItsPlace, 'close');
  await rename(`${file}.aside`, file);
  await following.follower.look();

  assert.deepEqual(whileUnread, []);
  assert.deepEqual(await following.openAlarms(), []);
  assert.equal(readRecord(copy)?.height, TIP_HEIGHT);
});

test('a database that lost its last blocks is noticed, and the record is kept', async () => {
  await using copy = await ledger.copy();
  await using following = await follow(copy);
  const recorded = readRecord(copy);
  await cutTail(copy, 6);

  await following.follower.look();

  assert.deepEqual(await following.openAlarms(), ['tail_missing 7']);
  assert.deepEqual(readRecord(copy), recorded);
});

test('blocks that were lost are noticed although more than those were appended since', async () => {
  await using copy = await ledger.copy();
  const recorded = readRecord(copy)!;
  await cutTail(copy, TIP_HEIGHT - 1);
  await appendElsewhere(copy, ['c', 'd', 'e']);

  await using following = await follow(copy);
  const before = { height: TIP_HEIGHT + 2, hash: 'b'.repeat(64) };
  following.follower.committed({ before, tip: { ...before, height: TIP_HEIGHT + 3 } });

  assert.deepEqual(await following.openAlarms(), [`tip_differs ${TIP_HEIGHT}`]);
  assert.deepEqual(readRecord(copy), recorded);
});

test('one alarm is enough, however often the record is compared', async () => {
  await using copy = await ledger.copy();
  await using following = await follow(copy);
  await cutTail(copy, 6);

  for (let looks = 0; looks < 3; looks += 1) await following.follower.look();

  assert.deepEqual(await following.openAlarms(), ['tail_missing 7']);
});

test('once an operator has accepted the tip a running process follows the chain again', async () => {
  await using copy = await ledger.copy();
  await using elsewhere = await ledger.copy();
  await using following = await follow(copy);
  await cutTail(copy, 6);
  await following.follower.look();

  const { databaseUrl } = copy;
  const refused = await verifyDatabase({
    ...elsewhere,
    databaseUrl,
    clock: systemClock,
    tip: 'compare',
  });
  const accepted = await verifyDatabase({
    ...elsewhere,
    databaseUrl,
    clock: systemClock,
    tip: 'accept',
  });
  await following.follower.look();

  assert.equal(refused.ok, false);
  assert.equal(accepted.ok, true);
  assert.deepEqual(await following.openAlarms(), []);
  assert.deepEqual(readRecord(copy), accepted.head);
});

test('a plain verification cannot clear what another process has lost', async () => {
  await using copy = await ledger.copy();
  await using following = await follow(copy);
  await cutTail(copy, 6);
  await following.follower.look();
  await rm(tipRecordFile(copy.dataDir));

  const report = await verifyFully(copy);

  assert.deepEqual(
    report.mismatches.map(({ code, height }) => `${code} ${height}`),
    ['tail_missing 7'],
  );
  assert.deepEqual(await following.openAlarms(), ['tail_missing 7']);
});

test('a process without a record begins one and raises no alarm', async () => {
  await using copy = await ledger.copy();
  const recorded = readRecord(copy);
  await rm(tipRecordFile(copy.dataDir));

  await using following = await follow(copy);

  assert.deepEqual(await following.openAlarms(), []);
  assert.deepEqual(readRecord(copy), recorded);
});

test('a record does not move while another process misses blocks', async () => {
  await using copy = await ledger.copy();
  await using following = await follow(copy);
  const recorded = readRecord(copy);
  await following.database.all(sql`
    insert into chain_alarms (height, code, message, found_at) values (9, 'tail_missing', 'x', 'x')`);

  await appendElsewhere(copy, ['c']);
  await following.follower.look();

  assert.deepEqual(readRecord(copy), recorded);
  assert.deepEqual(await following.openAlarms(), ['tail_missing 9']);
});
