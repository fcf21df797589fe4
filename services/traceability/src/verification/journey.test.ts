// The public story of a lot: order, collapsing of sales, channels and title.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CorrectionBlock } from '../ledger/effective-reader.ts';
import { asSealed } from '../ledger/record/effective.ts';
import type { ChainEvent, ChainLine } from '../ledger/record/payload.ts';
import { Journey, type Step } from './journey.ts';

function line(lotCode: string, changes: Partial<ChainLine> = {}): ChainLine {
  return {
    lot_code: lotCode,
    product_sku: `${lotCode}-SKU`,
    direction: 'out',
    quantity: '1',
    unit: 'kg',
    ...changes,
  };
}

function event(lines: readonly ChainLine[], changes: Partial<ChainEvent> = {}): ChainEvent {
  return {
    event_type: 'PRODUCE',
    occurred_at: '2026-03-02T06:00:00Z',
    location: 'BAKERY-1',
    reference: 'WO-1',
    lines,
    ...changes,
  };
}

const ANCESTORS = new Set(['FLOUR']);

/** The journey of BREAD out of FLOUR; events are at heights 1, 2, … in the order given. */
function makeJourney(events: readonly ChainEvent[], stepsMax = 100): Journey {
  const journey = new Journey({ lotCode: 'BREAD', stepsMax });
  for (const [index, one] of events.entries()) {
    journey.add(index + 1, asSealed(one), { ancestors: ANCESTORS });
  }
  return journey;
}

function listSteps(journey: Journey): readonly Step[] {
  return journey.events.flat();
}

test('steps ascend by the instant, whatever the order of the blocks', () => {
  const journey = makeJourney([
    event([line('BREAD')], { occurred_at: '2026-03-02T06:00:00.5Z', location: 'C' }),
    event([line('BREAD')], { occurred_at: '2026-03-02T06:00:00Z', location: 'B' }),
    event([line('FLOUR')], { occurred_at: '2026-03-01T06:00:00Z', location: 'A' }),
  ]);

  assert.deepEqual(
    listSteps(journey).map((step) => step.location),
    ['A', 'B', 'C'],
  );
});

test('steps of one instant are in the order of their blocks and lines', () => {
  const journey = makeJourney([
    event([line('FLOUR', { direction: 'in' }), line('BREAD')], { location: 'A' }),
    event([line('BREAD')], { location: 'B' }),
  ]);

  assert.deepEqual(
    listSteps(journey).map((step) => `${step.location} ${step.lot_code}`),
    ['A FLOUR', 'A BREAD', 'B BREAD'],
  );
});

test('an event is one step for each related lot, however many lines that lot has', () => {
  const journey = makeJourney([
    event([line('BREAD', { direction: 'in' }), line('BREAD'), line('FLOUR'), line('STRANGER')], {
      event_type: 'TRANSFER',
    }),
  ]);

  assert.deepEqual(
    listSteps(journey).map((step) => step.lot_code),
    ['BREAD', 'FLOUR'],
  );
});

test('a step has the seven fields and no others', () => {
  const journey = makeJourney([event([line('BREAD')], { notes: 'baked dark' })]);

  assert.deepEqual(listSteps(journey), [
    {
      event_type: 'PRODUCE',
      occurred_at: '2026-03-02T06:00:00Z',
      location: 'BAKERY-1',
      product_sku: 'BREAD-SKU',
      lot_code: 'BREAD',
      note: 'baked dark',
      channel: null,
    },
  ]);
});

test('sales of one lot in one class at one location are one step, the earliest', () => {
  const sale = (hour: string, channel: string, location: string): ChainEvent =>
    event([line('BREAD', { channel })], {
      event_type: 'SELL',
      occurred_at: `2026-03-03T${hour}:00:00Z`,
      location,
    });

  const journey = makeJourney([
    sale('12', 'retail', 'SHOP-1'),
    sale('09', 'retail', 'SHOP-1'),
    sale('10', 'online', 'SHOP-1'),
    sale('11', 'retail', 'SHOP-2'),
  ]);

  assert.deepEqual(
    listSteps(journey).map(
      (step) => `${step.occurred_at.slice(11, 13)} ${step.channel} ${step.location}`,
    ),
    ['09 retail SHOP-1', '10 online SHOP-1', '11 retail SHOP-2'],
  );
});

test('two lines of one sale in different classes are two steps', () => {
  const journey = makeJourney([
    event([line('BREAD', { channel: 'retail' }), line('BREAD', { channel: 'online' })], {
      event_type: 'SELL',
    }),
  ]);

  assert.deepEqual(
    listSteps(journey).map((step) => step.channel),
    ['retail', 'online'],
  );
});

test('events of one time, type and place are distinguished', () => {
  const made = event([line('FLOUR', { direction: 'in' }), line('BREAD')]);

  const { events } = makeJourney([made, made]);

  assert.deepEqual(
    events.map((steps) => steps.map((step) => step.lot_code)),
    [
      ['FLOUR', 'BREAD'],
      ['FLOUR', 'BREAD'],
    ],
  );
});

test('an event names only the ancestors that it is a step of', () => {
  const journey = new Journey({ lotCode: 'BREAD', stepsMax: 100 });
  const made = event([line('FLOUR', { direction: 'in' }), line('SALT', { direction: 'in' })]);

  journey.add(1, asSealed(made), { ancestors: new Set(['SALT']) });

  assert.deepEqual(
    listSteps(journey).map((step) => step.lot_code),
    ['SALT'],
  );
});

test('channels reached are those of the lot and of what was made of it, sorted', () => {
  const journey = makeJourney([
    event([line('BREAD', { channel: 'retail' })], { event_type: 'SELL' }),
    event([line('BREAD', { channel: 'online' })], { event_type: 'SELL' }),
    event([line('FLOUR', { channel: 'wholesale' })], { event_type: 'SELL' }),
  ]);

  journey.addChannels(['food_service', 'retail']);

  assert.deepEqual(journey.channelsReached, ['food_service', 'online', 'retail']);
  assert.equal(journey.title, 'From BAKERY-1 to food_service, online, retail');
});

test('the title goes from the first origin to the channels', () => {
  const journey = makeJourney([
    event([line('BREAD', { channel: 'retail' })], {
      event_type: 'SELL',
      occurred_at: '2026-03-05T06:00:00Z',
    }),
    event([line('BREAD', { channel: 'online' })], {
      event_type: 'SELL',
      occurred_at: '2026-03-06T06:00:00Z',
    }),
    event([line('FLOUR', { direction: 'in', origin_facility: 'Silo 9' })], {
      event_type: 'RECEIVE',
      occurred_at: '2026-03-02T06:00:00Z',
    }),
    event([line('FLOUR', { direction: 'in', origin_facility: 'Silo 3' })], {
      event_type: 'RECEIVE',
      occurred_at: '2026-03-01T06:00:00Z',
    }),
  ]);

  assert.equal(journey.title, 'From Silo 3 to online, retail');
});

test('without an origin and a sale the title goes from the first to the last location', () => {
  const journey = makeJourney([
    event([line('BREAD')], { occurred_at: '2026-03-03T06:00:00Z', location: 'DEPOT-2' }),
    event([line('FLOUR')], { occurred_at: '2026-03-01T06:00:00Z', location: 'MILL-1' }),
    event([line('FLOUR')], { occurred_at: '2026-03-04T06:00:00Z', location: 'ELSEWHERE' }),
  ]);

  assert.equal(journey.title, 'From MILL-1 to DEPOT-2');
});

test('an event that did not happen is no step, no place and no channel', () => {
  const journey = makeJourney([event([line('BREAD')], { location: 'B' })]);
  const sold = event([line('BREAD', { channel: 'retail', origin_facility: 'Silo 3' })], {
    event_type: 'SELL',
    occurred_at: '2026-03-01T06:00:00Z',
  });

  journey.add(9, { ...asSealed(sold), voided: true });

  assert.deepEqual(
    listSteps(journey).map((step) => step.location),
    ['B'],
  );
  assert.deepEqual(journey.channelsReached, []);
  assert.equal(journey.title, 'From B to B');
});

/** A correction of some fields, as a block of this height. */
function makeCorrection(height: number, ...fields: readonly string[]): CorrectionBlock {
  return {
    height,
    prevHash: '',
    hash: '',
    canonical: '',
    sound: true,
    payload: {
      brand: 'bakery',
      correction: {
        changes: fields.map((field) => ({ field, to: 'x' })),
        corrects_block_hash: '',
        corrects_block_height: 1,
        corrects_event_id: 1,
        reason: 'typing error',
      },
      recorded_at: '2026-03-02T07:00:00.000Z',
      type: 'correction',
      v: 1,
    },
  };
}

test('a step names the blocks that corrected its event or a line of its lot, and no others', () => {
  const journey = makeJourney([]);
  const corrections = [
    makeCorrection(4, 'lines[0].quantity'),
    makeCorrection(7, 'location'),
    makeCorrection(8, 'lines[1].unit', 'lines[0].unit'),
    makeCorrection(9, 'lines[1].quantity'),
  ];

  const made = event([line('FLOUR', { direction: 'in' }), line('BREAD')]);
  journey.add(
    1,
    { ...asSealed(made), correctedBy: [4, 7, 8, 9] },
    { ancestors: ANCESTORS, corrections },
  );

  assert.deepEqual(
    listSteps(journey).map((step) => [step.lot_code, step.corrected_by]),
    [
      ['FLOUR', [4, 7, 8]],
      ['BREAD', [7, 8, 9]],
    ],
  );
  assert.deepEqual([...journey.ownCorrections], [7, 8, 9]);
});

test('a lot of which nothing counts any more has a title that says so', () => {
  const voided = makeJourney([]);
  voided.add(1, { ...asSealed(event([line('BREAD')])), voided: true });
  const moved = makeJourney([event([line('STRANGER')])]);

  const title = 'Corrections have withdrawn everything recorded about this lot';
  assert.deepEqual([voided.title, moved.title], [title, title]);
});

test('a lot that no event names has a title all the same', () => {
  const journey = makeJourney([]);

  assert.equal(journey.title, 'From an unknown place to an unknown place');
});

test('a journey with a block that does not verify neither names places nor blames corrections', () => {
  const withSteps = makeJourney([event([line('BREAD')])]);
  const without = makeJourney([event([line('STRANGER')])]);

  for (const journey of [withSteps, without]) {
    journey.addUnverified();

    assert.match(journey.title, /^Blocks of this journey do not verify/);
  }
});

test('more steps than the bound are left out and said to be', () => {
  const events = [event([line('BREAD')]), event([line('BREAD')]), event([line('BREAD')])];

  const exact = makeJourney(events, 3);
  const cut = makeJourney(events, 2);

  assert.deepEqual([listSteps(exact).length, exact.truncated], [3, false]);
  assert.deepEqual([listSteps(cut).length, cut.truncated], [2, true]);
});
