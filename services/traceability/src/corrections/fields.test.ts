// Tests every spelling of a field in docs/interface/traceability.md#what-may-be-corrected, and
// texts that are no field.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CORRECTABLE_EVENT_FIELDS, CORRECTABLE_LINE_FIELDS } from '../ledger/record/field-path.ts';
import { readField } from './fields.ts';

for (const field of CORRECTABLE_LINE_FIELDS) {
  for (const text of [`lines[12].${field}`, `lines.12.${field}`, `/lines/12/${field}`]) {
    test(`${text} is a field of the thirteenth line`, () => {
      assert.deepEqual(readField(text), { kind: 'line', lineNo: 12, field });
    });
  }

  test(`${field} alone is a field of a line that is still to be found`, () => {
    assert.deepEqual(readField(field), { kind: 'bare', field });
  });
}

for (const field of CORRECTABLE_EVENT_FIELDS) {
  for (const text of [field, `/${field}`]) {
    test(`${text} is a field of the event`, () => {
      assert.deepEqual(readField(text), { kind: 'event', field });
    });
  }
}

for (const field of ['event_type', 'external_id'] as const) {
  for (const text of [field, `/${field}`]) {
    test(`${text} is a field that stays as it is`, () => {
      assert.deepEqual(readField(text), { kind: 'fixed', field });
    });
  }
}

const UNKNOWN = [
  '',
  '/',
  'colour',
  'id',
  'recorded_at',
  'lines',
  '/lines',
  'lines[0]',
  'lines[0].',
  'lines[0].colour',
  'lines[0].private',
  'lines[0].location',
  'lines[0].event_type',
  'lines[01].quantity',
  'lines[-1].quantity',
  'lines[1e2].quantity',
  'lines[ 0 ].quantity',
  'lines[0]quantity',
  'lines[0]/quantity',
  'lines/0/quantity',
  '/lines[0]/quantity',
  '/lines.0.quantity',
  '/lines/0/quantity/',
  '/lines/0/quantity\n',
  '/quantity',
  '//location',
  'Location',
  ' location',
  'constructor',
  'lines[0].constructor',
  '__proto__',
];

for (const text of UNKNOWN) {
  test(`${JSON.stringify(text)} is no field`, () => {
    assert.deepEqual(readField(text), { kind: 'unknown' });
  });
}

test('a line may have any number; whether the event has it is not decided here', () => {
  const field = readField(`lines[${'9'.repeat(50)}].unit`);

  assert.ok(field.kind === 'line');
  assert.ok(field.lineNo > 1_000);
});
