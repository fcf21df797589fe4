// The one spelling of a field on the chain (docs/chain-format.md#correction).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDocument } from '@lothub/kit/test/walkthrough';
import {
  CORRECTABLE_EVENT_FIELDS,
  CORRECTABLE_LINE_FIELDS,
  fieldPathText,
  findFieldPath,
} from './field-path.ts';

/** The fields of the table in docs/chain-format.md. */
const OF_EVENT = ['occurred_at', 'location', 'reference', 'notes', 'status'] as const;
const OF_LINE = [...readDocument('docs/chain-format.md').matchAll(/`lines\[N\]\.([a-z_]+)`/g)].map(
  ([, name = '']) => name,
);

test('the fields that can be corrected are those of the format', () => {
  assert.deepEqual([...CORRECTABLE_EVENT_FIELDS].sort(), [...OF_EVENT].sort());
  assert.deepEqual([...CORRECTABLE_LINE_FIELDS].sort(), [...OF_LINE].sort());
});

for (const field of OF_EVENT) {
  test(`${field} is a field of the event`, () => {
    const path = findFieldPath(field);

    assert.deepEqual(path, { kind: 'event', field });
  });
}

for (const field of OF_LINE) {
  test(`lines[12].${field} is a field of the thirteenth line`, () => {
    const path = findFieldPath(`lines[12].${field}`);

    assert.deepEqual(path, { kind: 'line', lineNo: 12, field });
  });
}

test('a path is written as it is read, for the first and the last line there may be', () => {
  for (const text of ['location', 'lines[0].unit', 'lines[10].unit', 'lines[999].unit']) {
    const path = findFieldPath(text);

    assert.ok(path !== undefined, text);
    assert.equal(fieldPathText(path), text);
  }
});

const NO_PATHS = [
  '',
  'quantity',
  'colour',
  'event_type',
  'external_id',
  'lines',
  'lines[0]',
  'lines[0].private',
  'lines[0].location',
  'lines[0].quantity ',
  'lines[00].quantity',
  'lines[01].quantity',
  'lines[-1].quantity',
  'lines[0.5].quantity',
  'lines[].quantity',
  'lines.0.quantity',
  '/lines/0/quantity',
  '/location',
  'Location',
  'lines[0].toString',
  'constructor',
];

for (const text of NO_PATHS) {
  test(`"${text}" is no field in the spelling of the chain`, () => {
    assert.equal(findFieldPath(text), undefined);
  });
}
