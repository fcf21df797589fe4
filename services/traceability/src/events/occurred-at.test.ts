// The moment of an event, normalised to UTC text, against the Temporal of the runtime.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readOccurredAt } from './occurred-at.ts';

/** Nanoseconds of years 0001 to 9998, so that no offset leads out of four digits. */
const instants = fc
  .bigInt({ min: -62_135_596_800n * 10n ** 9n, max: 253_370_764_800n * 10n ** 9n })
  .map((nanoseconds) => Temporal.Instant.fromEpochNanoseconds(nanoseconds));
const offsets = fc
  .tuple(fc.constantFrom('+', '-'), fc.nat({ max: 23 }), fc.nat({ max: 59 }))
  .map(([sign, hours, minutes]) => `${sign}${twoDigits(hours)}:${twoDigits(minutes)}`);

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

function readText(text: string): string {
  const read = readOccurredAt(text);
  assert.equal(read.kind, 'ok', text);
  return read.kind === 'ok' ? read.text : '';
}

test('an instant written with any offset is the same text in UTC', () => {
  fc.assert(
    fc.property(instants, offsets, (instant, offset) => {
      const written = instant.toString({ timeZone: offset });
      assert.equal(readText(written), instant.toString());
    }),
  );
});

test('an instant is the same however its offset is written', () => {
  fc.assert(
    fc.property(instants, offsets, (instant, offset) => {
      const written = instant.toString({ timeZone: offset });
      assert.equal(readText(written.replace(/:(?=\d\d$)/, '')), instant.toString());
      assert.equal(readText(written.replace('T', 't')), instant.toString());
    }),
  );
});

test('what is normalised is not changed again', () => {
  fc.assert(
    fc.property(instants, (instant) => {
      const once = readText(instant.toString());
      assert.equal(readText(once), once);
    }),
  );
});

test('the fraction has no trailing zeros and up to nine digits', () => {
  assert.equal(readText('2026-03-02T07:15:00.123456789Z'), '2026-03-02T07:15:00.123456789Z');
  assert.equal(readText('2026-03-02T07:15:00.120000000Z'), '2026-03-02T07:15:00.12Z');
  assert.equal(readText('2026-03-02T07:15:00.000000000+02:00'), '2026-03-02T05:15:00Z');
  assert.equal(readOccurredAt('2026-03-02T07:15:00.1234567890Z').kind, 'invalid');
});

test('only a time without offset is assumed to be UTC', () => {
  const assumed = ['2026-03-02T07:15:00', '2026-03-02T07:15:00Z', '2026-03-02T07:15:00+00:00'].map(
    (text) => {
      const read = readOccurredAt(text);
      return read.kind === 'ok' && read.assumedUtc;
    },
  );

  assert.deepEqual(assumed, [true, false, false]);
});

test('a day exists exactly when the calendar has it', () => {
  const days = fc.tuple(
    fc.integer({ min: 1, max: 9_998 }),
    fc.integer({ min: 0, max: 14 }),
    fc.integer({ min: 0, max: 33 }),
  );
  fc.assert(
    fc.property(days, ([year, month, day]) => {
      const text = `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(day)}T12:00:00Z`;
      assert.equal(readOccurredAt(text).kind === 'ok', exists(year, month, day), text);
    }),
    { numRuns: 1_000 },
  );
});

function exists(year: number, month: number, day: number): boolean {
  try {
    Temporal.PlainDate.from({ year, month, day }, { overflow: 'reject' });
    return true;
  } catch {
    // The calendar has no such day.
    return false;
  }
}

test('any text is read or refused with a reason that does not repeat it', () => {
  const marks = fc.constantFrom(...'0123456789-+:.,TtZz /WéQ'.split(''));
  fc.assert(
    fc.property(fc.string({ unit: marks, maxLength: 40 }), (text) => {
      const read = readOccurredAt(text);
      if (read.kind === 'ok') {
        assert.match(read.text, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d*[1-9])?Z$/);
      } else assert.match(read.msg, /^Input should be /);
    }),
  );
});

test('a bare date is distinguished from what is no date', () => {
  const messages = ['2026-03-02', '2026-03-02x'].map((text) => {
    const read = readOccurredAt(text);
    return read.kind === 'invalid' ? read.msg : '';
  });

  assert.match(messages[0]!, /not a bare date/);
  assert.doesNotMatch(messages[1]!, /bare date/);
});
