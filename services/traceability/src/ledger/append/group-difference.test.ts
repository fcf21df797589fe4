// Is an imported group the event that was imported under its key before? Line by line, in any order,
// private values as far as they are kept.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newSalt } from '@lothub/kit/secrets/secrets';
import fc from 'fast-check';
import { prepareEvent } from '../../events/prepare.ts';
import type { EventInput, LineInput } from '../../events/schema.ts';
import type { Draft, GroupDifference } from '../draft.ts';
import { findGroupDifference } from './group-difference.ts';
import type { ChainEvent } from '../record/payload.ts';
import type { StoredPrivate } from './replay.ts';

const FLOUR: LineInput = {
  lot_code: 'FLOUR-1',
  product_sku: 'FLOUR',
  direction: 'out',
  quantity: 1,
  unit: 'kg',
};
const TO_KIOSK: LineInput = { ...FLOUR, customer_ref: 'C-1', channel: 'webshop' };
const TO_CAFE: LineInput = { ...FLOUR, customer_ref: 'C-2', channel: 'webshop' };

function makeGroup(lines: LineInput[], changes: Partial<EventInput> = {}): Draft {
  const event: EventInput = {
    event_type: 'SELL',
    occurred_at: '2026-03-02T07:15:00Z',
    location: 'SHOP',
    reference: 'SO-1',
    lines,
    ...changes,
  };
  const prepared = prepareEvent(event, { root: [], nowMs: 0, newSalt, identity: 'group' });
  assert.equal(prepared.kind, 'ready');
  return prepared.draft;
}

function toKept(draft: Draft): StoredPrivate {
  return {
    lines: new Map(draft.privateLines.map((line) => [line.line_no, line])),
    notes: draft.privateNotes,
  };
}

function difference(
  stored: Draft,
  sent: Draft,
  kept: StoredPrivate = toKept(stored),
): GroupDifference | undefined {
  return findGroupDifference(JSON.parse(stored.eventText) as ChainEvent, sent, kept);
}

const lines = fc.array(
  fc.constantFrom(FLOUR, TO_KIOSK, TO_CAFE, { ...FLOUR, quantity: 2 }, { ...FLOUR, unit: 'g' }),
  { minLength: 1, maxLength: 8 },
);

test('a group with the same lines in any order is the same, though its salts are new', () => {
  fc.assert(
    fc.property(
      lines.chain((all) =>
        fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
      ),
      ([all, shuffled]) => {
        assert.equal(difference(makeGroup(all), makeGroup(shuffled)), undefined);
      },
    ),
  );
});

test('as many lines are new or missing as the group has more or fewer of the same', () => {
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const count = (all: readonly LineInput[], line: LineInput): number =>
        all.filter((one) => one === line).length;
      const kinds = new Set([...before, ...after]);
      let added = 0;
      let missing = 0;
      for (const line of kinds) {
        const more = count(after, line) - count(before, line);
        if (more > 0) added += more;
        else missing -= more;
      }

      const found = difference(makeGroup(before), makeGroup(after));

      assert.equal(found?.added.length ?? 0, added);
      assert.equal(found?.missing ?? 0, missing);
    }),
  );
});

for (const [name, sent, expected] of [
  ['a line more', makeGroup([FLOUR, TO_KIOSK]), { fields: [], added: [1], missing: 0 }],
  [
    'another quantity',
    makeGroup([{ ...FLOUR, quantity: 2 }]),
    { fields: [], added: [0], missing: 1 },
  ],
  [
    'a customer where there was none',
    makeGroup([TO_KIOSK]),
    { fields: [], added: [0], missing: 1 },
  ],
  [
    'another location and notes',
    makeGroup([FLOUR], { location: 'MARKET', notes: 'late' }),
    { fields: ['location', 'notes'], added: [], missing: 0 },
  ],
] as const) {
  test(`a group with ${name} differs`, () => {
    assert.deepEqual(difference(makeGroup([FLOUR]), sent), expected);
  });
}

test('erased values count as the same, each for one line', () => {
  const stored = makeGroup([TO_KIOSK, TO_CAFE]);
  const kept = toKept(stored);
  const erased: StoredPrivate = { ...kept, lines: new Map([[1, kept.lines.get(1)!]]) };

  const same = difference(
    stored,
    makeGroup([TO_CAFE, { ...TO_KIOSK, customer_ref: 'C-3' }]),
    erased,
  );
  const other = difference(
    stored,
    makeGroup([TO_KIOSK, { ...TO_KIOSK, customer_ref: 'C-3' }]),
    erased,
  );

  assert.equal(same, undefined);
  assert.deepEqual(other, { fields: [], added: [1], missing: 1 });
});
