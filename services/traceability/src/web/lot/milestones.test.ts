// Tests the milestones of a lot: which events make one, their order, and the maximum of six.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Step, StepsOfEvent } from '../../verification/journey.ts';
import { MILESTONES_MAX, findTimeZone, listMilestones } from './milestones.ts';

const LOT = 'PIZZA-1';

let minute = 0;

/** An event a minute after the one before. */
function event(type: string, location: string, ...lots: readonly string[]): StepsOfEvent {
  minute += 1;
  const step = (lot_code: string): Step => ({
    event_type: type,
    occurred_at: new Date(Date.UTC(2026, 2, 2, 8, minute)).toISOString(),
    location,
    product_sku: `SKU-${lot_code}`,
    lot_code,
    note: null,
    channel: null,
  });
  const [first = LOT, ...others] = lots;
  return [step(first), ...others.map(step)];
}

function shape(events: readonly StepsOfEvent[]): readonly (readonly [string, string])[] {
  return listMilestones(events, LOT).map(({ stage, places }) => [
    stage,
    places.map(({ location }) => location).join('+'),
  ]);
}

test('events of one kind at one place are one milestone, from the first to the last', () => {
  const events = [
    event('RECEIVE', 'PLANT', 'FLOUR'),
    event('RECEIVE', 'PLANT', 'SALT', 'FLOUR'),
    event('PRODUCE', 'PLANT', 'FLOUR', 'SALT', LOT),
  ];

  const [received, made] = listMilestones(events, LOT);

  assert.deepEqual(
    [received?.stage, received?.first, received?.last],
    ['received', events[0]?.[0].occurred_at, events[1]?.[0].occurred_at],
  );
  assert.deepEqual(received?.otherSkus, ['SKU-FLOUR', 'SKU-SALT']);
  assert.deepEqual([received?.hasLot, made?.hasLot], [false, true]);
  assert.deepEqual(made?.otherSkus, ['SKU-FLOUR', 'SKU-SALT']);
});

test('the same at two places are two milestones, by their first event', () => {
  const events = [
    event('RECEIVE', 'MILL', 'GRAIN'),
    event('PRODUCE', 'MILL', 'GRAIN', 'FLOUR'),
    event('PRODUCE', 'PLANT', 'FLOUR', LOT),
    event('PRODUCE', 'MILL', 'GRAIN', 'FLOUR'),
  ];

  assert.deepEqual(shape(events), [
    ['received', 'MILL'],
    ['made', 'MILL'],
    ['made', 'PLANT'],
  ]);
});

test('sales in many shops are joined first', () => {
  const events = [
    event('PRODUCE', 'PLANT'),
    event('SHIP', 'PLANT'),
    event('TRANSFER', 'DEPOT'),
    ...Array.from({ length: 50 }, (_, index) => event('SELL', `SHOP-${index}`)),
  ];

  const milestones = listMilestones(events, LOT);

  assert.deepEqual(
    milestones.map(({ stage, places }) => [stage, places.length]),
    [
      ['made', 1],
      ['moved', 1],
      ['moved', 1],
      ['sold', 50],
    ],
  );
});

test('however long the way is, six milestones name all its places', () => {
  const types = ['RECEIVE', 'PRODUCE', 'CONSUME', 'PACK', 'TRANSFER', 'SHIP', 'SELL', 'DISPOSE'];
  const events = types.flatMap((type) =>
    Array.from({ length: 9 }, (_, index) => event(type, `PLACE-${index}`)),
  );

  const milestones = listMilestones(events, LOT);

  assert.equal(milestones.length, MILESTONES_MAX);
  assert.ok(milestones.every(({ places }) => places.length === 9));
});

test('a correction and a type of a later version are no milestone', () => {
  assert.deepEqual(shape([event('CORRECTION', 'A'), event('TELEPORT', 'B')]), []);
  assert.deepEqual(shape([]), []);
});

test('times are of the places’ own zone only where all of them are in it', () => {
  const profile = { name: 'Place', address: null, gln: null };
  const berlin = { location: 'A', profile: { ...profile, time_zone: 'Europe/Berlin' } };
  const lisbon = { location: 'B', profile: { ...profile, time_zone: 'Europe/Lisbon' } };
  const unknown = { location: 'C', profile: { ...profile, time_zone: null } };
  const without = { location: 'D', profile: undefined };

  assert.equal(findTimeZone([berlin, berlin]), 'Europe/Berlin');
  for (const other of [lisbon, unknown, without]) {
    assert.equal(findTimeZone([berlin, other]), undefined);
    assert.equal(findTimeZone([other, berlin]), undefined);
  }
});
