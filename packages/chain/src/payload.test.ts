// The time of a payload is a real instant in one form.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import fc from 'fast-check';

import { findPayloadFault } from './payload.ts';

const twoDigits = fc.integer({ min: 0, max: 99 }).map((value) => String(value).padStart(2, '0'));
const someMonth = fc.oneof(fc.constantFrom('01', '02', '04', '12', '13', '00'), twoDigits);
const someDay = fc.oneof(fc.constantFrom('00', '01', '28', '29', '30', '31', '32'), twoDigits);
const someHour = fc.oneof(fc.constantFrom('00', '23', '24'), twoDigits);
const someMinute = fc.oneof(fc.constantFrom('00', '59', '60'), twoDigits);
const someYear = fc.constantFrom('0000', '0001', '1900', '2000', '2024', '2026', '9999');

test('the time of a payload is an instant that there is', () => {
  fc.assert(
    fc.property(
      fc.tuple(someYear, someMonth, someDay, someHour, someMinute, someMinute),
      ([year, month, day, hour, minute, second]) => {
        const time = `${year}-${month}-${day}T${hour}:${minute}:${second}.007Z`;

        const finding = findPayloadFault(buildPayload(time), 1);

        assert.equal('code' in finding, !isInstant(time), time);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('the time of a payload has one form', () => {
  const forms = ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.0071Z', ' 2026-01-02T03:04:05.007Z'];
  for (const time of forms) assert.ok('code' in findPayloadFault(buildPayload(time), 1), time);
});

function buildPayload(recorded_at: string) {
  return { brand: 'acme', event: {}, recorded_at, type: 'event', v: 1 };
}

/** As the platform reads it, which writes what it read in the same form. */
function isInstant(text: string): boolean {
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && date.toISOString() === text && !text.startsWith('0000');
}
