// What a new code or id must not be, that what earlier versions stored is still read, replayed and
// corrected as it is, and what somebody who looks for a code in vain is offered.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { systemClock } from '@lothub/kit/clock';
import { newSalt } from '@lothub/kit/secrets/secrets';
import { prepareEvent } from '../../src/events/prepare.ts';
import type { EventInput } from '../../src/events/schema.ts';
import { anEvent, aLine, boot, valueAt, type Answer, type Booted } from '../boot.ts';
import { newTestDatabase } from '../engine.ts';
import { TEST_CALLER, makeEvent, makeLine, openTestStore } from '../ledger.ts';
import { storedHeight } from '../stored.ts';

const ZERO_WIDTH = 'FLOUR\u200B-1';
const OVERRIDE = '\u202EFLOUR-1';

/** The path of the error and its sentence. */
function listErrors(answer: Answer): readonly (readonly [string, string, string])[] {
  const detail = answer.json['detail'] as unknown as readonly {
    readonly loc: readonly (string | number)[];
    readonly msg: string;
    readonly type: string;
  }[];
  return detail.map(({ loc, msg, type }) => [loc.join('.'), type, msg]);
}

const COLUMNS =
  'external_id,event_type,occurred_at,location,reference,lot_code,product_sku,direction,quantity,unit';

function importRows(hub: Booted, rows: readonly string[], moreColumns = ''): Promise<Answer> {
  const body = new FormData();
  body.append('file', new Blob([`${[COLUMNS + moreColumns, ...rows].join('\n')}\n`]), 'a.csv');
  return hub.call('/v1/import/csv', { method: 'POST', body });
}

describe('a new event', () => {
  let hub: Booted;
  before(async () => {
    hub = await boot();
  });
  after(() => hub[Symbol.asyncDispose]());

  const REFUSED: readonly (readonly [string, Record<string, unknown>, string, RegExp])[] = [
    [
      'a lot code with a zero-width space',
      { lines: [aLine({ lot_code: ZERO_WIDTH })] },
      'lines.0.lot_code',
      /zero-width/,
    ],
    [
      'a SKU with a tab',
      { lines: [aLine({ product_sku: 'A\tB' })] },
      'lines.0.product_sku',
      /control/,
    ],
    [
      'a supplier’s lot with an override',
      { lines: [aLine({ supplier_lot_code: OVERRIDE })] },
      'lines.0.supplier_lot_code',
      /bidirectional/,
    ],
    ['a reference that ends with a space', { reference: 'PO-1 ' }, 'reference', /begin or end/],
    ['an id with a noncharacter', { external_id: 'x\uFFFE' }, 'external_id', /non-characters/],
    [
      'a lot code of two dots',
      { lines: [aLine({ lot_code: '..' })] },
      'lines.0.lot_code',
      /"\.\."/,
    ],
  ];
  for (const [what, changes, path, sentence] of REFUSED) {
    test(`with ${what} is refused, and nothing is stored`, async () => {
      const height = await storedHeight(hub.database);

      const answer = await hub.post('/v1/events', anEvent(changes));

      assert.equal(answer.status, 422);
      const [error, ...others] = listErrors(answer);
      assert.deepEqual(others, []);
      assert.deepEqual(error?.slice(0, 2), [`body.${path}`, 'code_invalid']);
      assert.match(error?.[2] ?? '', sentence);
      assert.equal(await storedHeight(hub.database), height);
    });
  }

  test('names all of its unfit codes at once', async () => {
    const lines = [aLine({ lot_code: '.' }), aLine({ lot_code: ' A', product_sku: 'B\n' })];
    const answer = await hub.post('/v1/events', anEvent({ external_id: 'y ', lines }));

    assert.deepEqual(
      listErrors(answer).map(([path]) => path),
      [
        ...['body.external_id', 'body.lines.0.lot_code'],
        ...['body.lines.1.lot_code', 'body.lines.1.product_sku'],
      ],
    );
  });

  test('of a batch is refused by its index, alone with on_error=proceed', async () => {
    const events = [
      anEvent({ external_id: 'good' }),
      anEvent({ external_id: 'bad', lines: [aLine({ lot_code: ZERO_WIDTH })] }),
    ];

    const all = await hub.post('/v1/events/batch', { events });
    const each = await hub.post('/v1/events/batch?on_error=proceed', { events });

    assert.equal(all.status, 422);
    assert.deepEqual(
      listErrors(all).map(([path]) => path),
      ['body.events.1.lines.0.lot_code'],
    );
    assert.equal(each.json['status'], 'partially_accepted');
    assert.equal(valueAt(each.json, 'results', 1, 'status'), 'rejected');
    assert.equal(valueAt(each.json, 'results', 1, 'errors', 0, 'type'), 'code_invalid');
  });

  test('of a file is refused by its row and column', async () => {
    const height = await storedHeight(hub.database);

    const answer = await importRows(hub, [
      'f-1,RECEIVE,2026-03-02T06:15:00Z,MILL,PO-1,FLOUR-1,FLOUR,in,1,kg',
      `f-2,RECEIVE,2026-03-02T06:15:00Z,MILL,PO-2,${ZERO_WIDTH},FLOUR,in,1,kg`,
    ]);

    assert.equal(answer.status, 422);
    assert.deepEqual(
      listErrors(answer).map(([path, type]) => [path, type]),
      [['body.file.3.lot_code', 'code_invalid']],
    );
    assert.equal(await storedHeight(hub.database), height);
  });

  test('with a code of visible characters is stored, whatever they are', async () => {
    for (const lotCode of ['a/b', '小麦-1', 'Mehl 7', '...', 'ﬁ-1']) {
      const event = anEvent({
        external_id: `seen-${lotCode}`,
        lines: [aLine({ lot_code: lotCode })],
      });
      assert.equal((await hub.post('/v1/events', event)).status, 201, lotCode);
    }
  });

  test('a correction to an unfit code is refused', async () => {
    const posted = await hub.post('/v1/events', anEvent({ external_id: 'corrected' }));

    const answer = await hub.post('/v1/corrections', {
      corrects_event_id: posted.json['id'],
      reason: 'typo',
      requested_by: 'Ada',
      changes: [{ field: 'lines[0].lot_code', old_value: 'FLOUR-1', new_value: 'FLOUR-1\u200B' }],
    });

    assert.equal(answer.status, 422, answer.text);
    assert.deepEqual(
      listErrors(answer).map(([path, type]) => [path, type]),
      [['body.changes.0.new_value', 'code_invalid']],
    );
  });

  test('a lot that is looked for in vain is offered as it is written', async () => {
    await hub.post(
      '/v1/events',
      anEvent({
        external_id: 'L',
        lines: [aLine({ lot_code: 'RYE-7', supplier_lot_code: 'BR-9' })],
      }),
    );
    const paths = ['/v1/lots/', '/public/verify/', '/public/explorer/lot/'];

    for (const path of paths) {
      for (const asked of ['rye-7', ' RYE-7', 'ＲＹＥ－７', 'RYE\u200B-7']) {
        const answer = await hub.call(path + encodeURIComponent(asked));
        assert.equal(answer.status, 404, path + asked);
        assert.deepEqual(answer.json['similar'], ['RYE-7'], path + asked);
      }
      const unknown = await hub.call(`${path}NOTHING`);
      assert.deepEqual([unknown.status, 'similar' in unknown.json], [404, false]);
    }
    const elsewhere = await hub.call('/v1/lots/rye-7', { headers: { 'X-Tenant-Id': 'other' } });
    const simulated = await hub.post('/v1/recall/simulate', { lot_code: 'br-9' });
    const page = await hub.call('/lot/rye-7');

    assert.deepEqual([elsewhere.status, 'similar' in elsewhere.json], [404, false]);
    assert.deepEqual([simulated.status, simulated.json['similar']], [404, ['BR-9']]);
    assert.equal(page.status, 404);
    assert.match(page.text, /Did you mean <a href="\/lot\/RYE-7">/);
  });
});

describe('a supplier’s lot code', () => {
  let hub: Booted;
  before(async () => {
    hub = await boot();
    const from = (lot_code: string, supplier_lot_code: string) =>
      aLine({ lot_code, supplier_lot_code, supplier_name: 'Mill' });
    await hub.post('/v1/events', anEvent({ lines: [from('F-1', 'S-1'), from('F-2', 'S-2')] }));
    await hub.post('/v1/events', anEvent({ lines: [from('F-3', 'S-2')] }));
  });
  after(() => hub[Symbol.asyncDispose]());

  test('finds the lot that came in under it: its record, and its hold', async () => {
    const record = await hub.call('/v1/lots/S-1');
    const held = await hub.post('/v1/lots/S-1/hold', { reason: 'check', by: 'Ada' });
    const own = await hub.call('/v1/lots/F-1');
    const released = await hub.post('/v1/lots/S-1/release', { by: 'Ada' });

    assert.deepEqual([record.status, record.json['lot_code']], [200, 'F-1']);
    assert.deepEqual([held.json['lot_code'], held.json['hold_status']], ['F-1', 'on_hold']);
    assert.equal(own.json['hold_status'], 'on_hold');
    assert.deepEqual(
      [released.json['lot_code'], released.json['hold_status']],
      ['F-1', 'released'],
    );
  });

  test('of several lots is a 409 that names them, and holds none', async () => {
    const record = await hub.call('/v1/lots/S-2');
    const held = await hub.post('/v1/lots/S-2/hold', { reason: 'check', by: 'Ada' });

    assert.deepEqual([record.status, record.json['lots']], [409, ['F-2', 'F-3']]);
    assert.deepEqual([held.status, held.json['lots']], [409, ['F-2', 'F-3']]);
    assert.equal((await hub.call('/v1/lots/F-2')).json['hold_status'], 'released');
  });

  test('of another tenant is a 404', async () => {
    const elsewhere = await hub.call('/v1/lots/S-1', { headers: { 'X-Tenant-Id': 'other' } });

    assert.equal(elsewhere.status, 404);
  });

  test('finds its lots and their blocks in the explorer', async () => {
    const found = await hub.call('/public/explorer/search?q=S-2');
    const ofBrand = await hub.call('/public/explorer/search?q=S-2&brand=nobody');

    const listCodes = (answer: Answer) =>
      (answer.json['lots'] as unknown as readonly { lot_code: string }[]).map(
        (lot) => lot.lot_code,
      );
    const listHeights = (answer: Answer) =>
      (answer.json['blocks'] as unknown as readonly { height: number }[]).map((one) => one.height);
    assert.deepEqual(
      [listCodes(found), listHeights(found)],
      [
        ['F-2', 'F-3'],
        [2, 1],
      ],
    );
    assert.deepEqual(listCodes(ofBrand), []);
  });
});

/** An event as version 0.5 sealed it: codes were free, and it knew no word of "Supermarkt". */
const OLD: EventInput = makeEvent(
  'SELL',
  [
    makeLine('out', ZERO_WIDTH, {
      product_sku: 'FLOUR ',
      customer_ref: 'C-1',
      channel: 'Supermarkt',
    }),
  ],
  { external_id: 'old-1', reference: 'SO-1 ' },
);

describe('what version 0.5 stored', () => {
  let hub: Booted;
  before(async () => {
    const prepared = prepareEvent(OLD, {
      root: [],
      nowMs: systemClock.nowMs(),
      newSalt,
      identity: 'external_id',
    });
    assert.equal(prepared.kind, 'ready');
    assert.equal(prepared.unfit.length, 3);
    const eventText = prepared.draft.eventText.replace('"channel":"retail"', '"channel":"other"');
    assert.notEqual(eventText, prepared.draft.eventText);
    const database = await newTestDatabase();
    const store = await openTestStore(database);
    await store.append({
      tenantId: 'acme',
      caller: TEST_CALLER,
      drafts: [{ ...prepared.draft, eventText }],
      unit: 'all',
    });
    await store.close();
    hub = await boot({ database });
  });
  after(() => hub[Symbol.asyncDispose]());

  test('is replayed by the same event, alone and in a batch', async () => {
    const height = await storedHeight(hub.database);

    const one = await hub.post('/v1/events', OLD);
    const batch = await hub.post('/v1/events/batch', { events: [OLD] });

    assert.deepEqual([one.status, one.headers.get('idempotent-replay')], [200, 'true'], one.text);
    assert.deepEqual([batch.status, batch.json['duplicates']], [200, 1], batch.text);
    assert.equal(await storedHeight(hub.database), height);
  });

  test('is a duplicate in a file that holds it as it was', async () => {
    const [line] = OLD.lines;
    const row = [
      ...[OLD.external_id, OLD.event_type, OLD.occurred_at, OLD.location, OLD.reference],
      ...[line?.lot_code, line?.product_sku, line?.direction, line?.quantity, line?.unit],
      ...[line?.customer_ref, line?.channel],
    ];
    const answer = await importRows(hub, [row.join(',')], ',customer_ref,channel');

    assert.deepEqual([answer.status, answer.json['duplicates']], [200, 1], answer.text);
  });

  test('conflicts with other content under its id, and not with a rule for codes', async () => {
    const answer = await hub.post('/v1/events', { ...OLD, location: 'ELSEWHERE' });

    assert.equal(answer.status, 400);
    assert.match(String(answer.json['detail']), /differ: location/);
  });

  test('is found by its code, and keeps its public class', async () => {
    const lot = await hub.call(`/v1/lots/${encodeURIComponent(ZERO_WIDTH)}`);
    const verified = await hub.call(`/public/verify/${encodeURIComponent(ZERO_WIDTH)}`);
    const simulated = await hub.post('/v1/recall/simulate', { lot_code: ZERO_WIDTH });

    assert.deepEqual([lot.status, verified.status, simulated.status], [200, 200, 200]);
    assert.deepEqual(verified.json['channels_reached'], ['other']);
  });

  test('is held and corrected by its code, as `old_value` and as a path', async () => {
    const path = `/v1/lots/${encodeURIComponent(ZERO_WIDTH)}/hold`;
    const held = await hub.post(path, { reason: 'check', by: 'Ada' });
    const corrected = await hub.post('/v1/corrections', {
      corrects_event_id: (await hub.post('/v1/events', OLD)).json['id'],
      reason: 'typo',
      requested_by: 'Ada',
      changes: [{ field: 'lot_code', old_value: ZERO_WIDTH, new_value: 'FLOUR-1' }],
    });

    assert.equal(held.status, 200, held.text);
    assert.equal(corrected.status, 201, corrected.text);
  });
});
