// Tests the contents of a correction on the chain and in its response, and the values that it keeps
// off the chain: docs/chain-format.md#correction,
// docs/interface/traceability.md#what-may-be-corrected.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  HASH,
  RECEIVED,
  RECEIVED_TARGET,
  SOLD,
  SOLD_TARGET,
  change,
  computeCommitment,
  computeRequestCommitment,
  makeTarget,
  planned,
  sealed,
} from '../../test/corrections/correction-plans.ts';
import type { Change } from '../../test/corrections/correction-plans.ts';
import { NO_OFFSET } from '../events/prepare.ts';

test('the text is the documented correction in canonical form', () => {
  const { submission } = planned(RECEIVED_TARGET, change('lines[0].quantity', 250.5, 240));

  assert.equal(
    submission.correctionText,
    `{"changes":[{"field":"lines[0].quantity","from":"250.5","to":"240"}],` +
      `"corrects_block_hash":"${HASH}","corrects_block_height":7,"corrects_event_id":7,` +
      `"private":"${computeRequestCommitment(submission)}","reason":"typing error"}`,
  );
});

test('who asked is in a commitment that the submission opens, and nowhere else', () => {
  const { submission } = planned(RECEIVED_TARGET, change('location', 'DOCK-1', 'DOCK-2'));

  assert.equal(submission.privateRequest.requested_by, 'Jane Miller');
  assert.match(submission.privateRequest.salt, /^[0-9a-f]{64}$/);
  assert.ok(!submission.correctionText.includes('Miller'));
});

test('the submission names the event and the corrections it was planned after', () => {
  const target = makeTarget(RECEIVED, { correctedBy: [9, 12] });

  const { submission } = planned(target, change('location', 'DOCK-1', 'DOCK-2'));

  assert.equal(submission.correctsHeight, 7);
  assert.equal(submission.afterCount, 2);
});

const ORDINARY: readonly (readonly [Change, from: string, to: string])[] = [
  [
    change('occurred_at', '2026-03-02T06:15:00.5Z', '2026-03-03T07:00:00+01:00'),
    '2026-03-02T06:15:00.5Z',
    '2026-03-03T06:00:00Z',
  ],
  [change('location', 'DOCK-1', 'DOCK-2'), 'DOCK-1', 'DOCK-2'],
  [change('reference', 'PO-1', 'PO-2'), 'PO-1', 'PO-2'],
  [change('notes', 'dry', 'wet'), 'dry', 'wet'],
  [change('status', 'accepted', 'voided'), 'accepted', 'voided'],
  [change('lines[0].lot_code', 'FLOUR-1', 'FLOUR-9'), 'FLOUR-1', 'FLOUR-9'],
  [change('lines[0].product_sku', 'SKU', 'T55'), 'SKU', 'T55'],
  [change('lines[0].direction', 'in', 'out'), 'in', 'out'],
  [change('lines[0].quantity', 250.5, 0.000_5), '250.5', '0.0005'],
  [change('lines[0].unit', 'kg', 'g'), 'kg', 'g'],
  [change('lines[0].supplier_name', 'Mill', 'Mill 2'), 'Mill', 'Mill 2'],
];

for (const [one, from, to] of ORDINARY) {
  test(`a change of ${one.field} says from and to as they are in an event`, () => {
    const { changes, private: _private } = sealed(planned(RECEIVED_TARGET, one));

    assert.deepEqual(changes, [{ field: one.field, from, to }]);
  });
}

test('a value that there was not has no from, and one that is taken away no to', () => {
  const { changes } = sealed(
    planned(
      RECEIVED_TARGET,
      { field: 'notes', old_value: 'dry' },
      { field: 'lines[0].origin_facility', new_value: 'Silo 3' },
      change('lines[0].supplier_name', 'Mill', null),
      change('lines[0].supplier_lot_code', null, 'M-1'),
    ),
  );

  assert.deepEqual(changes, [
    { field: 'notes', from: 'dry' },
    { field: 'lines[0].origin_facility', to: 'Silo 3' },
    { field: 'lines[0].supplier_name', from: 'Mill' },
    { field: 'lines[0].supplier_lot_code', to: 'M-1' },
  ]);
});

test('changes keep the order in which they were asked for', () => {
  const { changes } = sealed(
    planned(
      RECEIVED_TARGET,
      change('reference', 'PO-1', 'PO-2'),
      change('lines[2].quantity', 10, 11),
      change('location', 'DOCK-1', 'DOCK-2'),
      change('lines[1].quantity', 10, 12),
    ),
  );

  assert.deepEqual(
    changes.map(({ field }) => field),
    ['reference', 'lines[2].quantity', 'location', 'lines[1].quantity'],
  );
});

for (const field of ['lines[1].unit', 'lines.1.unit', '/lines/1/unit', 'unit']) {
  test(`${field} is on the chain as lines[1].unit`, () => {
    const plan = planned(RECEIVED_TARGET, change(field, 'bag', 'sack'));

    assert.deepEqual(sealed(plan).changes, [{ field: 'lines[1].unit', from: 'bag', to: 'sack' }]);
    assert.deepEqual(plan.changes, [
      { field: 'lines[1].unit', old_value: 'bag', new_value: 'sack' },
    ]);
  });
}

test('/location is on the chain as location', () => {
  const { changes } = sealed(planned(RECEIVED_TARGET, change('/location', 'DOCK-1', 'DOCK-2')));

  assert.deepEqual(changes, [{ field: 'location', from: 'DOCK-1', to: 'DOCK-2' }]);
});

test('the answer shows quantities as numbers, instants in UTC and what is none as null', () => {
  const { changes } = planned(
    RECEIVED_TARGET,
    change('/lines/0/quantity', '250.50', 240),
    change('occurred_at', '2026-03-02T07:15:00.500+01:00', '2026-03-02T08:00:00+01:00'),
    { field: 'notes', old_value: 'dry' },
    { field: 'lines[1].supplier_name', new_value: 'Mill' },
    change('status', 'accepted', 'voided'),
  );

  assert.deepEqual(changes, [
    { field: 'lines[0].quantity', old_value: 250.5, new_value: 240 },
    {
      field: 'occurred_at',
      old_value: '2026-03-02T06:15:00.5Z',
      new_value: '2026-03-02T07:00:00Z',
    },
    { field: 'notes', old_value: 'dry', new_value: null },
    { field: 'lines[1].supplier_name', old_value: null, new_value: 'Mill' },
    { field: 'status', old_value: 'accepted', new_value: 'voided' },
  ]);
});

// Private values.

test('a customer is on the chain as a commitment alone', () => {
  const plan = planned(SOLD_TARGET, change('lines[0].customer_ref', 'CUST-1', 'CUST-2'));

  const [secret] = plan.submission.privateChanges;
  const { salt } = secret!;
  assert.deepEqual(secret, { change_no: 0, from_text: 'CUST-1', to_text: 'CUST-2', salt });
  assert.deepEqual(sealed(plan).changes, [
    {
      field: 'lines[0].customer_ref',
      private: computeCommitment({ from: 'CUST-1', to: 'CUST-2', salt }),
    },
  ]);
  assert.deepEqual(plan.changes, [
    { field: 'lines[0].customer_ref', old_value: 'CUST-1', new_value: 'CUST-2' },
  ]);
});

const CHANNELS: readonly (readonly [string, lineNo: 0 | 1, to: string | null, object])[] = [
  ['another class', 0, 'Webshop Süd', { from: 'retail', to: 'online' }],
  ['the same class', 0, 'Supermarket South', { from: 'retail', to: 'retail' }],
  ['none', 0, null, { from: 'retail' }],
  ['one where there was none', 1, 'catering', { to: 'food_service' }],
];

for (const [what, lineNo, to, classes] of CHANNELS) {
  test(`a channel corrected to ${what} shows classes and commits to the texts`, () => {
    const from = lineNo === 0 ? 'Supermarket North' : null;

    const plan = planned(SOLD_TARGET, change(`lines[${lineNo}].channel`, from, to));

    const { salt } = plan.submission.privateChanges[0]!;
    const values = { ...(from === null ? {} : { from }), ...(to === null ? {} : { to }) };
    assert.deepEqual(sealed(plan).changes, [
      {
        field: `lines[${lineNo}].channel`,
        ...classes,
        private: computeCommitment({ ...values, salt }),
      },
    ]);
    assert.doesNotMatch(plan.submission.correctionText, /Supermarket|Webshop|catering/);
  });
}

test('a channel corrected to a text of unknown words is warned of, and not quoted', () => {
  const [known, unknown] = ['Hofladen', 'Kanal 7'].map((to) =>
    planned(SOLD_TARGET, change('lines[0].channel', 'Supermarket North', to)),
  );

  assert.deepEqual(known?.warnings, []);
  assert.deepEqual(
    unknown?.warnings.map(({ code }) => code),
    ['channel_unknown'],
  );
  assert.doesNotMatch(JSON.stringify(unknown?.warnings), /Kanal/);
});

test('the class of a channel whose text was erased is still the one on the chain', () => {
  const target = makeTarget(SOLD);

  const { changes } = sealed(planned(target, change('lines[0].channel', null, 'webshop')));

  assert.equal(changes[0]!.from, 'retail');
  assert.equal(changes[0]!.to, 'online');
});

for (const [what, from, to] of [
  ['changed', 'back door', 'front door'],
  ['taken away', 'back door', null],
] as const) {
  test(`notes of a SELL that are ${what} are on the chain as a commitment alone`, () => {
    const plan = planned(SOLD_TARGET, change('notes', from, to));

    const { salt } = plan.submission.privateChanges[0]!;
    const values = { from, ...(to === null ? {} : { to }) };
    assert.deepEqual(sealed(plan).changes, [
      { field: 'notes', private: computeCommitment({ ...values, salt }) },
    ]);
    assert.ok(!plan.submission.correctionText.includes('door'));
  });
}

test('private changes are numbered as they are among all changes', () => {
  const { privateChanges } = planned(
    SOLD_TARGET,
    change('location', 'SHOP-1', 'SHOP-2'),
    change('lines[0].customer_ref', 'CUST-1', null),
    change('reference', 'SO-1', 'SO-2'),
    change('notes', 'back door', null),
  ).submission;

  assert.deepEqual(
    privateChanges.map(({ change_no }) => change_no),
    [1, 3],
  );
});

test('no two commitments of a correction share a salt', () => {
  const { privateRequest, privateChanges } = planned(
    SOLD_TARGET,
    change('lines[0].customer_ref', 'CUST-1', 'CUST-2'),
    change('lines[0].channel', 'Supermarket North', 'webshop'),
    change('notes', 'back door', 'front door'),
  ).submission;

  const salts = [privateRequest, ...privateChanges].map(({ salt }) => salt);
  assert.equal(new Set(salts).size, 4);
});

// Warnings.

test('a new instant without an offset is read as UTC with the warning of posting', () => {
  const plan = planned(
    RECEIVED_TARGET,
    change('occurred_at', '2026-03-02T06:15:00.5Z', '2026-03-03T06:00:00'),
  );

  assert.equal(sealed(plan).changes[0]!.to, '2026-03-03T06:00:00Z');
  assert.deepEqual(plan.warnings, [NO_OFFSET]);
});

test('an old instant without an offset and any other change give no warning', () => {
  const { warnings } = planned(
    RECEIVED_TARGET,
    change('occurred_at', '2026-03-02T06:15:00.5', '2026-03-03T06:00:00Z'),
    change('location', 'DOCK-1', '2026-03-03T06:00:00'),
  );

  assert.deepEqual(warnings, []);
});
