// The last part of a round: lots against their lines, while blocks are appended and corrected.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeEvent, makeLine, openTestLedger, tamper } from '../../../../test/ledger.ts';
import type { TestLedger } from '../../../../test/ledger.ts';
import { correctOne } from '../../../../test/tampering/corrections.ts';
import type { EventInput } from '../../../events/schema.ts';
import { openOperated } from '../../operate/open-operated.ts';
import { LedgerVerification } from '../ledger.ts';
import type { LedgerMismatch } from '../mismatch.ts';
import type { SnapshotReader } from '../snapshot-reader.ts';

const ROWS_PER_SLICE = 4;
/** Enough lines for several slices of the busy lot. */
const BUSY_EVENTS = 41;

/** A lot with a line in each of many events, between two small ones. */
async function recordBusyLot(ledger: TestLedger): Promise<void> {
  await ledger.record([
    makeEvent('RECEIVE', [makeLine('in', 'FIRST-1')]),
    ...Array.from({ length: BUSY_EVENTS }, receiveBusy),
    makeEvent('RECEIVE', [makeLine('in', 'LAST-1')]),
  ]);
}

function receiveBusy(): EventInput {
  return makeEvent('RECEIVE', [makeLine('in', 'BUSY-1', { quantity: 0.1 })]);
}

interface Round extends AsyncDisposable {
  /** Takes slices until the round is complete or `enough` says that it is. */
  advance(enough?: (slices: number) => boolean): Promise<readonly LedgerMismatch[]>;
  /** Rows that the largest answer to a query had. */
  readonly rowsMost: number;
}

async function beginRound(ledger: TestLedger): Promise<Round> {
  const operated = await openOperated(ledger.database);
  const { snapshots } = operated;
  let rowsMost = 0;
  const reader: SnapshotReader = {
    all: async <Row>(query: Parameters<SnapshotReader['all']>[0]) => {
      const rows = await snapshots.all<Row>(query);
      rowsMost = Math.max(rowsMost, rows.length);
      return rows;
    },
    inSnapshot: (work) => snapshots.inSnapshot(work),
  };
  const options = { reader, depth: 'links', scope: 'ledger', tipRecord: null } as const;
  const verification = new LedgerVerification(options);
  return {
    advance: async (enough = () => false) => {
      const found: LedgerMismatch[] = [];
      for (let slices = 1; ; slices += 1) {
        const slice = await verification.advance(ROWS_PER_SLICE);
        found.push(...slice.mismatches);
        if (slice.status !== 'more' || enough(slices)) return found;
      }
    },
    get rowsMost() {
      return rowsMost;
    },
    [Symbol.asyncDispose]: async () => {
      await operated[Symbol.asyncDispose]();
    },
  };
}

/** Slices until the busy lot is being added up: half of the blocks and a few lots. */
const AMID_BUSY_LOT = Math.ceil((BUSY_EVENTS + 3) / (ROWS_PER_SLICE / 2)) + 6;

test('a lot with more lines than a slice may hold is added up in pages', async () => {
  await using ledger = await openTestLedger();
  await recordBusyLot(ledger);
  await using round = await beginRound(ledger);

  const found = await round.advance();

  assert.deepEqual(found, []);
  assert.equal(round.rowsMost, ROWS_PER_SLICE);
});

test('a wrong sum of a lot with very many lines is noticed at its last block', async () => {
  await using ledger = await openTestLedger();
  await recordBusyLot(ledger);
  await tamper(ledger.database, "update lot_quantities set received = '4' where received = '4.1'");
  await using round = await beginRound(ledger);

  const found = await round.advance();

  assert.deepEqual(
    found.map(({ height, code }) => ({ height, code })),
    [{ height: BUSY_EVENTS + 1, code: 'quantity_row_differs' }],
  );
});

test('a wrong sum of the lot behind one with very many lines is noticed', async () => {
  await using ledger = await openTestLedger();
  await recordBusyLot(ledger);
  await tamper(ledger.database, "update lots set stocked = 0 where lot_code = 'LAST-1'");
  await using round = await beginRound(ledger);

  const found = await round.advance();

  assert.deepEqual(
    found.map(({ height, code }) => ({ height, code })),
    [{ height: BUSY_EVENTS + 2, code: 'lot_row_differs' }],
  );
});

test('events appended while a lot is added up raise no alarm', async () => {
  await using ledger = await openTestLedger();
  await recordBusyLot(ledger);
  await using round = await beginRound(ledger);
  assert.deepEqual(await round.advance((slices) => slices === AMID_BUSY_LOT), []);

  await ledger.record([receiveBusy(), makeEvent('DISPOSE', [makeLine('out', 'BUSY-1')])]);
  const found = await round.advance();

  assert.deepEqual(found, []);
});

test('a correction of lines that were added up already raises no alarm', async () => {
  await using ledger = await openTestLedger();
  await recordBusyLot(ledger);
  await using round = await beginRound(ledger);
  assert.deepEqual(await round.advance((slices) => slices === AMID_BUSY_LOT), []);

  for (const height of [2, 3]) {
    await correctOne(ledger.store, 'bakery', {
      corrects_event_id: height,
      changes: [{ field: 'lines[0].quantity', old_value: 0.1, new_value: 7 }],
    });
  }
  const found = await round.advance();

  assert.deepEqual(found, []);
});

test('a lot that is corrected before each page is left to the next round', async () => {
  await using ledger = await openTestLedger();
  await recordBusyLot(ledger);
  await using round = await beginRound(ledger);
  assert.deepEqual(await round.advance((slices) => slices === AMID_BUSY_LOT), []);

  for (let height = 2; height < 15; height += 1) {
    await correctOne(ledger.store, 'bakery', {
      corrects_event_id: height,
      changes: [{ field: 'lines[0].quantity', old_value: 0.1, new_value: 7 }],
    });
    assert.deepEqual(await round.advance(() => true), []);
  }

  let slicesLeft = 0;
  const found = await round.advance((slices) => (slicesLeft = slices) < 0);

  assert.deepEqual(found, []);
  // Pictures come behind the lots.
  assert.equal(slicesLeft, 1);
});

test('a lot is verified whose suppliers are too many for the text it is found by', async () => {
  await using ledger = await openTestLedger();
  const names = Array.from({ length: 120 }, (_, no) => `${(no * 7919) % 997} `.padEnd(150, 'x'));
  const receive = (supplierName: string) =>
    makeEvent('RECEIVE', [makeLine('in', 'MIX-1', { supplier_name: supplierName })]);
  await ledger.record([...names.map(receive), receive('zz'), receive('0')]);
  await using round = await beginRound(ledger);

  const found = await round.advance();

  assert.deepEqual(found, []);
});

for (const { what, text } of [
  { what: 'a supplier that it does not have', text: "replace(text, '930 ', '930x')" },
  { what: 'hardly any of them', text: 'substr(text, 1, 1000)' },
]) {
  test(`a text of very many suppliers that names ${what} is noticed`, async () => {
    await using ledger = await openTestLedger();
    const names = Array.from({ length: 120 }, (_, no) => `${no + 900} `.padEnd(150, 'x'));
    await ledger.record(
      names.map((supplier_name) =>
        makeEvent('RECEIVE', [makeLine('in', 'MIX-1', { supplier_name })]),
      ),
    );
    await tamper(ledger.database, `update lot_texts set text = ${text}`);
    await using round = await beginRound(ledger);

    const found = await round.advance();

    assert.deepEqual(
      found.map(({ code }) => code),
      ['text_row_differs'],
    );
  });
}
