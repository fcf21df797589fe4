// Tests which corrections are refused, each with its sentence: written from
// docs/interface/traceability.md#what-may-be-corrected.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  HASH,
  RECEIVED,
  RECEIVED_TARGET,
  SOLD_TARGET,
  assertRefused,
  change,
  makeTarget,
  planned,
  sealed,
} from '../../test/corrections/correction-plans.ts';
import type { Change } from '../../test/corrections/correction-plans.ts';
import { applyCorrection, asSealed } from '../ledger/record/effective.ts';
import type { Payload } from '../ledger/record/payload.ts';
import type { Block } from '../ledger/read.ts';
import { refuseUncorrectable } from './plan.ts';
import type { ChangeValue } from './schema.ts';

// Old values.

const EQUAL: readonly (readonly [field: string, ChangeValue])[] = [
  ['lines[0].quantity', 250.5],
  ['lines[0].quantity', '250.5'],
  ['lines[0].quantity', '250.50'],
  ['lines[0].quantity', '0250.500'],
  ['lines[1].quantity', 10],
  ['lines[1].quantity', '10.0'],
  ['occurred_at', '2026-03-02T06:15:00.5Z'],
  ['occurred_at', '2026-03-02T06:15:00.500Z'],
  ['occurred_at', '2026-03-02T07:15:00,5+01:00'],
  ['occurred_at', '2026-03-02T06:15:00.5'],
];

for (const [field, value] of EQUAL) {
  test(`${JSON.stringify(value)} is the value of ${field}`, () => {
    const newValue = field === 'occurred_at' ? '2026-01-01T00:00:00Z' : 77;

    assert.doesNotThrow(() => planned(RECEIVED_TARGET, change(field, value, newValue)));
  });
}

const DIFFERENT: readonly (readonly [field: string, ChangeValue])[] = [
  ['lines[0].quantity', 250],
  ['lines[0].quantity', -250.5],
  ['lines[1].quantity', -10],
  ['lines[0].quantity', '-250.5'],
  ['lines[0].quantity', '250,5'],
  ['lines[0].quantity', '2.505e2'],
  ['lines[0].quantity', '250.5000000000000000001'],
  ['lines[0].quantity', ' 250.5'],
  ['lines[0].quantity', ''],
  ['lines[0].quantity', null],
  ['occurred_at', '2026-03-02T06:15:00Z'],
  ['occurred_at', '2026-03-02T06:15:00.5+01:00'],
  ['occurred_at', '2026-03-02'],
  ['occurred_at', 'yesterday'],
  ['occurred_at', 1_772_432_100.5],
  ['occurred_at', null],
  ['location', 'DOCK-2'],
  ['location', 'dock-1'],
  ['location', 'DOCK-1 '],
  ['location', null],
  ['notes', null],
  ['notes', ''],
  ['notes', 'wet'],
  ['lines[0].supplier_name', null],
  ['lines[1].supplier_name', 'Mill'],
  ['lines[1].supplier_name', ''],
  ['lines[0].direction', 'out'],
  ['status', 'voided'],
  ['status', 'corrected'],
  ['status', null],
];

const ANOTHER_VALUE: Readonly<Record<string, ChangeValue>> = {
  occurred_at: '2026-01-01T00:00:00Z',
  status: 'voided',
  'lines[0].quantity': 77,
  'lines[1].quantity': 77,
  'lines[0].direction': 'out',
};

for (const [field, value] of DIFFERENT) {
  test(`${JSON.stringify(value)} is not the value of ${field}`, () => {
    const newValue = ANOTHER_VALUE[field] ?? 'other';

    assertRefused(`changes[0].old_value is not the value that ${field} has now`, () =>
      planned(RECEIVED_TARGET, change(field, value, newValue)),
    );
  });
}

test('an old value is compared with what counts, not with what was sealed', () => {
  const { correction, ...rest } = {
    height: 9,
    correction: sealed(planned(RECEIVED_TARGET, change('location', 'DOCK-1', 'DOCK-2'))),
  };
  const target = makeTarget(RECEIVED, applyCorrection(asSealed(RECEIVED), { ...rest, correction }));

  assert.doesNotThrow(() => planned(target, change('location', 'DOCK-2', 'DOCK-3')));
  assertRefused('changes[0].old_value is not the value that location has now', () =>
    planned(target, change('location', 'DOCK-1', 'DOCK-3')),
  );
});

test('a text that is a number is not equal to that number', () => {
  const target = makeTarget({ ...RECEIVED, reference: '4711' });

  assertRefused('changes[0].old_value is not the value that reference has now', () =>
    planned(target, change('reference', 4711, '4712')),
  );
});

test('a wrong guess at a private value is refused without the value', () => {
  for (const field of ['lines[0].customer_ref', 'lines[0].channel', 'notes']) {
    assertRefused(`changes[0].old_value is not the value that ${field} has now`, () =>
      planned(SOLD_TARGET, change(field, 'guess', 'other')),
    );
  }
});

test('the class of a channel is not its value', () => {
  assertRefused('changes[0].old_value is not the value that lines[0].channel has now', () =>
    planned(SOLD_TARGET, change('lines[0].channel', 'retail', 'online')),
  );
});

// New values.

const UNCHANGED: readonly Change[] = [
  change('location', 'DOCK-1', 'DOCK-1'),
  change('lines[0].quantity', '250.50', 250.5),
  change('occurred_at', '2026-03-02T06:15:00.5Z', '2026-03-02T07:15:00.5+01:00'),
  change('lines[1].supplier_name', null, null),
  { field: 'lines[1].origin_facility' },
  change('status', 'accepted', 'accepted'),
];

for (const one of UNCHANGED) {
  test(`a change of ${one.field} to the value that it has is refused`, () => {
    assertRefused(`changes[0].new_value is the value that ${one.field} has already`, () =>
      planned(RECEIVED_TARGET, one),
    );
  });
}

test('a channel of the same class is another value, the same text is not', () => {
  assertRefused('changes[0].new_value is the value that lines[0].channel has already', () =>
    planned(SOLD_TARGET, change('lines[0].channel', 'Supermarket North', 'Supermarket North')),
  );
});

// Fields.

const NO_FIELD = 'changes[0].field names no field of an event that can be corrected';
const NO_LINE = 'changes[0].field names a line that the event does not have';

const REFUSED_FIELDS: readonly (readonly [string, string])[] = [
  ['colour', NO_FIELD],
  ['lines', NO_FIELD],
  ['lines[0].private', NO_FIELD],
  ['lines[-1].unit', NO_FIELD],
  ['__proto__', NO_FIELD],
  [
    'event_type',
    'changes[0].field: event_type cannot be corrected; void the event and post it anew',
  ],
  [
    '/external_id',
    'changes[0].field: external_id cannot be corrected; void the event and post it anew',
  ],
  ['lines[3].unit', NO_LINE],
  ['lines.999.unit', NO_LINE],
  [`/lines/${'9'.repeat(40)}/unit`, NO_LINE],
  ['lines[0].customer_ref', 'changes[0].field: only SELL events have a customer_ref'],
  ['lines[0].channel', 'changes[0].field: only SELL events have a channel'],
  ['customer_ref', 'changes[0].field: only SELL events have a customer_ref'],
  ['channel', 'changes[0].field: only SELL events have a channel'],
];

for (const [field, message] of REFUSED_FIELDS) {
  test(`${field.slice(0, 40)} of a RECEIVE of three lines is refused`, () => {
    assertRefused(message, () => planned(RECEIVED_TARGET, change(field, null, 'x')));
  });
}

for (const [first, second] of [
  ['lines[0].quantity', 'lines.0.quantity'],
  ['lines[0].quantity', '/lines/0/quantity'],
  ['lines[0].quantity', 'quantity'],
  ['quantity', 'quantity'],
] as const) {
  test(`${first} and ${second} are one field, which cannot be changed twice`, () => {
    assertRefused('changes[1].field: lines[0].quantity is changed twice', () =>
      planned(RECEIVED_TARGET, change(first, 250.5, 1), change(second, 250.5, 2)),
    );
  });
}

test('the first change that cannot be made is named, counted from 0', () => {
  assertRefused('changes[1].old_value is not the value that reference has now', () =>
    planned(
      RECEIVED_TARGET,
      change('location', 'DOCK-1', 'DOCK-2'),
      change('reference', 'PO-9', 'PO-2'),
      change('colour', 'red', 'blue'),
    ),
  );
});

// Bare fields of a line.

test('a bare field means the one line that has the old value', () => {
  const found = [
    sealed(planned(RECEIVED_TARGET, change('quantity', '250.50', 240))),
    sealed(planned(RECEIVED_TARGET, change('lot_code', 'FLOUR-3', 'FLOUR-4'))),
    sealed(planned(SOLD_TARGET, change('customer_ref', 'CUST-1', 'CUST-2'))),
    sealed(planned(SOLD_TARGET, change('channel', null, 'webshop'))),
  ].map(({ changes }) => changes[0]!.field);

  assert.deepEqual(found, [
    'lines[0].quantity',
    'lines[2].lot_code',
    'lines[0].customer_ref',
    'lines[1].channel',
  ]);
});

test('a bare field whose old value no line has is refused', () => {
  for (const value of [11, '11', -10, 'ten', null]) {
    assertRefused('changes[0].old_value is the quantity of no line', () =>
      planned(RECEIVED_TARGET, change('quantity', value, 12)),
    );
  }
});

test('a bare field whose old value several lines have is refused', () => {
  assertRefused(
    'changes[0].old_value is the quantity of 2 lines; ' +
      'name the one to correct, such as lines[1].quantity',
    () => planned(RECEIVED_TARGET, change('quantity', 10, 12)),
  );
});

test('a bare optional field without an old value means the one line that has none', () => {
  const target = makeTarget({ ...RECEIVED, lines: RECEIVED.lines.slice(0, 2) });

  const { changes } = sealed(planned(target, { field: 'supplier_name', new_value: 'Mill' }));

  assert.equal(changes[0]!.field, 'lines[1].supplier_name');
});

// Status.

test('a corrected event is voided by either word that it is shown as', () => {
  const target = makeTarget(RECEIVED, { correctedBy: [9] });

  for (const word of ['accepted', 'corrected']) {
    const { changes } = sealed(planned(target, change('status', word, 'voided')));
    assert.deepEqual(changes, [{ field: 'status', from: 'accepted', to: 'voided' }]);
  }
});

test('a voided event cannot be corrected further, not even back', () => {
  const target = makeTarget(RECEIVED, { voided: true, correctedBy: [9] });

  for (const one of [
    change('status', 'voided', 'accepted'),
    change('status', 'accepted', 'voided'),
    change('location', 'DOCK-1', 'DOCK-2'),
    change('colour', 'red', 'blue'),
  ]) {
    assertRefused('The event is voided and cannot be corrected further', () =>
      planned(target, one),
    );
  }
});

// The fields that may be corrected.

const NO_EVENT = 'corrects_event_id names no event of this tenant';

function makeBlock(payload: Payload): Block {
  return { height: 7, prevHash: HASH, hash: HASH, canonical: '{}', payload, sound: true };
}

const RECORDED = { brand: 'acme', recorded_at: '2026-03-02T06:15:01.000Z', v: 1 } as const;
const EVENT_BLOCK = makeBlock({ ...RECORDED, type: 'event', event: RECEIVED });
const CORRECTION_EVENT_BLOCK = makeBlock({
  ...RECORDED,
  type: 'event',
  event: { ...RECEIVED, event_type: 'CORRECTION' },
});
const CORRECTION_BLOCK = makeBlock({
  ...RECORDED,
  type: 'correction',
  correction: {
    changes: [{ field: 'location', from: 'A', to: 'B' }],
    corrects_block_hash: HASH,
    corrects_block_height: 1,
    corrects_event_id: 1,
    reason: 'typing error',
  },
});
const GENESIS_BLOCK = makeBlock({
  hub: 'Lothub',
  nonce: HASH,
  recorded_at: RECORDED.recorded_at,
  type: 'genesis',
  v: 1,
});

test("a tenant's own event can be corrected", () => {
  assert.equal(refuseUncorrectable(EVENT_BLOCK, 'acme'), EVENT_BLOCK);
});

for (const [what, block] of [
  ['a height that does not exist', undefined],
  ['the genesis block', GENESIS_BLOCK],
] as const) {
  test(`${what} is no event of the tenant`, () => {
    assertRefused(NO_EVENT, () => refuseUncorrectable(block, 'acme'));
  });
}

for (const [what, block] of [
  ['event', EVENT_BLOCK],
  ['event of the type CORRECTION', CORRECTION_EVENT_BLOCK],
  ['correction', CORRECTION_BLOCK],
] as const) {
  test(`another tenant's ${what} is answered as if there were none`, () => {
    assertRefused(NO_EVENT, () => refuseUncorrectable(block, 'other'));
    assertRefused(NO_EVENT, () => refuseUncorrectable(block, 'ACME'));
  });
}

for (const block of [CORRECTION_EVENT_BLOCK, CORRECTION_BLOCK]) {
  test(`a CORRECTION in a block of the type ${block.payload.type} cannot be corrected`, () => {
    assertRefused('corrects_event_id names a CORRECTION, which cannot be corrected', () =>
      refuseUncorrectable(block, 'acme'),
    );
  });
}
