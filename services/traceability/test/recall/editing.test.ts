// Editing an open case: its texts, lots that are added and excluded by hand, and what that does to lots, holds,
// notices and later widenings (PATCH /v1/recall/cases/{case_no}).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { aLine, anEvent, boot, valueAt, type Json } from '../boot.ts';
import { caughtUp, coveredLots, readNotifications } from './following.ts';
import { CASE, RecallTenant, readArray } from './tenant.ts';

const hub = await openForFile(boot());

/** Flour that bread was made of, bread that was sold, and rye of which rolls were made. */
async function bakery(): Promise<RecallTenant> {
  const tenant = new RecallTenant(hub);
  await tenant.receive('FLOUR', 'RYE');
  await tenant.produce(['FLOUR'], ['BREAD-1', 'BREAD-2']);
  await tenant.produce(['RYE'], ['ROLLS']);
  return tenant;
}

const scope = (add: readonly string[], exclude: readonly string[] = []) => ({
  scope: {
    ...(add.length === 0 ? {} : { add }),
    ...(exclude.length === 0 ? {} : { exclude }),
    reason: 'the plant manager says so',
  },
});

async function height(): Promise<number> {
  return Number((await hub.database.rows('select height from head'))[0]?.['height']);
}

const listCodes = (lots: readonly string[]) => lots.map((lot) => String(lot.split(' ')[0]));

async function covered(caseNo: unknown): Promise<readonly string[]> {
  return listCodes(await coveredLots(hub, String(caseNo)));
}

function editedSteps(detail: Json): readonly Json[] {
  return readArray(detail['timeline']).filter((step) => step['edited'] !== undefined);
}

function soldTo(customer: string, lot: string): Record<string, unknown> {
  const line = aLine({ lot_code: lot, product_sku: 'SKU', direction: 'out' });
  return anEvent({ event_type: 'SELL', lines: [{ ...line, customer_ref: customer }] });
}

test('an edit of texts answers the case with what changed from what, and the block that says so', async () => {
  const tenant = await bakery();
  const { case_no: caseNo } = await tenant.open('FLOUR', { severity: 'class_ii' });

  const edited = await tenant.edit(caseNo, {
    title: 'Metal in all bread',
    severity: 'class_i',
    note: 'the laboratory called',
    changed_by: 'Bo Lang',
  });

  assert.deepEqual(
    [edited['title'], edited['reason'], edited['severity'], edited['status']],
    ['Metal in all bread', CASE.reason, 'class_i', 'investigation'],
  );
  const [step, ...others] = editedSteps(edited);
  assert.deepEqual(others, []);
  assert.deepEqual(step, {
    from_status: 'investigation',
    status: 'investigation',
    at: edited['updated_at'],
    by: 'Bo Lang',
    note: 'the laboratory called',
    block_height: edited['block_height'],
    block_hash: edited['block_hash'],
    edited: {
      changes: [
        { field: 'title', from: CASE.title, to: 'Metal in all bread' },
        { field: 'severity', from: 'class_ii', to: 'class_i' },
      ],
      lots_added: 0,
      lots_excluded: 0,
      lots_restored: 0,
      scope_reason: null,
    },
  });
  assert.equal(edited['edits_total'], 1);
  const [notice] = await tenant.notices();
  assert.deepEqual([notice?.['title'], notice?.['severity']], ['Metal in all bread', 'class_i']);
});

test('an edit that changes nothing is a 200 and seals no block', async () => {
  const tenant = await bakery();
  const { case_no: caseNo } = await tenant.open('FLOUR');
  await caughtUp(hub);
  const before = await height();

  for (const body of [
    { title: CASE.title, reason: CASE.reason, note: 'a second look' },
    { severity: 'unclassified' },
    scope(['BREAD-1', 'FLOUR']),
  ]) {
    const answer = await tenant.edit(caseNo, body);
    assert.deepEqual([answer['block_height'], answer['block_hash']], [null, null]);
    assert.deepEqual(editedSteps(answer), []);
  }

  assert.equal(await height(), before);
});

for (const [what, body] of [
  ['nothing', {}],
  ['a note alone', { note: 'hm', changed_by: 'Bo' }],
  ['null alone', { title: null, reason: null }],
  ['an empty title', { title: '' }],
  ['a title of 501 characters', { title: 'x'.repeat(501) }],
  ['an unknown severity', { severity: 'class_iv' }],
  ['a scope without a reason', { scope: { add: ['RYE'] } }],
  ['a scope without lots', { scope: { add: [], reason: 'so' } }],
  ['a lot twice', { scope: { add: ['RYE', 'RYE'], reason: 'so' } }],
  ['a lot in both lists', { scope: { add: ['RYE'], exclude: ['RYE'], reason: 'so' } }],
  ['an unknown lot', { scope: { add: ['RYE', 'NOWHERE'], reason: 'so' } }],
  [
    'more than 10,000 lots in both lists',
    {
      scope: {
        add: Array.from({ length: 9_999 }, (_, index) => `A-${index}`),
        exclude: ['FLOUR', 'RYE'],
        reason: 'so',
      },
    },
  ],
] as const) {
  test(`an edit with ${what} is a 422 that changes nothing`, async () => {
    const tenant = await bakery();
    const { case_no: caseNo } = await tenant.open('FLOUR');
    const before = await height();

    const answer = await tenant.tryEdit(caseNo, body);

    assert.equal(answer.status, 422, answer.text);
    assert.equal(await height(), before);
  });
}

test('an unknown lot is named by its place, as lots that are held together are', async () => {
  const tenant = await bakery();
  const { case_no: caseNo } = await tenant.open('FLOUR');

  const answer = await tenant.tryEdit(caseNo, scope(['RYE'], ['NOWHERE']));

  assert.deepEqual(valueAt(answer.json, 'detail', 0, 'loc'), ['body', 'scope', 'exclude', 0]);
});

test('unknown keys of an edit are accepted and named', async () => {
  const tenant = await bakery();
  const { case_no: caseNo } = await tenant.open('FLOUR');

  const answer = await tenant.edit(caseNo, { title: 'Glass', colour: 'red' });

  assert.equal(valueAt(answer, 'warnings', 0, 'code'), 'unknown_keys');
  assert.match(String(valueAt(answer, 'warnings', 0, 'message')), /colour/);
});

test('a case that has ended cannot be edited, nor that of another tenant', async () => {
  const tenant = await bakery();
  const { case_no: caseNo } = await tenant.open('FLOUR');
  await tenant.moveThrough(caseNo, 'cancelled');

  const ended = await tenant.tryEdit(caseNo, { title: 'Glass' });
  const foreign = await new RecallTenant(hub).tryEdit(caseNo, { title: 'Glass' });

  assert.equal(ended.status, 400);
  assert.match(String(ended.json['detail']), /cancelled/);
  assert.equal(foreign.status, 404);
});

test('a lot that is added is a further seed: what it became is covered, held and recalled, also later', async () => {
  const tenant = await bakery();
  await tenant.post(soldTo('CUST-9', 'ROLLS'));
  const { case_no: caseNo } = await tenant.open('FLOUR');
  await tenant.moveThrough(caseNo, 'notification');

  const edited = await tenant.edit(caseNo, scope(['RYE']));

  assert.deepEqual(await coveredLots(hub, String(caseNo)), [
    'BREAD-1 downstream 1 on_hold',
    'BREAD-2 downstream 1 on_hold',
    'FLOUR self 0 on_hold',
    'ROLLS downstream 1 on_hold',
    'RYE self 0 on_hold',
  ]);
  assert.equal(await tenant.standing('ROLLS'), 'recalled on_hold');
  assert.deepEqual(valueAt(edited, 'impact', 'added_by_hand'), { total: 1, lot_codes: ['RYE'] });
  assert.deepEqual(valueAt(edited, 'impact', 'added_since_open', 'lot_codes'), ['RYE', 'ROLLS']);
  assert.equal(valueAt(editedSteps(edited)[0], 'edited', 'lots_added'), 1);
  assert.equal(
    valueAt(editedSteps(edited)[0], 'edited', 'scope_reason'),
    'the plant manager says so',
  );
  const notified = await readNotifications(hub, String(caseNo));
  assert.ok(notified.includes('customer CUST-9 ready'), notified.join(', '));

  await tenant.produce(['ROLLS'], ['CRUMBS']);
  await caughtUp(hub);

  assert.ok((await coveredLots(hub, String(caseNo))).includes('CRUMBS downstream 2 on_hold'));
});

test('an added lot is traced in the direction of the case alone', async () => {
  const tenant = await bakery();
  const { case_no: caseNo } = await tenant.open('BREAD-1', { direction: 'upstream' });

  await tenant.edit(caseNo, scope(['ROLLS']));

  assert.deepEqual(await covered(caseNo), ['BREAD-1', 'FLOUR', 'ROLLS', 'RYE']);
});

test('a case on a supplier’s lot covers an added lot and what was made of it', async () => {
  const tenant = new RecallTenant(hub);
  await tenant.post({ lines: [aLine({ lot_code: 'OWN', supplier_lot_code: 'S-77' })] });
  await tenant.receive('RYE');
  await tenant.produce(['OWN'], ['BREAD']);
  await tenant.produce(['RYE'], ['ROLLS']);
  const { case_no: caseNo } = await tenant.open('S-77');

  await tenant.edit(caseNo, scope(['RYE'], ['OWN']));

  assert.deepEqual(await coveredLots(hub, String(caseNo)), [
    'BREAD downstream 2 on_hold',
    'ROLLS downstream 1 on_hold',
    'RYE self 0 on_hold',
  ]);
});

test('a lot that is excluded is free of the case: hold, recall and notice end, others stay', async () => {
  const tenant = await bakery();
  await tenant.produce(['BREAD-1'], ['CRUMBS']);
  const { case_no: other } = await tenant.open('BREAD-2', { direction: 'downstream' });
  const { case_no: caseNo } = await tenant.open('FLOUR');
  await tenant.moveThrough(caseNo, 'notification');
  await hub.post('/v1/lots/BREAD-1/hold', { by: 'Ada', reason: 'a look' }, tenant.headers);

  const edited = await tenant.edit(caseNo, {
    ...scope([], ['BREAD-1', 'BREAD-2', 'ROLLS']),
    changed_by: 'Bo Lang',
  });

  assert.deepEqual(await covered(caseNo), ['CRUMBS', 'FLOUR']);
  assert.equal(await tenant.standing('BREAD-1'), 'depleted on_hold');
  assert.deepEqual(
    readArray((await tenant.lot('BREAD-1'))['holds']).map((hold) => hold['case_no']),
    ['manual'],
  );
  assert.deepEqual(
    readArray((await tenant.lot('BREAD-2'))['holds']).map((hold) => hold['case_no']),
    [other],
  );
  assert.deepEqual(readArray((await tenant.verify('BREAD-1'))['recall_notices']), []);
  assert.deepEqual(valueAt(edited, 'impact', 'excluded_by_hand'), {
    total: 3,
    lot_codes: ['BREAD-1', 'BREAD-2', 'ROLLS'],
  });
  const ended = await hub.database.rows(
    `select h.released_by as by from lot_holds h join lots l on l.lot_no = h.lot_no
    where h.source = ? and l.lot_code = 'BREAD-1'`,
    String(caseNo),
  );
  assert.deepEqual(
    ended.map((row) => row['by']),
    ['Bo Lang'],
  );
  const { notices } = (await hub.call(`/public/notices?brand=${tenant.id}`)).json;
  const ofCase = readArray(notices).find((notice) => notice['case_no'] === caseNo);
  assert.deepEqual(ofCase?.['lot_codes'], ['FLOUR', 'CRUMBS']);
});

test('what lies beyond an excluded lot enters the case, and the lot itself never does', async () => {
  const tenant = await bakery();
  const { case_no: caseNo } = await tenant.open('FLOUR');
  await tenant.edit(caseNo, scope([], ['BREAD-1', 'RYE']));

  await tenant.produce(['BREAD-1'], ['CRUMBS']);
  await caughtUp(hub);
  assert.deepEqual(await covered(caseNo), ['BREAD-2', 'CRUMBS', 'FLOUR']);

  await tenant.produce(['FLOUR'], ['DOUGH']);
  await tenant.produce(['DOUGH'], ['RYE']);
  await caughtUp(hub);
  assert.deepEqual(await covered(caseNo), ['BREAD-2', 'CRUMBS', 'DOUGH', 'FLOUR', 'ROLLS']);
});

test('adding an excluded lot takes the exclusion back, and excluding an added lot the addition', async () => {
  const tenant = await bakery();
  const { case_no: caseNo } = await tenant.open('BREAD-1');
  const before = await coveredLots(hub, String(caseNo));

  await tenant.edit(caseNo, scope([], ['FLOUR']));
  assert.deepEqual(await covered(caseNo), ['BREAD-1']);
  const back = await tenant.edit(caseNo, scope(['FLOUR']));
  assert.deepEqual(await coveredLots(hub, String(caseNo)), before);
  assert.equal(valueAt(editedSteps(back).at(-1), 'edited', 'lots_restored'), 1);
  assert.deepEqual(valueAt(back, 'impact', 'excluded_by_hand'), { total: 0, lot_codes: [] });

  await tenant.edit(caseNo, scope(['RYE']));
  assert.deepEqual(await covered(caseNo), ['BREAD-1', 'FLOUR', 'ROLLS', 'RYE']);
  await tenant.edit(caseNo, scope([], ['RYE']));
  assert.deepEqual(await coveredLots(hub, String(caseNo)), before);
  const again = await tenant.edit(caseNo, scope([], ['RYE']));
  assert.equal(again['block_height'], null);
});

test('the lot that a case was opened for may be excluded: its notice does not name it as covered', async () => {
  const tenant = await bakery();
  const { case_no: caseNo } = await tenant.open('FLOUR');

  await tenant.edit(caseNo, scope([], ['FLOUR']));

  const [notice] = await tenant.notices();
  assert.deepEqual(notice?.['lot_codes'], ['BREAD-1', 'BREAD-2']);
  assert.match(String(notice?.['verify_url']), /BREAD-1/);
});

test('the public history shows an edit from what to what, and nobody’s name, note or reason', async () => {
  const tenant = await bakery();
  const { case_no: caseNo } = await tenant.open('FLOUR');
  const edited = await tenant.edit(caseNo, {
    title: 'Metal in all bread',
    ...scope(['RYE'], ['BREAD-2']),
    note: 'a private note',
    changed_by: 'Bo Lang',
  });

  const history = await hub.call(`/public/notices/${String(caseNo)}/history`);

  const step = readArray(history.json['steps']).at(-1);
  assert.deepEqual(
    [step?.['change'], step?.['block_height'], step?.['block_hash']],
    ['edited', edited['block_height'], edited['block_hash']],
  );
  assert.deepEqual(step?.['edited'], {
    changes: [{ field: 'title', from: CASE.title, to: 'Metal in all bread' }],
    lots_added: 1,
    lots_excluded: 1,
    lots_restored: 0,
  });
  const block = await hub.call(`/public/explorer/block/${String(edited['block_height'])}`);
  assert.match(block.text, /Metal in all bread/);
  for (const text of [history.text, block.text]) {
    assert.doesNotMatch(text, /Bo Lang|a private note|plant manager/);
  }
});

test('an edit of the text of a case in notification seals anew what consumers read', async () => {
  const tenant = await bakery();
  const { case_no: caseNo } = await tenant.open('FLOUR');
  const quiet = await tenant.edit(caseNo, { title: 'Glass' });
  await tenant.moveThrough(caseNo, 'notification');

  const edited = await tenant.edit(caseNo, { severity: 'class_i' });

  const readNotice = async (answer: Json) => {
    const [row] = await hub.database.rows(
      'select canonical from blocks where height = ?',
      Number(answer['block_height']),
    );
    return valueAt(
      JSON.parse(String(row?.['canonical'])),
      'payload',
      'decision',
      'notice',
      'advice',
    );
  };
  const [notice] = await tenant.notices();
  assert.equal(await readNotice(quiet), undefined);
  assert.equal(await readNotice(edited), notice?.['advice']);
});

test('of two edits that race both are made, the later on the case as the earlier left it', async () => {
  const tenant = await bakery();
  const { case_no: caseNo } = await tenant.open('FLOUR');

  const answers = await Promise.all([
    tenant.tryEdit(caseNo, { title: 'Glass' }),
    tenant.tryEdit(caseNo, { title: 'Wood' }),
    tenant.tryEdit(caseNo, scope(['RYE'])),
    tenant.tryEdit(caseNo, scope([], ['BREAD-1'])),
    tenant.move(caseNo, 'notification'),
  ]);

  for (const answer of answers) assert.equal(answer.status, 200, answer.text);
  const detail = await tenant.detail(caseNo);
  const changes = editedSteps(detail).flatMap((step) =>
    readArray(valueAt(step, 'edited', 'changes')),
  );
  assert.deepEqual(
    [changes.length, changes[0]?.['from'], changes[1]?.['from'], changes[1]?.['to']],
    [2, CASE.title, changes[0]?.['to'], detail['title']],
  );
  assert.deepEqual(await covered(caseNo), ['BREAD-2', 'FLOUR', 'ROLLS', 'RYE']);
});

test('events that are recorded while lots are added are in the case', async () => {
  const tenant = await bakery();
  const { case_no: caseNo } = await tenant.open('FLOUR');

  await Promise.all([
    tenant.edit(caseNo, scope(['RYE'])),
    ...Array.from({ length: 10 }, (_, index) => tenant.produce(['RYE'], [`LATE-${index}`])),
  ]);
  await caughtUp(hub);

  const late = (await covered(caseNo)).filter((code) => code.startsWith('LATE'));
  assert.equal(late.length, 10);
});

test('a large edit has several blocks of one transaction, and each names who ended its holds', async () => {
  const tenant = new RecallTenant(hub);
  const lots = Array.from({ length: 1_700 }, (_, index) => `L-${String(index).padStart(4, '0')}`);
  await tenant.receive('FLOUR');
  for (let from = 0; from < lots.length; from += 100) {
    await tenant.produce(['FLOUR'], lots.slice(from, from + 100));
  }
  const { case_no: caseNo } = await tenant.open('FLOUR');

  const edited = await tenant.edit(caseNo, { ...scope([], lots), changed_by: 'Bo Lang' });

  assert.deepEqual(await covered(caseNo), ['FLOUR']);
  assert.equal(valueAt(editedSteps(edited)[0], 'edited', 'lots_excluded'), 1_700);
  const ended = await hub.database.rows(
    `select released_by as by, count(*) as holds from lot_holds where source = ?
      and released_at is not null group by released_by`,
    String(caseNo),
  );
  assert.deepEqual(
    ended.map((row) => ({ ...row })),
    [{ by: 'Bo Lang', holds: 1_700 }],
  );
  const path = `/v1/recall/cases/${String(caseNo)}/lots/by-hand?said=excluded&limit=200`;
  const page = (await tenant.get(path)).json;
  assert.deepEqual(
    [page['total'], readArray(page['lots']).length, page['next']],
    [1_700, 200, 'L-0199'],
  );
  const next = (await tenant.get(`${path}&after=L-0199`)).json;
  assert.equal(readArray(next['lots'])[0]?.['lot_code'], 'L-0200');
  const history = (await hub.call(`/public/notices/${String(caseNo)}/history`)).json;
  const parts = readArray(history['steps']).filter((step) => step['edited'] !== undefined);
  assert.equal(parts.length, 4);
});
