// Compares the hand-written canonical text of random events with that of a generic RFC 8785
// serialiser, and tests which values are removed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import canonicalize from 'canonicalize';
import { anyCharacter } from '@lothub/chain/test/any-character';
import fc from 'fast-check';
import { lineCommitment, notesCommitment } from '../ledger/record/commitment.ts';
import { EVENT_TYPES } from '../ledger/record/event-types.ts';
import { channelClass } from './channel-class.ts';
import { prepareEvent, type PrepareOptions, type Prepared } from './prepare.ts';
import { decimalText } from '../ledger/record/decimal-text.ts';
import type { EventInput, LineInput } from './schema.ts';

/** Makes different salts, the same in every run. */
function countedSalts(): () => string {
  let count = 0;
  return () => (count += 1).toString(16).padStart(64, '0');
}

function prepared(
  event: EventInput,
  changes: Partial<PrepareOptions> = {},
): Extract<Prepared, { kind: 'ready' }> {
  const result = prepareEvent(event, {
    root: ['body'],
    nowMs: Date.UTC(2026, 2, 2),
    newSalt: countedSalts(),
    identity: 'external_id',
    ...changes,
  });
  if (result.kind === 'invalid') throw new Error(JSON.stringify(result.errors));
  return result;
}

const text = fc
  .string({ unit: anyCharacter, minLength: 1, maxLength: 20 })
  .filter((value) => !value.includes('\0'));
const optional = fc.option(text, { nil: undefined });
const lines: fc.Arbitrary<LineInput> = fc
  .record({
    lot_code: text,
    product_sku: text,
    direction: fc.constantFrom('in', 'out'),
    quantity: fc.nat({ max: 10 ** 9 }).map((value) => value / 1_000),
    unit: text,
    customer_ref: optional,
    channel: fc.option(fc.constantFrom('webshop', 'store', 'unknown'), { nil: undefined }),
    supplier_name: optional,
    origin_facility: optional,
    supplier_lot_code: optional,
  })
  .map(withoutAbsent);
const events: fc.Arbitrary<EventInput> = fc
  .record({
    external_id: optional,
    event_type: fc.constantFrom(...EVENT_TYPES),
    occurred_at: fc.constant('2026-03-02T07:15:00.5+01:00'),
    location: text,
    reference: text,
    notes: optional,
    lines: fc.array(lines, { minLength: 1, maxLength: 4 }),
  })
  .map(withoutAbsent);

type Defined<Value> = { [Key in keyof Value]: Exclude<Value[Key], undefined> };

function withoutAbsent<Value extends object>(value: Value): Defined<Value> {
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members) as Defined<Value>;
}

/** The event that the decisions on the canonical form describe, built the plain way. */
function expectedEvent(event: EventInput): object {
  const newSalt = countedSalts();
  const isSell = event.event_type === 'SELL';
  const expectedLines = event.lines.map(({ customer_ref, channel, quantity, ...line }) => {
    const isPrivate = isSell && (customer_ref !== undefined || channel !== undefined);
    const secret = {
      customer_ref: customer_ref ?? null,
      channel: channel ?? null,
      consignee_ref: null,
    };
    return {
      ...line,
      quantity: decimalText(quantity),
      ...(isPrivate ? { private: lineCommitment({ ...secret, salt: newSalt() }) } : {}),
      ...(isPrivate && typeof channel === 'string' ? { channel: channelClass(channel) } : {}),
    };
  });
  const { notes, ...rest } = event;
  return {
    ...rest,
    occurred_at: '2026-03-02T06:15:00.5Z',
    lines: expectedLines,
    ...(typeof notes === 'string'
      ? isSell
        ? { private: notesCommitment({ notes, salt: newSalt() }) }
        : { notes }
      : {}),
  };
}

test('the text of any event is what a generic serialiser makes of the documented object', () => {
  fc.assert(
    fc.property(events, (event) => {
      assert.equal(prepared(event).draft.eventText, canonicalize(expectedEvent(event)));
    }),
    { numRuns: 300 },
  );
});

test('what is private is in the draft beside the text, for SELL only', () => {
  fc.assert(
    fc.property(events, (event) => {
      const { draft, warnings } = prepared(event);
      const isSell = event.event_type === 'SELL';
      const sent = event.lines.flatMap((line, line_no) =>
        line.customer_ref === undefined && line.channel === undefined
          ? []
          : [
              {
                line_no,
                customer_ref: line.customer_ref ?? null,
                channel: line.channel ?? null,
                consignee_ref: null,
              },
            ],
      );
      const kept = draft.privateLines.map(({ salt: _salt, ...values }) => values);
      assert.deepEqual(kept, isSell ? sent : []);
      assert.equal(draft.privateNotes?.notes, isSell ? event.notes : undefined);
      const codes = warnings.map((warning) => warning.code);
      assert.equal(codes.includes('private_field_dropped'), !isSell && sent.length > 0);
    }),
  );
});

test('no two commitments of an event share a salt', () => {
  fc.assert(
    fc.property(events, (event) => {
      const { privateLines, privateNotes } = prepared(event).draft;
      const salts = [...privateLines, ...(privateNotes === null ? [] : [privateNotes])].map(
        (secret) => secret.salt,
      );
      assert.equal(new Set(salts).size, salts.length);
    }),
  );
});

test('the group key is that of type, moment and reference, of events without an external id', () => {
  const identity = { identity: 'group' } as const;
  fc.assert(
    fc.property(events, text, (event, other) => {
      const { external_id: _id, ...anonymous } = event;
      const first = prepared(anonymous, identity).draft;
      const grown = prepared(
        { ...anonymous, location: other, lines: [...anonymous.lines, LINE] },
        identity,
      ).draft;
      const changed = prepared(
        { ...anonymous, reference: `${anonymous.reference}${other}` },
        identity,
      ).draft;
      assert.equal(typeof first.groupKey, 'string');
      assert.equal(first.groupKey, grown.groupKey);
      assert.notEqual(first.groupKey, changed.groupKey);
      assert.equal(prepared({ ...anonymous, external_id: 'x' }, identity).draft.groupKey, null);
      assert.equal(prepared(anonymous).draft.groupKey, null);
    }),
  );
});

const LINE: LineInput = {
  lot_code: 'L',
  product_sku: 'S',
  direction: 'in',
  quantity: 1,
  unit: 'kg',
};
const EVENT: EventInput = {
  event_type: 'RECEIVE',
  occurred_at: '2026-03-02T07:15:00Z',
  location: 'L',
  reference: 'R',
  lines: [LINE],
};

test('an event is in the future from 24 hours ahead of the clock on', () => {
  const occurredMs = Date.parse(EVENT.occurred_at);
  const day = 24 * 60 * 60 * 1_000;
  const codes = (nowMs: number) => prepared(EVENT, { nowMs }).warnings.map(({ code }) => code);

  assert.deepEqual(codes(occurredMs - day), []);
  assert.deepEqual(codes(occurredMs - day - 1), ['occurred_in_future']);
});

test('all values that are wrong are named at once', () => {
  const result = prepareEvent(
    { ...EVENT, occurred_at: '2026-02-30T00:00:00Z', lines: [LINE, { ...LINE, quantity: 1 / 3 }] },
    { root: ['body', 'events', 4], nowMs: 0, newSalt: countedSalts(), identity: 'external_id' },
  );

  assert.ok(result.kind === 'invalid');
  assert.deepEqual(
    result.errors.map((error) => error.loc),
    [
      ['body', 'events', 4, 'occurred_at'],
      ['body', 'events', 4, 'lines', 1, 'quantity'],
    ],
  );
});
