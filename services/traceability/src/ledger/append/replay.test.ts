// Is a repeated post the same event? Field by field, private values by their commitments.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newSalt } from '@lothub/kit/secrets/secrets';
import { prepareEvent } from '../../events/prepare.ts';
import type { EventInput, LineInput } from '../../events/schema.ts';
import type { PrivateLine } from '../record/commitment.ts';
import type { Draft } from '../draft.ts';
import type { ChainEvent } from '../record/payload.ts';
import { differingFields, type StoredPrivate } from './replay.ts';

const SALE: EventInput = {
  external_id: 'x',
  event_type: 'SELL',
  occurred_at: '2026-03-02T07:15:00Z',
  location: 'SHOP',
  reference: 'SO-1',
  notes: 'back door',
  lines: [makeLine({ customer_ref: 'C-1', channel: 'webshop' }), makeLine({})],
};

function makeLine(changes: Partial<LineInput>): LineInput {
  return {
    lot_code: 'L',
    product_sku: 'S',
    direction: 'out',
    quantity: 1,
    unit: 'kg',
    ...changes,
  };
}

function makeDraft(event: EventInput): Draft {
  const prepared = prepareEvent(event, { root: [], nowMs: 0, newSalt, identity: 'external_id' });
  if (prepared.kind === 'invalid') throw new Error(JSON.stringify(prepared.errors));
  return prepared.draft;
}

function toPrivate(draft: Draft): StoredPrivate {
  return {
    lines: new Map<number, PrivateLine>(draft.privateLines.map((line) => [line.line_no, line])),
    notes: draft.privateNotes,
  };
}

const ERASED: StoredPrivate = { lines: new Map(), notes: null };

/** Fields that differ when `sent` repeats `stored`. */
function differences(
  stored: EventInput,
  sent: EventInput,
  kept: (draft: Draft) => StoredPrivate = toPrivate,
): readonly string[] {
  const before = makeDraft(stored);
  return differingFields(JSON.parse(before.eventText) as ChainEvent, makeDraft(sent), kept(before));
}

test('the same event differs in nothing, though its salts are new', () => {
  assert.deepEqual(differences(SALE, SALE), []);
});

const first = (changes: Partial<LineInput>): Partial<EventInput> => ({
  lines: [makeLine({ customer_ref: 'C-1', channel: 'webshop', ...changes }), makeLine({})],
});
const second = (changes: Partial<LineInput>): Partial<EventInput> => ({
  lines: [makeLine({ customer_ref: 'C-1', channel: 'webshop' }), makeLine(changes)],
});

const CHANGES: readonly (readonly [Partial<EventInput>, readonly string[]])[] = [
  [{ occurred_at: '2026-03-02T08:15:00+01:00' }, []],
  [{ occurred_at: '2026-03-02T07:15:01Z' }, ['occurred_at']],
  [{ location: 'shop' }, ['location']],
  [{ reference: 'SO-2' }, ['reference']],
  [{ notes: 'front door' }, ['notes']],
  [{ notes: null }, ['notes']],
  [{ lines: [makeLine({})] }, ['lines']],
  [first({ customer_ref: 'C-2' }), ['lines[0].customer_ref']],
  [first({ channel: 'web' }), ['lines[0].channel']],
  [first({ channel: 'store' }), ['lines[0].channel']],
  [first({ customer_ref: null, channel: null }), ['lines[0].channel', 'lines[0].customer_ref']],
  [second({ customer_ref: 'C-1' }), ['lines[1].customer_ref']],
  [second({ quantity: 1.5, unit: 'g' }), ['lines[1].quantity', 'lines[1].unit']],
  [
    { lines: [makeLine({}), makeLine({ customer_ref: 'C-1', channel: 'webshop' })] },
    [
      ...['lines[0].channel', 'lines[0].customer_ref'],
      ...['lines[1].channel', 'lines[1].customer_ref'],
    ],
  ],
];

for (const [change, fields] of CHANGES) {
  test(`${JSON.stringify(change)} differs in [${fields.join()}]`, () => {
    assert.deepEqual(differences(SALE, { ...SALE, ...change }).toSorted(), fields);
  });
}

test('every field that differs is named once', () => {
  const fields = differences(SALE, { ...SALE, reference: 'SO-2', location: 'x', notes: 'y' });

  assert.deepEqual(fields.toSorted(), ['location', 'notes', 'reference']);
});

test('a channel whose class was another when it was sealed is the same channel', () => {
  const stored = { ...SALE, ...first({ channel: 'Supermarkt' }) };
  const before = makeDraft(stored);
  assert.ok(before.eventText.includes('"channel":"retail"'));
  const sealed = before.eventText.replace('"channel":"retail"', '"channel":"other"');
  const compare = (channel: string | null, kept = toPrivate(before)): readonly string[] =>
    differingFields(
      JSON.parse(sealed) as ChainEvent,
      makeDraft({ ...SALE, ...first({ channel }) }),
      kept,
    );

  assert.deepEqual(compare('Supermarkt'), []);
  assert.deepEqual(compare('supermarket'), ['lines[0].channel']);
  assert.deepEqual(compare('Kanal 7'), ['lines[0].channel']);
  assert.deepEqual(compare('supermarket', ERASED), []);
  assert.deepEqual(compare(null, ERASED), ['lines[0].channel']);
});

test('values that were erased cannot be compared, the rest still is', () => {
  const erased = (): StoredPrivate => ERASED;

  assert.deepEqual(differences(SALE, SALE, erased), []);
  assert.deepEqual(differences(SALE, { ...SALE, ...first({ customer_ref: 'C-9' }) }, erased), []);
  assert.deepEqual(differences(SALE, { ...SALE, reference: 'SO-2' }, erased), ['reference']);
  assert.deepEqual(differences(SALE, { ...SALE, notes: null }, erased), ['notes']);
});

test('another type of event with the same values differs in its type', () => {
  const fields = differences(SALE, { ...SALE, event_type: 'SHIP' });

  assert.ok(fields.includes('event_type'));
});
