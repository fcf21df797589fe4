// A file without external ids that is imported again with other rows in a group: the group is refused as
// regrown, because posting it as a whole would count its old rows twice.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newSalt } from '@lothub/kit/secrets/secrets';
import { prepareEvent } from '../../src/events/prepare.ts';
import type { Draft } from '../../src/ledger/draft.ts';
import { aLine, boot, type Answer, type Booted } from '../boot.ts';
import {
  aFile,
  aRow,
  aSale,
  manyEvents,
  openImportApp,
  shareImportApp,
  withAppend,
} from './app.ts';
import type { Cells, ImportReply } from './app.ts';
import { TEST_CALLER } from '../ledger.ts';

const openTenant = shareImportApp();

const TWO = [aSale(), aSale({ lot_code: 'BREAD-2', notes: '' })];
const MORE = aSale({ lot_code: 'BREAD-3', notes: '' });
const OTHER = aSale({ reference: 'SO-2' });

/** The one error of a reply of `on_error=proceed`. */
function getError(reply: ImportReply): unknown {
  assert.equal(reply.json['rejected'], 1, reply.text);
  return reply.json['errors']?.[0];
}

test('a group with one more row refuses the file, with the event and the new line', async () => {
  await using app = await openTenant();
  await app.send(aFile(TWO));

  const reply = await app.send(aFile([OTHER, ...TWO, MORE]));

  assert.equal(reply.status, 400, reply.text);
  assert.match(
    String(reply.json['detail']),
    /^row 5: the group is regrown: event 1 was imported .* \(new: lines\[2\]\); correct that event/,
  );
  assert.equal(await app.height(), 1);
});

test('on_error=proceed leaves out the regrown group and names the row that is new', async () => {
  await using app = await openTenant();
  await app.send(aFile(TWO));

  const reply = await app.send(aFile([MORE, OTHER, ...TWO]), '?on_error=proceed');

  assert.equal(reply.json['accepted'], 1, reply.text);
  const { row, column, type } = getError(reply) as { row: number; column: unknown; type: string };
  assert.deepEqual({ row, column, type }, { row: 2, column: null, type: 'regrown' });
  assert.deepEqual(
    (await app.events()).map((event) => event.reference),
    ['PO-1', 'SO-2'],
  );
});

for (const query of ['?dry_run=true', '?dry_run=true&on_error=proceed']) {
  test(`${query} finds a regrown group as the run would`, async () => {
    await using app = await openImportApp();
    await app.send(aFile(TWO));

    const reply = await app.send(aFile([...TWO, MORE]), query);

    assert.match(reply.text, /the group is regrown: event 1 /);
    assert.equal(await app.height(), 1);
  });
}

const CHANGES: readonly (readonly [string, readonly Cells[], RegExp])[] = [
  ['a row less', TWO.slice(0, 1), /\(lines of it that are not sent again: 1\)/],
  ['another quantity', [aSale({ quantity: '3' }), TWO[1]!], /\(new: lines\[0\]; lines .*: 1\)/],
  [
    'another customer',
    [aSale({ customer_ref: 'C-9' }), TWO[1]!],
    /\(new: lines\[0\]; lines .*: 1\)/,
  ],
  ['other notes', [aSale({ notes: 'paid' }), TWO[1]!], /\(these fields differ: notes\)/],
  [
    'another location',
    TWO.map((row) => ({ ...row, location: 'BAKERY-2' })),
    /\(these fields differ: location\)/,
  ],
];

for (const [name, rows, expected] of CHANGES) {
  test(`a group with ${name} is regrown, and the answer repeats no value`, async () => {
    await using app = await openTenant();
    await app.send(aFile(TWO));

    const reply = await app.send(aFile(rows));

    assert.equal(reply.status, 400, reply.text);
    assert.match(reply.text, expected);
    assert.doesNotMatch(reply.text, /BREAD|BAKERY|C-9|CUST|paid/);
    assert.equal(await app.height(), 1);
  });
}

test('a group with the same rows in another order is a duplicate', async () => {
  await using app = await openTenant();
  await app.send(aFile(TWO));

  const reply = await app.send(aFile(TWO.toReversed()));

  assert.equal(reply.json['duplicates'], 1, reply.text);
  assert.equal(await app.height(), 1);
});

test('the moment counts, not the offset that it is written with', async () => {
  await using app = await openTenant();
  await app.send(aFile(TWO));
  const shifted = [...TWO, MORE].map((row) => ({ ...row, occurred_at: '2026-03-02T06:15:00Z' }));

  const reply = await app.send(aFile(shifted));

  assert.equal(reply.status, 400, reply.text);
});

test('rows with an external_id are an event of their own', async () => {
  await using app = await openTenant();
  await app.send(aFile(TWO));
  const grown = [...TWO, MORE].map((row) => ({ ...row, external_id: 'pos-1' }));

  const reply = await app.send(aFile(grown));
  const alone = await app.send(aFile([...TWO, { ...MORE, external_id: 'pos-2' }]));

  assert.equal(reply.json['accepted'], 1, reply.text);
  assert.deepEqual([alone.json['accepted'], alone.json['duplicates']], [1, 1]);
});

test('another tenant may import a group of the same type, moment and reference', async () => {
  await using app = await openTenant();
  await app.send(aFile(TWO));

  const reply = await app.send(aFile([...TWO, MORE]), '', 'other');

  assert.equal(reply.json['accepted'], 1, reply.text);
});

test('one regrown group is found among many in a large file', async () => {
  await using app = await openImportApp();
  const rows = manyEvents(1_500, { external_id: '' });
  await app.send(aFile(rows));
  const grown = rows.toSpliced(2_000, 0, { ...rows[2_000]!, lot_code: 'NEW' });

  const reply = await app.send(aFile(grown), '?on_error=proceed');

  assert.equal(reply.json['duplicates'], 1_499, reply.text.slice(0, 300));
  assert.match(JSON.stringify(getError(reply)), /"row":2002.*event 1001 .*\(new: lines\[0\]\)/);
  assert.equal(await app.height(), 1_500);
});

test('of two groups that race, one is stored and the other is regrown', async () => {
  let rival: string | undefined = aFile(TWO);
  await using app = await openImportApp({
    around: (store) =>
      withAppend(store, async (submission) => {
        // The file was checked before; now another import stores its group first.
        const file = rival;
        rival = undefined;
        if (file !== undefined) assert.equal((await app.send(file)).json['accepted'], 1);
        return await store.append(submission);
      }),
  });

  const reply = await app.send(aFile([OTHER, ...TWO, MORE]));

  assert.equal(reply.status, 201, reply.text);
  assert.equal(reply.json['accepted'], 1);
  assert.match(JSON.stringify(getError(reply)), /"row":3.*"type":"regrown"/);
  assert.equal(await app.height(), 2);
});

test('drafts of one group that differ are stored once, in one submission or in two at a time', async () => {
  await using app = await openTenant();
  const makeGroup = (quantity: number, reference: string): Draft => {
    const event = {
      event_type: 'RECEIVE' as const,
      occurred_at: '2026-03-02T07:15:00Z',
      location: 'BAKERY-1',
      reference,
      lines: [{ lot_code: 'L', product_sku: 'S', direction: 'in' as const, quantity, unit: 'kg' }],
    };
    const prepared = prepareEvent(event, { root: [], nowMs: 0, newSalt, identity: 'group' });
    assert.equal(prepared.kind, 'ready');
    return prepared.draft;
  };
  const append = async (...drafts: readonly Draft[]): Promise<readonly string[]> => {
    const caller = TEST_CALLER;
    const answer = await app.store.append({ tenantId: app.tenant, caller, drafts, unit: 'each' });
    return answer.outcomes.map((outcome) => outcome.kind);
  };

  const together = await append(makeGroup(1, 'PO-1'), makeGroup(2, 'PO-1'), makeGroup(1, 'PO-1'));
  const racing = await Promise.all([append(makeGroup(1, 'PO-2')), append(makeGroup(2, 'PO-2'))]);

  assert.deepEqual(together, ['appended', 'conflict', 'replayed']);
  assert.deepEqual(racing.flat(), ['appended', 'conflict']);
  assert.equal(await app.height(), 2);
});

async function importFile(hub: Booted, rows: readonly Cells[]): Promise<Answer> {
  const form = new FormData();
  form.append('file', new Blob([aFile(rows)]), 'events.csv');
  return await hub.call('/v1/import/csv', { method: 'POST', body: form });
}

test('a corrected event is known by what was imported, and events that were posted are not', async () => {
  await using hub = await boot();
  const row = aRow({ external_id: '' });
  await importFile(hub, [row]);
  const posted = { event_type: 'RECEIVE', location: 'BAKERY-1', lines: [aLine()] };
  await hub.post('/v1/events', {
    ...posted,
    occurred_at: '2026-03-02T06:15:00Z',
    reference: 'PO-9',
  });
  const corrected = await hub.post('/v1/corrections', {
    corrects_event_id: 1,
    reason: 'wrong paper',
    requested_by: 'M. Baker',
    changes: [
      { field: 'reference', old_value: 'PO-1', new_value: 'PO-2' },
      {
        field: 'occurred_at',
        old_value: '2026-03-02T06:15:00Z',
        new_value: '2026-03-03T06:15:00Z',
      },
      { field: 'lines[0].quantity', old_value: 250.5, new_value: 200 },
    ],
  });
  assert.equal(corrected.status, 201, corrected.text);
  const more = { ...row, lot_code: 'FLOUR-2' };

  const same = await importFile(hub, [row]);
  const grown = await importFile(hub, [row, more]);
  const asCorrected = await importFile(hub, [
    { ...more, reference: 'PO-2', occurred_at: '2026-03-03T06:15:00Z' },
  ]);
  const asPosted = await importFile(hub, [{ ...more, reference: 'PO-9' }]);

  assert.equal(same.json['duplicates'], 1, same.text);
  assert.match(grown.text, /the group is regrown: event 1 /);
  assert.equal(asCorrected.json['accepted'], 1, asCorrected.text);
  assert.equal(asPosted.json['accepted'], 1, asPosted.text);
});
