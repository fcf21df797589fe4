// The journey of a lot: its own events, and of its ancestors only those on a way to it; and the channels
// that what was made of it went through (docs/interface/traceability.md#journey).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { aLine, boot, newTenant, type Json } from '../boot.ts';
import { RecallTenant, readArray, made, used } from '../recall/tenant.ts';

const hub = await openForFile(boot());

let day = 0;
/** Events occur one day after the other, in the order in which they are posted. */
function nextDay(): string {
  day += 1;
  return new Date(Date.UTC(2026, 0, day, 6)).toISOString();
}

class Brand extends RecallTenant {
  constructor() {
    super(hub, newTenant());
  }

  /** Posts an event of the next day, if nothing else is said. */
  async happened(
    event_type: string,
    lines: readonly object[],
    changes: object = {},
  ): Promise<void> {
    await this.post({
      event_type,
      reference: `${event_type}-1`,
      occurred_at: nextDay(),
      lines,
      ...changes,
    });
  }

  async readJourney(lotCode: string): Promise<readonly string[]> {
    const steps = readArray((await this.verify(lotCode))['steps']);
    return steps.map(
      (step) =>
        `${String(step['event_type'])} ${String(step['lot_code'])} ${String(step['location'])}`,
    );
  }
}

const sold = (lot_code: string, channel: string) => ({ ...made(lot_code), channel });

test('of an ancestor come its origin, its moves before its use and the use, and nothing else', async () => {
  const brand = new Brand();
  await brand.happened('RECEIVE', [used('FLOUR')], { location: 'DOCK' });
  await brand.happened('TRANSFER', [used('FLOUR'), made('FLOUR')], { location: 'SILO' });
  await brand.happened('PRODUCE', [used('FLOUR'), made('ROLLS')], { location: 'OTHER-USE' });
  await brand.happened('SELL', [sold('FLOUR', 'webshop')], { location: 'OTHER-SALE' });
  await brand.happened('SHIP', [made('FLOUR')], { location: 'OTHER-SHIPMENT' });
  await brand.happened('PRODUCE', [used('FLOUR'), made('DOUGH')], { location: 'MIXER' });
  await brand.happened('DISPOSE', [made('DOUGH')], { location: 'OTHER-DISPOSAL' });
  await brand.happened('TRANSFER', [used('FLOUR'), made('FLOUR')], { location: 'AFTER-USE' });
  await brand.happened('PRODUCE', [used('DOUGH'), made('BREAD')], { location: 'OVEN' });
  await brand.happened('PRODUCE', [used('FLOUR'), made('CAKE')], { location: 'OTHER-USE' });
  await brand.happened('SHIP', [made('BREAD')], { location: 'RAMP' });
  await brand.happened('SELL', [sold('BREAD', 'store')], { location: 'SHOP' });
  await brand.happened('DISPOSE', [made('BREAD')], { location: 'BIN' });

  assert.deepEqual(await brand.readJourney('BREAD'), [
    'RECEIVE FLOUR DOCK',
    'TRANSFER FLOUR SILO',
    'PRODUCE FLOUR MIXER',
    'PRODUCE DOUGH MIXER',
    'PRODUCE DOUGH OVEN',
    'PRODUCE BREAD OVEN',
    'SHIP BREAD RAMP',
    'SELL BREAD SHOP',
    'DISPOSE BREAD BIN',
  ]);
});

test('uses and outputs that share a reference are on the way, others of the lots are not', async () => {
  const brand = new Brand();
  const order = { reference: 'WO-7' };
  await brand.happened('RECEIVE', [used('MILK')], { location: 'DOCK' });
  await brand.happened('CONSUME', [used('MILK')], { ...order, location: 'VAT' });
  await brand.happened('CONSUME', [used('MILK')], { reference: 'WO-8', location: 'OTHER-VAT' });
  await brand.happened('PRODUCE', [made('CURD')], { ...order, location: 'PRESS' });
  await brand.happened('PRODUCE', [made('WHEY')], { reference: 'WO-8', location: 'OTHER-PRESS' });
  await brand.happened('PACK', [used('CURD'), made('CHEESE')], { location: 'LINE' });

  assert.deepEqual(await brand.readJourney('CHEESE'), [
    'RECEIVE MILK DOCK',
    'CONSUME MILK VAT',
    'PRODUCE CURD PRESS',
    'PACK CURD LINE',
    'PACK CHEESE LINE',
  ]);
});

test('what came into a lot after it was used last is the story of other lots', async () => {
  const brand = new Brand();
  await brand.happened('RECEIVE', [used('RYE-1')], { location: 'DOCK-1' });
  await brand.happened('PRODUCE', [used('RYE-1'), made('SOUR')], { location: 'TUB' });
  await brand.happened('PRODUCE', [used('SOUR'), made('BREAD-1')], { location: 'OVEN' });
  await brand.happened('RECEIVE', [used('RYE-2')], { location: 'DOCK-2' });
  await brand.happened('PRODUCE', [used('RYE-2'), made('SOUR')], { location: 'TUB' });
  await brand.happened('PRODUCE', [used('SOUR'), made('BREAD-2')], { location: 'OVEN' });

  const first = await brand.readJourney('BREAD-1');
  const second = await brand.readJourney('BREAD-2');

  assert.deepEqual(first, [
    'RECEIVE RYE-1 DOCK-1',
    'PRODUCE RYE-1 TUB',
    'PRODUCE SOUR TUB',
    'PRODUCE SOUR OVEN',
    'PRODUCE BREAD-1 OVEN',
  ]);
  assert.equal(
    second.includes('RECEIVE RYE-2 DOCK-2') && second.includes('RECEIVE RYE-1 DOCK-1'),
    true,
  );
  assert.equal(
    second.some((step) => step.includes('BREAD-1')),
    false,
  );
});

test('events of one type, time and place stay apart, in the answer and on the page', async () => {
  const brand = new Brand();
  const together = { occurred_at: nextDay(), location: 'MIXER' };
  await brand.happened('RECEIVE', [used('FLOUR'), used('SALT')]);
  for (const reference of ['B-1', 'B-2', 'B-3']) {
    await brand.happened('PRODUCE', [used('FLOUR'), used('SALT'), made('DOUGH')], {
      ...together,
      reference,
    });
  }

  const journey = await brand.readJourney('DOUGH');
  const page = (await brand.get(`/lot/DOUGH?brand=${brand.id}`)).text;

  assert.equal(journey.filter((step) => step === 'PRODUCE FLOUR MIXER').length, 3);
  const start = page.indexOf('<ol class="journey">');
  const list = page.slice(start, page.indexOf('</ol>', start));
  const entries = list.split('<li>').slice(1);
  assert.deepEqual(
    entries.map((entry) => entry.match(/Source lot/g)?.length ?? 0).toSorted((a, b) => a - b),
    [2, 2, 2, 2],
  );
});

test('channels reached are those of the lot and of everything that it was packed or made into', async () => {
  const brand = new Brand();
  await brand.happened('RECEIVE', [used('FLOUR')], { location: 'DOCK' });
  await brand.happened('PRODUCE', [used('FLOUR'), made('BREAD')]);
  await brand.happened('PACK', [used('BREAD'), made('CRATE')]);
  await brand.happened('SELL', [sold('FLOUR', 'wholesale')]);
  await brand.happened('SELL', [sold('CRATE', 'Restaurant Adler'), sold('STRANGER', 'export')]);
  await brand.happened('SELL', [sold('BREAD', 'store')]);

  const flour = await brand.verify('FLOUR');
  const bread = await brand.verify('BREAD');
  const crate = await brand.verify('CRATE');

  assert.deepEqual(flour['channels_reached'], ['food_service', 'retail', 'wholesale']);
  assert.equal(flour['journey_title'], 'From DOCK to food_service, retail, wholesale');
  assert.deepEqual(bread['channels_reached'], ['food_service', 'retail']);
  assert.deepEqual(crate['channels_reached'], ['food_service']);
});

test('a sale that a correction has voided or moved to another channel reaches what it says now', async () => {
  const brand = new Brand();
  await brand.happened('PRODUCE', [used('FLOUR'), made('BREAD')]);
  const voided = await brand.post({ event_type: 'SELL', lines: [sold('BREAD', 'export')] });
  const moved = await brand.post({ event_type: 'SELL', lines: [sold('BREAD', 'webshop')] });
  const correct = async (event: Json, field: string, from: string, to: string): Promise<void> => {
    const { status, text } = await hub.post(
      '/v1/corrections',
      {
        corrects_event_id: event['id'],
        reason: 'typing error',
        requested_by: 'Ada Miller',
        changes: [{ field, old_value: from, new_value: to }],
      },
      brand.headers,
    );
    assert.equal(status, 201, text);
  };

  await correct(voided.json, 'status', 'accepted', 'voided');
  await correct(moved.json, 'lines[0].channel', 'webshop', 'catering');

  assert.deepEqual((await brand.verify('FLOUR'))['channels_reached'], ['food_service']);
});

test('an ancestor’s line in an event of the lot is a step only if it is on the way', async () => {
  const brand = new Brand();
  await brand.happened('RECEIVE', [used('FLOUR')], { location: 'DOCK' });
  await brand.happened('PRODUCE', [used('FLOUR'), made('BREAD')], { location: 'OVEN' });
  await brand.happened(
    'SHIP',
    [made('BREAD'), made('FLOUR'), aLine({ lot_code: 'OTHER', direction: 'out' })],
    {
      location: 'RAMP',
    },
  );

  assert.deepEqual(await brand.readJourney('BREAD'), [
    'RECEIVE FLOUR DOCK',
    'PRODUCE FLOUR OVEN',
    'PRODUCE BREAD OVEN',
    'SHIP BREAD RAMP',
  ]);
});
