// The block that an accepted event becomes: its canonical text, hash, link and time.
// Written from docs/interface/traceability.md#the-canonical-text.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import canonicalize from 'canonicalize';
import { aLine, anEvent, boot, newTenant, valueAt, type Answer } from '../boot.ts';
import { findChainFault, storedBlock, storedBlocks } from '../stored.ts';

const hub = await openForFile(boot({ env: { HUB_NAME: 'Hub "Nord" – Süd' } }));

/** SHA-256 as a client without our code would compute it. */
function digest(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** Posts an event that must be accepted; answers the canonical text of its block. */
async function readCanonical(
  event: Record<string, unknown>,
  tenant = newTenant(),
): Promise<string> {
  const answer = await hub.post('/v1/events', event, { 'X-Tenant-Id': tenant });
  assert.equal(answer.status, 201, answer.text);
  return (await storedBlock(hub.database, readHeight(answer))).canonical;
}

function readHeight(answer: Answer): number {
  return Number(valueAt(answer.json, 'chain', 'block_height'));
}

test('the canonical text of a full event is the documented one, byte for byte', async () => {
  const event = {
    external_id: 'wms-1',
    event_type: 'RECEIVE',
    occurred_at: '2026-03-02T07:15:00.250+01:00',
    location: 'BAKERY-1',
    reference: 'PO-1',
    notes: 'dry "and" sealed\n',
    lines: [
      {
        unit: 'kg',
        quantity: 250.5,
        direction: 'in',
        product_sku: 'FLOUR-T55',
        lot_code: 'FLOUR-1',
        supplier_lot_code: 'BR-118',
        supplier_name: 'Mill Brandt',
        origin_facility: 'Silo 3',
      },
      { lot_code: 'SALT-1', product_sku: 'SALT', direction: 'in', quantity: 2, unit: 'kg' },
    ],
  };

  const answer = await hub.post('/v1/events', event, { 'X-Tenant-Id': 'full' });

  const height = readHeight(answer);
  const block = await storedBlock(hub.database, height);
  const recordedAt = /"recorded_at":"([^"]*)"/.exec(block.canonical)?.[1];
  const expected =
    `{"height":${height},"payload":{"brand":"full","event":{"event_type":"RECEIVE",` +
    '"external_id":"wms-1","lines":[{"direction":"in","lot_code":"FLOUR-1",' +
    '"origin_facility":"Silo 3","product_sku":"FLOUR-T55","quantity":"250.5",' +
    '"supplier_lot_code":"BR-118","supplier_name":"Mill Brandt","unit":"kg"},' +
    '{"direction":"in","lot_code":"SALT-1","product_sku":"SALT","quantity":"2","unit":"kg"}],' +
    '"location":"BAKERY-1","notes":"dry \\"and\\" sealed\\n",' +
    '"occurred_at":"2026-03-02T06:15:00.25Z","reference":"PO-1"},' +
    `"recorded_at":"${recordedAt}","type":"event","v":1},` +
    `"prev_hash":"${(await storedBlock(hub.database, height - 1)).blockHash}"}`;
  assert.equal(block.canonical, expected);
});

test('block_hash of the answer is the SHA-256 of the stored canonical text', async () => {
  const answer = await hub.post('/v1/events', anEvent());

  const { canonical } = await storedBlock(hub.database, readHeight(answer));
  assert.equal(valueAt(answer.json, 'chain', 'block_hash'), digest(canonical));
});

test('the explorer shows the text that hashes to block_hash, for every block', async () => {
  const answer = await hub.post('/v1/events', anEvent());

  for (let height = 0; height <= readHeight(answer); height += 1) {
    const block = await hub.call(`/public/explorer/block/${height}`);
    assert.equal(block.status, 200, block.text);
    assert.equal(block.json['height'], height);
    assert.equal(digest(String(valueAt(block.json, 'canonical'))), block.json['block_hash']);
  }
});

test('block 0 is the genesis block of the named hub, and the first event has height 1', async () => {
  await using fresh = await boot({ env: { HUB_NAME: 'Hub "Nord" – Süd' } });
  const answer = await fresh.post('/v1/events', anEvent());

  const [genesis, first] = await storedBlocks(fresh.database);

  assert.match(
    genesis!.canonical,
    /^\{"height":0,"payload":\{"hub":"Hub \\"Nord\\" – Süd","nonce":"[0-9a-f]{64}","recorded_at":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z","type":"genesis","v":1\},"prev_hash":"0{64}"\}$/,
  );
  assert.equal(answer.json['id'], 1);
  assert.equal(first!.blockHash, valueAt(answer.json, 'chain', 'tip_hash'));
  assert.ok(first!.canonical.endsWith(`"prev_hash":"${digest(genesis!.canonical)}"}`));
});

test('two hubs have different genesis blocks', async () => {
  await using other = await boot({ env: { HUB_NAME: 'Hub "Nord" – Süd' } });

  const hashes = [
    (await storedBlock(hub.database, 0)).blockHash,
    (await storedBlock(other.database, 0)).blockHash,
  ];

  assert.notEqual(hashes[0], hashes[1]);
});

test('a generic RFC 8785 serialiser makes the same text of every stored block', async () => {
  await readCanonical(
    anEvent({ notes: '\u0001\u001f\u007f\u2028 €😀 \\ / "', location: ' a  b ' }),
  );

  const blocks = await storedBlocks(hub.database);

  assert.ok(blocks.length > 1);
  for (const { canonical } of blocks) {
    assert.equal(canonicalize(JSON.parse(canonical)), canonical);
  }
});

test('strings are hashed as they were sent, neither trimmed nor normalised', async () => {
  const decomposed = 'Cafe\u0301 ';
  const canonical = await readCanonical(
    anEvent({ location: ` ${decomposed}`, lines: [aLine({ supplier_name: '\tLOT\u00a0 1' })] }),
  );

  const parsed: unknown = JSON.parse(canonical);
  assert.equal(valueAt(parsed, 'payload', 'event', 'location'), ` ${decomposed}`);
  assert.equal(valueAt(parsed, 'payload', 'event', 'lines', 0, 'supplier_name'), '\tLOT\u00a0 1');
});

test('optional fields that were not sent are absent from the payload', async () => {
  const canonical = await readCanonical(anEvent());

  const event = valueAt(JSON.parse(canonical), 'payload', 'event');
  assert.deepEqual(Object.keys(event as object), [
    'event_type',
    'lines',
    'location',
    'occurred_at',
    'reference',
  ]);
  assert.deepEqual(Object.keys(valueAt(event, 'lines', 0) as object), [
    'direction',
    'lot_code',
    'product_sku',
    'quantity',
    'unit',
  ]);
  assert.ok(!canonical.includes('null'));
});

test('recorded_at is the clock of the server and never goes backwards', async () => {
  const before = new Date().toISOString();
  await readCanonical(anEvent());
  await readCanonical(anEvent());
  const afterwards = new Date().toISOString();

  const times = (await storedBlocks(hub.database)).map(({ canonical }) =>
    String(valueAt(JSON.parse(canonical), 'payload', 'recorded_at')),
  );

  assert.deepEqual(times, times.toSorted());
  assert.ok(times.at(-2)! >= before && times.at(-1)! <= afterwards);
});

test('an earlier block is not changed by later ones', async () => {
  const earlier = await storedBlocks(hub.database);
  await readCanonical(anEvent());

  assert.deepEqual((await storedBlocks(hub.database)).slice(0, earlier.length), earlier);
});

/** What is sent, and what is hashed. */
const INSTANTS: readonly (readonly [string, string])[] = [
  ['2026-03-02T07:15:00Z', '2026-03-02T07:15:00Z'],
  ['2026-03-02T07:15:00+00:00', '2026-03-02T07:15:00Z'],
  ['2026-03-02T07:15:00-00:00', '2026-03-02T07:15:00Z'],
  ['2026-03-02T07:15:00+01:00', '2026-03-02T06:15:00Z'],
  ['2026-03-02T00:30:00+05:45', '2026-03-01T18:45:00Z'],
  ['2026-12-31T20:00:00-05:00', '2027-01-01T01:00:00Z'],
  ['2024-02-29T23:30:00-01:00', '2024-03-01T00:30:00Z'],
  ['2000-02-29T12:00:00Z', '2000-02-29T12:00:00Z'],
  ['2026-03-02T07:15:00.000Z', '2026-03-02T07:15:00Z'],
  ['2026-03-02T07:15:00.100Z', '2026-03-02T07:15:00.1Z'],
  ['2026-03-02T07:15:00.123456789Z', '2026-03-02T07:15:00.123456789Z'],
  ['2026-03-02T07:15:00.120+01:00', '2026-03-02T06:15:00.12Z'],
  ['2026-03-02T07:15:00,5Z', '2026-03-02T07:15:00.5Z'],
  ['2026-03-02t07:15:00z', '2026-03-02T07:15:00Z'],
  ['2026-03-02 07:15:00Z', '2026-03-02T07:15:00Z'],
  ['2026-03-02T07:15Z', '2026-03-02T07:15:00Z'],
  ['2026-03-02T07:15:00+0100', '2026-03-02T06:15:00Z'],
  ['2026-03-02T07:15:00+01', '2026-03-02T06:15:00Z'],
  ['2026-03-02T07:15:00', '2026-03-02T07:15:00Z'],
  ['1969-12-31T23:59:59.5Z', '1969-12-31T23:59:59.5Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
  ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59Z'],
];

for (const [sent, hashed] of INSTANTS) {
  test(`occurred_at ${sent} is hashed as ${hashed}`, async () => {
    const canonical = await readCanonical(anEvent({ occurred_at: sent }));

    assert.equal(valueAt(JSON.parse(canonical), 'payload', 'event', 'occurred_at'), hashed);
  });
}

const NO_INSTANTS: readonly string[] = [
  ...['2026-03-02', '', 'yesterday', '07:15:00Z', '1772435700', '2026-03-02T', '2026-W10-1'],
  ...['2026-02-29T00:00:00Z', '2026-02-30T00:00:00Z', '2026-04-31T00:00:00Z'],
  ...['1900-02-29T00:00:00Z', '2026-13-01T00:00:00Z', '2026-00-10T00:00:00Z'],
  ...['2026-01-00T00:00:00Z', '2026-01-32T00:00:00Z', '2026-03-02T24:00:00Z'],
  ...['2026-03-02T23:60:00Z', '2026-03-02T23:59:60Z', '2026-03-02T07:15:00+24:00'],
  ...['2026-03-02T07:15:00+01:60', '2026-03-02T07:15:00.Z', '2026-03-02T07:15:00Z '],
  ...[' 2026-03-02T07:15:00Z', '2026-3-2T07:15:00Z', '2026-03-02T7:15:00Z', '02.03.2026 07:15'],
  ...['2026-03-02T07:15:00 Europe/Berlin', '2026-03-02T07:15:00+01:00[Europe/Berlin]'],
  ...['0000-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00', '2026-03-02T07:15:00Zz'],
];

for (const sent of NO_INSTANTS) {
  test(`occurred_at ${JSON.stringify(sent)} is refused`, async () => {
    const answer = await hub.post('/v1/events', anEvent({ occurred_at: sent }));

    assert.equal(answer.status, 422);
    assert.deepEqual(valueAt(answer.json, 'detail', 0, 'loc'), ['body', 'occurred_at']);
    const expected = sent === '' ? 'string_too_short' : 'datetime_parsing';
    assert.equal(valueAt(answer.json, 'detail', 0, 'type'), expected);
  });
}

/** Literals as they are in the request, and the decimal text that is hashed. */
const QUANTITIES: readonly (readonly [string, string])[] = [
  ['0', '0'],
  ['-0', '0'],
  ['-0.0', '0'],
  ['0.0', '0'],
  ['0e5', '0'],
  ['1', '1'],
  ['1.0', '1'],
  ['250.50', '250.5'],
  ['0.1', '0.1'],
  ['0.3', '0.3'],
  ['1e3', '1000'],
  ['1E+3', '1000'],
  ['1.5e2', '150'],
  ['125e-3', '0.125'],
  ['1e-15', '0.000000000000001'],
  ['0.000001', '0.000001'],
  ['0.0000001', '0.0000001'],
  ['999999999999999', '999999999999999'],
  ['123456789.012345', '123456789.012345'],
  ['0.123456789012345', '0.123456789012345'],
  ['100.00000000000000000000', '100'],
  ['99999999999999.9', '99999999999999.9'],
];

for (const [literal, hashed] of QUANTITIES) {
  test(`a quantity of ${literal} is hashed as "${hashed}"`, async () => {
    const tenant = newTenant();
    const answer = await postQuantity(literal, tenant);

    assert.equal(answer.status, 201, answer.text);
    const { canonical } = await storedBlock(hub.database, readHeight(answer));
    assert.ok(canonical.includes(`"quantity":"${hashed}"`), canonical);
    const events = await hub.call('/v1/events', { headers: { 'X-Tenant-Id': tenant } });
    const read = valueAt(events.json, 'events', 0, 'lines', 0, 'quantity');
    assert.ok(typeof read === 'number' && Object.is(read, Number(hashed)));
  });
}

/** Literals that would be rounded or are out of bounds, and the type of the error. */
const NO_QUANTITIES: readonly (readonly [string, string])[] = [
  ['0.30000000000000000001', 'decimal_max_digits'],
  ['0.1234567890123456', 'decimal_max_digits'],
  ['1234567890123456', 'decimal_max_digits'],
  ['9007199254740993', 'decimal_max_digits'],
  ['1.000000000000001', 'decimal_max_digits'],
  ['1e400', 'decimal_max_digits'],
  ['1e-400', 'decimal_max_digits'],
  [`0.${'0'.repeat(400)}1`, 'decimal_max_digits'],
  ['-1', 'greater_than_equal'],
  ['-0.001', 'greater_than_equal'],
  ['-1e-300', 'greater_than_equal'],
  ['"5"', 'float_type'],
  ['null', 'float_type'],
  ['true', 'float_type'],
  ['[1]', 'float_type'],
  ['{"value":1}', 'float_type'],
];

for (const [literal, type] of NO_QUANTITIES) {
  test(`a quantity of ${literal.slice(0, 30)} is refused as ${type}`, async () => {
    const answer = await postQuantity(literal, newTenant());

    assert.equal(answer.status, 422, answer.text);
    assert.deepEqual(valueAt(answer.json, 'detail', 0, 'loc'), ['body', 'lines', 0, 'quantity']);
    assert.equal(valueAt(answer.json, 'detail', 0, 'type'), type);
    assert.equal(valueAt(answer.json, 'detail', 1), undefined);
  });
}

async function postQuantity(literal: string, tenant: string): Promise<Answer> {
  const body = JSON.stringify(anEvent({ lines: [aLine({ quantity: 7 })] }));
  return await hub.call('/v1/events', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Tenant-Id': tenant },
    body: body.replace('"quantity":7', `"quantity":${literal}`),
  });
}

for (const [name, text] of [
  ['NUL', 'a\\u0000b'],
  ['a lone high surrogate', 'a\\ud800b'],
  ['a lone low surrogate', '\\udc00'],
  ['surrogates in the wrong order', '\\udc00\\ud800'],
] as const) {
  test(`${name} in a string is refused`, async () => {
    const body = JSON.stringify(anEvent()).replace('BAKERY-1', text);

    const answer = await hub.call('/v1/events', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    });

    assert.equal(answer.status, 422);
    assert.deepEqual(valueAt(answer.json, 'detail', 0, 'loc'), ['body', 'location']);
  });
}

test('a surrogate pair written as two escapes is one character', async () => {
  const body = JSON.stringify(anEvent()).replace('BAKERY-1', '\\ud83c\\udf5e');

  const answer = await hub.call('/v1/events', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  });

  assert.equal(answer.status, 201);
  assert.ok(
    (await storedBlock(hub.database, readHeight(answer))).canonical.includes('"location":"🍞"'),
  );
});

test('the chain that these events made verifies', async () => {
  assert.equal(await findChainFault(hub.database), undefined);
});
