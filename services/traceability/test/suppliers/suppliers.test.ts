// Which brand of the hub a supplier's name stands for: linked, read, listed, ended, refused, and kept in the audit.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { aLine, anEvent, boot, newTenant, valueAt, type Answer } from '../boot.ts';
import { TestBrand, readHeight } from '../brand/test-brand.ts';
import { verifiedCodes } from '../verified.ts';

let mill: string;
let dairy: string;

const hub = await openForFile(boot());
before(async () => {
  [mill, dairy] = [await brandThatRecords(), await brandThatRecords()];
});

async function brandThatRecords(): Promise<string> {
  const id = newTenant();
  const event = anEvent({ lines: [aLine({ lot_code: 'L' })] });
  const answer = await hub.post('/v1/events', event, { 'X-Tenant-Id': id });
  assert.equal(answer.status, 201, answer.text);
  return id;
}

interface Entry {
  readonly action: unknown;
  readonly entity_type: unknown;
  readonly entity_id: unknown;
  readonly block_height: unknown;
  readonly details: unknown;
}

/** The audit of a brand, oldest first. */
async function readAudit(brand: TestBrand): Promise<readonly Entry[]> {
  const { json } = await brand.get('/v1/dashboard/audit');
  return (valueAt(json, 'entries') as Entry[])
    .map(({ action, entity_type, entity_id, block_height, details }) => {
      return { action, entity_type, entity_id, block_height, details };
    })
    .reverse();
}

const refused = ({ status, json }: Answer): unknown => [status, json['detail']];

test('a name is linked to a brand, and read back with what the brand calls itself', async () => {
  const bakery = new TestBrand(hub);
  const named = new TestBrand(hub);
  await named.patch('/v1/brand', { name: 'Old Mill' });

  const answer = await bakery.put('/v1/suppliers/Mill%2FBrandt', { brand: named.id });

  assert.equal(answer.status, 201, answer.text);
  const { linked_at, ...link } = answer.json;
  assert.match(String(linked_at), /^\d{4}-.*Z$/);
  assert.deepEqual(link, { name: 'Mill/Brandt', brand: { id: named.id, name: 'Old Mill' } });
  assert.deepEqual((await bakery.get('/v1/suppliers/Mill%2FBrandt')).json, answer.json);
});

test('a brand that only records is called by its id', async () => {
  const bakery = new TestBrand(hub);

  const answer = await bakery.put('/v1/suppliers/Mill', { brand: mill });

  assert.deepEqual(answer.json['brand'], { id: mill, name: mill });
});

test('the same again is a 200 and writes nothing', async () => {
  const bakery = new TestBrand(hub);
  const first = await bakery.put('/v1/suppliers/Mill', { brand: mill });
  const entries = await readAudit(bakery);

  const again = await bakery.put('/v1/suppliers/Mill', { brand: mill });

  assert.deepEqual([again.status, again.json], [200, first.json]);
  assert.deepEqual(await readAudit(bakery), entries);
});

test('another brand takes the place of the first one', async () => {
  const bakery = new TestBrand(hub);
  await bakery.put('/v1/suppliers/Mill', { brand: mill });

  const changed = await bakery.put('/v1/suppliers/Mill', { brand: dairy });

  assert.deepEqual([changed.status, changed.json['brand']?.['id']], [200, dairy]);
  const { json } = await bakery.get('/v1/suppliers');
  assert.deepEqual(json, { suppliers: [changed.json], total: 1, next: null });
});

test('no block has a link, the audit has each change of one', async () => {
  const bakery = new TestBrand(hub);
  const height = await readHeight(hub);

  await bakery.put('/v1/suppliers/Mill', { brand: mill });
  await bakery.put('/v1/suppliers/Mill', { brand: dairy });
  await bakery.remove('/v1/suppliers/Mill');

  const entry = { entity_type: 'supplier', entity_id: 'Mill', block_height: null };
  assert.deepEqual(await readAudit(bakery), [
    { action: 'link_supplier', ...entry, details: { brand: mill } },
    { action: 'link_supplier', ...entry, details: { brand: dairy } },
    { action: 'unlink_supplier', ...entry, details: { brand: dairy } },
  ]);
  assert.equal(await readHeight(hub), height);
});

test('a link that has ended is not there, and may be made again', async () => {
  const bakery = new TestBrand(hub);
  await bakery.put('/v1/suppliers/Mill', { brand: mill });

  const ended = await bakery.remove('/v1/suppliers/Mill');

  assert.deepEqual([ended.status, ended.json], [200, { removed: true }]);
  const gone = [404, 'No supplier of this name is linked to a brand'];
  assert.deepEqual(refused(await bakery.get('/v1/suppliers/Mill')), gone);
  assert.deepEqual(refused(await bakery.remove('/v1/suppliers/Mill')), gone);
  assert.equal((await bakery.put('/v1/suppliers/Mill', { brand: mill })).status, 201);
});

test('the list goes through all links by name, page by page, and has no links of others', async () => {
  const [bakery, other] = [new TestBrand(hub), new TestBrand(hub)];
  for (const name of ['C', 'A', 'B']) await bakery.put(`/v1/suppliers/${name}`, { brand: mill });
  await other.put('/v1/suppliers/D', { brand: mill });

  const first = await bakery.get('/v1/suppliers?limit=2');
  const second = await bakery.get('/v1/suppliers?limit=2&after=B');

  const found = [first, second].map(({ json }) => [
    Object.values(json['suppliers']!).map((link) => link['name']),
    json['total'],
    json['next'],
  ]);
  assert.deepEqual(found, [
    [['A', 'B'], 3, 'B'],
    [['C'], 3, null],
  ]);
});

test('of links that race the last one is kept, and each change has its entry', async () => {
  const bakery = new TestBrand(hub);
  const brands = Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? mill : dairy));

  const answers = await Promise.all(
    brands.map((brand) => bakery.put('/v1/suppliers/Mill', { brand })),
  );

  assert.ok(answers.every(({ status }) => status === 200 || status === 201));
  assert.equal(answers.filter(({ status }) => status === 201).length, 1);
  const { json } = await bakery.get('/v1/suppliers/Mill');
  const last = (await readAudit(bakery)).at(-1);
  assert.deepEqual(last?.details, { brand: json['brand']?.['id'] });
  assert.deepEqual(await verifiedCodes(hub.database), []);
});

for (const [what, getBrand, detail] of [
  [
    'the own brand',
    (bakery: TestBrand) => bakery.id,
    'A supplier is linked to another brand, not to your own',
  ],
  ['an unknown brand', () => 'nobody-at-all', 'No brand of this id is known to the hub'],
] as const) {
  test(`a link to ${what} is a 400, and nothing is written`, async () => {
    const bakery = new TestBrand(hub);

    const answer = await bakery.put('/v1/suppliers/Mill', { brand: getBrand(bakery) });

    assert.deepEqual(refused(answer), [400, detail]);
    assert.equal((await bakery.get('/v1/suppliers/Mill')).status, 404);
    assert.deepEqual(await readAudit(bakery), []);
  });
}

for (const [what, path, body, loc, type] of [
  ['no brand', 'Mill', {}, ['body', 'brand'], 'missing'],
  ['a brand that is no id', 'Mill', { brand: 'a b' }, ['body', 'brand'], 'string_pattern_mismatch'],
  ['an unknown field', 'Mill', { brand: 'b', to: 1 }, ['body', 'to'], 'extra_forbidden'],
  ['a long name', 'x'.repeat(201), { brand: 'b' }, ['path', 'name'], 'string_too_long'],
] as const) {
  test(`a link with ${what} is a 422`, async () => {
    const bakery = new TestBrand(hub);

    const answer = await bakery.put(`/v1/suppliers/${path}`, body);

    assert.equal(answer.status, 422, answer.text);
    const [error] = Object.values(answer.json['detail']!);
    assert.deepEqual([error?.['loc'], error?.['type']], [loc, type]);
  });
}
