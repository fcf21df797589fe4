// The way an event links its lots, by its type and the sides of its lines.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeLine } from '../../../test/ledger.ts';
import {
  LINKS_BY_EVENT,
  LINKS_BY_REFERENCE,
  LINKS_NOTHING,
  deriveLinkBasis,
} from './link-basis.ts';
import { EVENT_TYPES, type EventType } from './event-types.ts';
import type { ChainLine } from './payload.ts';

const line = (direction: 'in' | 'out', lotCode: string): ChainLine => {
  const { lot_code, product_sku, unit } = makeLine(direction, lotCode);
  return { lot_code, product_sku, unit, direction, quantity: '1' };
};

const deriveBasis = (event_type: EventType, ...lines: readonly ChainLine[]): number =>
  deriveLinkBasis({ event_type, lines });

test('lots on both sides of an event are linked, whatever its type, but not by a CORRECTION', () => {
  const bases = EVENT_TYPES.map((type) => [
    type,
    deriveBasis(type, line('in', 'A'), line('out', 'B')),
  ]);

  assert.deepEqual(
    bases,
    EVENT_TYPES.map((type) => [type, type === 'CORRECTION' ? LINKS_NOTHING : LINKS_BY_EVENT]),
  );
});

test('an event with the same single lot on both sides links nothing', () => {
  const basis = deriveBasis('TRANSFER', line('in', 'A'), line('out', 'A'));

  assert.equal(basis, LINKS_NOTHING);
});

test('only a CONSUME of in lines is linked by its reference', () => {
  const linked = EVENT_TYPES.filter(
    (type) => deriveBasis(type, line('in', 'A')) === LINKS_BY_REFERENCE,
  );

  assert.deepEqual(linked, ['CONSUME']);
});

test('only a PRODUCE and a PACK of out lines are linked by their reference', () => {
  const linked = EVENT_TYPES.filter(
    (type) => deriveBasis(type, line('out', 'A')) === LINKS_BY_REFERENCE,
  );

  assert.deepEqual(linked, ['PRODUCE', 'PACK']);
});
