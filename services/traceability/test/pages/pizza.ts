// A pizza whose brand has all profiles: names in two languages, places with their time zones, a
// picture and whom to ask; made of seven ingredients in several steps and sold in many shops.
import assert from 'node:assert/strict';
import { crc32, deflateSync } from 'node:zlib';
import type { Booted } from '../boot.ts';
import { RecallTenant } from '../recall/tenant.ts';

export const PIZZA_LOT = 'PIZZA-0311';
const BRAND = {
  name: 'Forno Aurora',
  website: 'https://aurora.example/recall',
  recall_contact: '+49 30 1234567, recall@aurora.example',
};
const PLACES = {
  'PLANT-1': { name: 'Aurora, Werk Kiel', address: 'Hafenweg 3, 24103 Kiel, Germany' },
  'DEPOT-N': { name: 'Nordlager Neumünster', address: 'Industriestr. 9, 24534 Neumünster' },
} as const;
const SHOPS = Array.from({ length: 12 }, (_, index) => `SHOP-${index + 1}`);
const INGREDIENTS = {
  FLOUR: { de: 'Weizenmehl', en: 'Wheat flour' },
  TOMATO: { de: 'Tomatensauce', en: 'Tomato sauce' },
  MOZZA: { de: 'Mozzarella', en: 'Mozzarella' },
  SALAMI: { de: 'Salami', en: 'Salami' },
  OIL: { de: 'Olivenöl', en: 'Olive oil' },
  SALT: { de: 'Meersalz', en: 'Sea salt' },
  YEAST: { de: 'Hefe', en: 'Yeast' },
} as const;
const SIDE = 400;

/** Sets the profiles of the brand and records its lot from the ingredients to the shops. */
export async function bakePizza(hub: Booted, id = 'aurora'): Promise<RecallTenant> {
  const tenant = new RecallTenant(hub, id);
  const send = async (method: string, path: string, body: unknown): Promise<void> => {
    const answer = await hub.call(path, {
      method,
      body: JSON.stringify(body),
      headers: { ...tenant.headers, 'Content-Type': 'application/json' },
    });
    assert.ok(answer.status < 300, answer.text);
  };
  const lots = Object.keys(INGREDIENTS);
  await tenant.post({
    event_type: 'RECEIVE',
    occurred_at: '2026-03-09T07:10:00+01:00',
    location: 'PLANT-1',
    reference: 'PO-1',
    lines: lots.slice(0, 4).map((sku) => line(sku, `${sku}-1`, 'in')),
  });
  await tenant.post({
    event_type: 'RECEIVE',
    occurred_at: '2026-03-10T08:40:00+01:00',
    location: 'PLANT-1',
    reference: 'PO-2',
    lines: lots.slice(4).map((sku) => line(sku, `${sku}-1`, 'in')),
  });
  await tenant.post({
    event_type: 'PRODUCE',
    occurred_at: '2026-03-11T00:20:00+01:00',
    location: 'PLANT-1',
    reference: 'WO-1',
    lines: [
      ...lots.map((sku) => line(sku, `${sku}-1`, 'in')),
      line('PIZZA-SALAMI', PIZZA_LOT, 'out'),
    ],
  });
  await tenant.post({
    event_type: 'SHIP',
    occurred_at: '2026-03-11T14:00:00+01:00',
    location: 'PLANT-1',
    reference: 'SO-1',
    lines: [line('PIZZA-SALAMI', PIZZA_LOT, 'out')],
  });
  await tenant.post({
    event_type: 'TRANSFER',
    occurred_at: '2026-03-12T06:00:00+01:00',
    location: 'DEPOT-N',
    reference: 'TR-1',
    lines: [line('PIZZA-SALAMI', PIZZA_LOT, 'in'), line('PIZZA-SALAMI', PIZZA_LOT, 'out')],
  });
  for (const [index, location] of SHOPS.entries()) {
    await tenant.post({
      event_type: 'SELL',
      occurred_at: `2026-03-${13 + (index % 3)}T10:00:00+01:00`,
      location,
      reference: `TILL-${index}`,
      lines: [{ ...line('PIZZA-SALAMI', PIZZA_LOT, 'out'), quantity: 1, channel: 'Supermarkt' }],
    });
  }
  await send('PATCH', '/v1/brand', BRAND);
  await send('PUT', '/v1/products/PIZZA-SALAMI', {
    names: { de: 'Steinofenpizza Salami 320 g', en: 'Stone-baked pizza salami 320 g' },
    gtin: '4006381333931',
  });
  for (const [sku, names] of Object.entries(INGREDIENTS)) {
    await send('PUT', `/v1/products/${sku}`, { names });
  }
  for (const [location, place] of Object.entries(PLACES)) {
    await send('PUT', `/v1/places/${location}`, { ...place, time_zone: 'Europe/Berlin' });
  }
  const picture = await hub.call('/v1/products/PIZZA-SALAMI/picture', {
    method: 'PUT',
    body: square(SIDE),
    headers: { ...tenant.headers, 'Content-Type': 'image/png' },
  });
  assert.equal(picture.status, 200, picture.text);
  return tenant;
}

function line(product_sku: string, lot_code: string, direction: string): object {
  return { product_sku, lot_code, direction, quantity: 10, unit: 'kg' };
}

/** A PNG of one colour. */
function square(side: number): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 2], 8);
  const row = Buffer.concat([Buffer.of(0), Buffer.alloc(side * 3, 0xc8)]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: side }, () => row)));
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Uint8Array.from(
    Buffer.concat([
      signature,
      chunk('IHDR', header),
      chunk('IDAT', pixels),
      chunk('IEND', Buffer.alloc(0)),
    ]),
  );
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
