// The background verifier of a ledger that runs: what it notices, how the alarm is cleared, and that
// it takes no growth of the chain for tampering.
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { PATIENCE_MS } from '@lothub/kit/test/patience';
import sql from 'sql-template-tag';
import { tipRecordFile, readTipRecord } from '../../src/ledger/tip-record.ts';
import { testEngine } from '../engine.ts';
import { TEST_CALLER } from '../ledger.ts';
import { cutTail, deriveAgain, makeStoredLedger, runStored, tamperWith } from './database.ts';
import type { RunningLedger } from './database.ts';
import { TIP_HEIGHT, oneMore } from './ledger.ts';
import { correctOne } from './corrections.ts';
import { verifyFully } from '../verified.ts';

/** Makes the database refuse every event, and take them again. */
const REFUSE = {
  sqlite: "create trigger refuse before insert on events begin select raise(abort, 'refused'); end",
  postgres: 'alter table events add constraint refuse check (height < 0) not valid',
};
const ALLOW = {
  sqlite: 'drop trigger refuse',
  postgres: 'alter table events drop constraint if exists refuse',
};

test('a sound ledger is verified through its last block', async () => {
  await using ledger = await makeStoredLedger();
  await using running = await runStored(ledger);

  await running.verifier.nextRound();

  assert.equal(running.state.valid, true);
  assert.equal(running.state.condition.verifiedThrough, TIP_HEIGHT);
  assert.notEqual(running.state.condition.verifiedAt, null);
});

for (const { what, text, firstBad } of [
  {
    what: 'a block whose text was changed',
    text: "update blocks set canonical = replace(canonical, 'FLOUR', 'FLOOR') where height = 2",
    firstBad: 2,
  },
  {
    what: 'a line whose quantity was changed',
    text: "update lines set quantity = '11' where height = 2 and line_no = 0",
    firstBad: 2,
  },
  {
    what: 'a lot that was added',
    text: `insert into lots (lot_no, tenant_no, lot_code, product_sku, first_height)
      values (50, 1, 'NOT-THERE', 'X', 6)`,
    firstBad: 6,
  },
  {
    what: 'a customer that was changed',
    text: "update private_lines set customer_ref = 'CUST-2' where height = 7",
    firstBad: 7,
  },
  {
    what: 'a quantity that was changed',
    text: "update lot_quantities set received = '1000' where lot_no = 1",
    firstBad: 6,
  },
  {
    what: 'a correction that was hidden',
    text: 'delete from corrections where height = 16',
    firstBad: 10,
  },
  {
    what: 'a last block that was removed',
    text: `delete from blocks where height = ${TIP_HEIGHT}`,
    firstBad: TIP_HEIGHT,
  },
]) {
  test(`${what} while the service runs makes the chain invalid`, async () => {
    await using ledger = await makeStoredLedger();
    await using running = await runStored(ledger);
    await running.verifier.nextRound();
    assert.equal(running.state.valid, true);

    await tamperWith(ledger, text);
    await running.verifier.nextRound();

    assert.equal(running.state.valid, false);
    assert.equal(running.state.condition.firstBadHeight, firstBad);
  });
}

test('a change is noticed without anybody asking for a round', async () => {
  await using ledger = await makeStoredLedger();
  await using running = await runStored(ledger);
  await running.verifier.nextRound();

  await tamperWith(ledger, "update lines set unit = 't' where height = 1");

  await until(() => !running.state.valid);
});

test('a tail cut without a trace while the service runs makes the chain invalid', async () => {
  await using ledger = await makeStoredLedger();
  await using running = await runStored(ledger);
  await running.verifier.nextRound();

  await cutTail(ledger, 6);

  await until(() => running.state.condition.firstBadHeight === 7);
});

test('a writer that finds another tip than it left appends, raises an alarm and keeps the record', async () => {
  await using ledger = await makeStoredLedger();
  await using running = await runStored(ledger, 'paused');
  const before = await appendOne(running, 'c');
  await cutTail(ledger, 6);

  const after = await appendOne(running, 'd');
  await running.state.refresh();

  assert.equal(after.height, 7);
  assert.equal(running.state.condition.firstBadHeight, 7);
  assert.deepEqual(readTipRecord(ledger.dataDir), { kind: 'read', value: before });
});

test('an alarm about another tip outlives a group that could not be written', async () => {
  await using ledger = await makeStoredLedger();
  await using running = await runStored(ledger, 'paused');
  await appendOne(running, 'c');
  await cutTail(ledger, 6);
  await tamperWith(ledger, REFUSE[testEngine]);
  await assert.rejects(appendOne(running, 'd'), { code: 'database_failed' });
  await tamperWith(ledger, ALLOW[testEngine]);

  await appendOne(running, 'e');
  await running.state.refresh();

  assert.equal(running.state.condition.firstBadHeight, 7);
});

test('a tip record that was deleted while the service runs is written again', async () => {
  await using ledger = await makeStoredLedger();
  await using running = await runStored(ledger, 'paused');
  await appendOne(running, 'c');
  await rm(tipRecordFile(ledger.dataDir));

  const tip = await appendOne(running, 'd');

  assert.deepEqual(readTipRecord(ledger.dataDir), { kind: 'read', value: tip });
});

test('an alarm stays through a restart and until an operator has verified what was repaired', async () => {
  await using ledger = await makeStoredLedger();
  {
    await using running = await runStored(ledger);
    await tamperWith(ledger, "update events set reference = 'X' where height = 5");
    await running.verifier.nextRound();
    assert.equal(running.state.valid, false);
  }
  await using running = await runStored(ledger);
  assert.equal(running.state.condition.firstBadHeight, 5);
  await deriveAgain(ledger);
  await running.verifier.nextRound();
  assert.equal(running.state.valid, false);

  const report = await verifyFully(ledger);

  assert.equal(report.ok, true);
  assert.equal(report.alarmsCleared, 1);
  await until(() => running.state.valid);
});

test('a full verification that finds something clears no alarm', async () => {
  await using ledger = await makeStoredLedger();
  await using running = await runStored(ledger);
  await tamperWith(ledger, "update events set reference = 'X' where height = 5");
  await running.verifier.nextRound();

  const report = await verifyFully(ledger);
  await running.state.refresh();

  assert.equal(report.alarmsCleared, 0);
  assert.equal(running.state.valid, false);
});

test('a paused verifier looks at nothing until it is resumed', async () => {
  await using ledger = await makeStoredLedger();
  await tamperWith(ledger, "update events set reference = 'X' where height = 5");
  await using running = await runStored(ledger, 'paused');
  const round = running.verifier.nextRound();
  // Another verifier that started later is through a round by now.
  await using other = await runStored(ledger);
  await other.verifier.nextRound();
  assert.equal(running.state.condition.verifiedAt, null);

  running.verifier.resume();
  await round;

  assert.equal(running.state.condition.firstBadHeight, 5);
});

/** Of twenty events each: more than a slice of the verifier, which begins with 64 rows. */
const GROWN_BATCHES = 25;

test('a chain that grows while it is verified raises no alarm and is verified to its end', async () => {
  await using ledger = await makeStoredLedger();
  await using running = await runStored(ledger);

  for (let batch = 0; batch < GROWN_BATCHES; batch += 1) {
    const drafts = Array.from({ length: 20 }, (_, index) => oneMore(`${batch}-${index}`));
    await running.store.append({
      tenantId: `tenant-${batch % 7}`,
      caller: TEST_CALLER,
      drafts,
      unit: 'all',
    });
  }
  await running.verifier.nextRound();
  const last = await appendOne(running, 'last');
  await until(() => running.state.condition.verifiedThrough === last.height);

  assert.equal(running.state.valid, true);
  assert.equal(last.height, TIP_HEIGHT + GROWN_BATCHES * 20 + 1);
});

test('events that are corrected while they are verified raise no alarm', async () => {
  await using ledger = await makeStoredLedger();
  await using running = await runStored(ledger);
  let height = TIP_HEIGHT;

  for (let batch = 0; batch < 40; batch += 1) {
    const drafts = Array.from({ length: 10 }, (_, no) => oneMore(`${batch}-${no}`, `LOT-${no}`));
    const { tip } = await running.store.append({
      tenantId: 'acme',
      caller: TEST_CALLER,
      drafts,
      unit: 'all',
    });
    await correctOne(running.store, 'acme', {
      corrects_event_id: tip.height,
      changes: [
        { field: 'lines[0].lot_code', old_value: 'LOT-9', new_value: `LOT-${batch % 12}x` },
        { field: 'lines[0].quantity', old_value: 1, new_value: 2 },
      ],
    });
    height = tip.height + 1;
  }
  await running.verifier.nextRound();
  await until(() => running.state.condition.verifiedThrough === height);

  assert.equal(running.state.valid, true);
});

test('a mismatch that goes on is one alarm, however the chain grows', async () => {
  await using ledger = await makeStoredLedger();
  await using running = await runStored(ledger);
  await tamperWith(ledger, 'update head set lots = 999');
  await running.verifier.nextRound();
  await appendOne(running, 'c');
  await running.verifier.nextRound();

  const alarms = await running.store.reader.all<object>(
    sql`select height, code from chain_alarms order by id`,
  );

  assert.deepEqual(
    alarms.map((row) => ({ ...row })),
    [{ height: TIP_HEIGHT, code: 'head_differs' }],
  );
});

test('closing the verifier ends its thread and whoever waits for a round', async () => {
  await using ledger = await makeStoredLedger();
  await using running = await runStored(ledger, 'paused');
  const round = running.verifier.nextRound();

  const refused = assert.rejects(round, /closed/);
  await running.verifier.close();

  await refused;
  await assert.rejects(running.verifier.nextRound(), /closed/);
});

async function appendOne(running: RunningLedger, externalId: string) {
  const drafts = [oneMore(externalId)];
  const { tip } = await running.store.append({
    tenantId: 'acme',
    caller: TEST_CALLER,
    drafts,
    unit: 'all',
  });
  return tip;
}

async function until(condition: () => boolean): Promise<void> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  while (!condition()) {
    assert.equal(signal.aborted, false, 'it did not happen in time');
    await sleep(10);
  }
}
