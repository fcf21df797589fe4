// What a SELL event says of a customer: committed to on the chain, kept beside it, public only as a
// class of channel. Written from the decisions on blocks and the canonical form.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import canonicalize from 'canonicalize';
import { aLine, anEvent, boot, newTenant, valueAt } from '../boot.ts';
import { storedBlock, storedPrivateLines } from '../stored.ts';

const hub = await openForFile(boot());

interface Posted {
  readonly height: number;
  readonly canonical: string;
  /** The event as it is in the payload. */
  readonly event: unknown;
}

async function post(changes: Readonly<Record<string, unknown>>): Promise<Posted> {
  const answer = await hub.post('/v1/events', anEvent({ event_type: 'SELL', ...changes }), {
    'X-Tenant-Id': newTenant(),
  });
  assert.equal(answer.status, 201, answer.text);
  const height = Number(answer.json['id']);
  const { canonical } = await storedBlock(hub.database, height);
  return { height, canonical, event: valueAt(JSON.parse(canonical), 'payload', 'event') };
}

/** The documented commitment, computed without our code. */
function commitment(values: object): string {
  return createHash('sha256')
    .update(String(canonicalize(values)))
    .digest('hex');
}

const sold = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  aLine({ direction: 'out', ...values });

test('customer and channel stand in a commitment that the side table opens', async () => {
  const { height, canonical, event } = await post({
    lines: [sold({ customer_ref: 'CUST-"1"', channel: 'Webshop Süd' })],
  });

  const [row] = await storedPrivateLines(hub.database, height);
  assert.deepEqual(
    { customerRef: row!.customerRef, channel: row!.channel },
    { customerRef: 'CUST-"1"', channel: 'Webshop Süd' },
  );
  assert.match(row!.salt, /^[0-9a-f]{64}$/);
  assert.equal(
    valueAt(event, 'lines', 0, 'private'),
    commitment({ channel: 'Webshop Süd', customer_ref: 'CUST-"1"', salt: row!.salt }),
  );
  assert.ok(!canonical.includes('CUST') && !canonical.includes('Webshop'));
});

test('a line of a SELL has its class of channel and its commitment, in canonical order', async () => {
  const { canonical } = await post({ lines: [sold({ customer_ref: 'C', channel: 'webshop' })] });

  assert.match(
    canonical,
    /\{"channel":"online","direction":"out","lot_code":"FLOUR-1","private":"[0-9a-f]{64}","product_sku":"FLOUR-T55","quantity":"250.5","unit":"kg"\}/,
  );
});

for (const [name, values] of [
  ['only a customer', { customer_ref: 'CUST-1' }],
  ['only a channel', { channel: 'Webshop' }],
] as const) {
  test(`a line with ${name} commits to that and leaves the other absent`, async () => {
    const { height, event } = await post({ lines: [sold(values)] });

    const [row] = await storedPrivateLines(hub.database, height);
    assert.equal(valueAt(event, 'lines', 0, 'private'), commitment({ ...values, salt: row!.salt }));
    const channel = 'channel' in values ? 'online' : undefined;
    assert.equal(valueAt(event, 'lines', 0, 'channel'), channel);
  });
}

test('a line without private values has neither commitment nor row', async () => {
  const { height, event } = await post({ lines: [sold({}), sold({ customer_ref: 'C' })] });

  const rows = await storedPrivateLines(hub.database, height);
  assert.equal(valueAt(event, 'lines', 0, 'private'), undefined);
  assert.deepEqual(
    rows.map((row) => row.lineNo),
    [1],
  );
});

test('equal values of two lines have different salts and commitments', async () => {
  const line = sold({ customer_ref: 'CUST-1', channel: 'webshop' });
  const { height, event } = await post({ lines: [line, line] });

  const [first, second] = await storedPrivateLines(hub.database, height);
  assert.notEqual(first!.salt, second!.salt);
  assert.notEqual(valueAt(event, 'lines', 0, 'private'), valueAt(event, 'lines', 1, 'private'));
});

test('the notes of a SELL are committed to and not on the chain', async () => {
  const { height, canonical, event } = await post({ notes: 'for Mrs "Miller"\n' });

  const [row] = await hub.database.rows(
    'select notes, salt from private_notes where height = ?',
    height,
  );
  assert.equal(row!['notes'], 'for Mrs "Miller"\n');
  assert.equal(
    valueAt(event, 'private'),
    commitment({ notes: 'for Mrs "Miller"\n', salt: row!['salt'] }),
  );
  assert.equal(valueAt(event, 'notes'), undefined);
  assert.ok(!canonical.includes('Miller'));
});

test('the notes of any other event are on the chain in clear', async () => {
  const { event } = await post({ event_type: 'SHIP', notes: 'two pallets' });

  assert.equal(valueAt(event, 'notes'), 'two pallets');
  assert.equal(valueAt(event, 'private'), undefined);
});

for (const type of ['RECEIVE', 'PRODUCE', 'CONSUME', 'PACK', 'TRANSFER', 'SHIP', 'DISPOSE']) {
  test(`customer and channel of a ${type} are dropped before hashing`, async () => {
    const { height, canonical, event } = await post({
      event_type: type,
      lines: [sold({ customer_ref: 'CUST-1', channel: 'webshop' })],
    });

    assert.equal(valueAt(event, 'lines', 0, 'channel'), undefined);
    assert.equal(valueAt(event, 'lines', 0, 'private'), undefined);
    assert.deepEqual(await storedPrivateLines(hub.database, height), []);
    assert.ok(!canonical.includes('CUST-1') && !canonical.includes('webshop'));
  });
}

/** A tenant's text, and the class that is public. */
const CLASSES: readonly (readonly [string, string])[] = [
  ['retail', 'retail'],
  ['online', 'online'],
  ['wholesale', 'wholesale'],
  ['food_service', 'food_service'],
  ['direct', 'direct'],
  ['export', 'export'],
  ['other', 'other'],
  ['webshop', 'online'],
  ['e-commerce', 'online'],
  ['restaurant', 'food_service'],
  ['catering', 'food_service'],
  ['supermarket', 'retail'],
  ['store', 'retail'],
  ['SUPERMARKET North', 'retail'],
  ['Supermarkets', 'retail'],
  ['our Web-Shop', 'online'],
  ['Catering (events)', 'food_service'],
  ['restored', 'other'],
  ['Anna Miller', 'other'],
  ['???', 'other'],
];

for (const [channel, expected] of CLASSES) {
  test(`the channel "${channel}" is public as ${expected}`, async () => {
    const { event } = await post({ lines: [sold({ channel })] });

    assert.equal(valueAt(event, 'lines', 0, 'channel'), expected);
  });
}
