// Many callers at once: one block for each external id, dense heights, right links, and answers that
// say what was stored.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { aLine, anEvent, boot, newTenant, valueAt, type Answer } from '../boot.ts';
import { findChainFault, storedBlock, storedBlocks, storedHeight } from '../stored.ts';

const RACERS = 200;

const hub = await openForFile(boot());

function countEqual<Value>(values: readonly Value[], sought: Value): number {
  return values.filter((value) => value === sought).length;
}

test(`${RACERS} racing first posts of one external_id give one block`, async () => {
  const event = anEvent({ external_id: 'race' });
  const asTenant = { 'X-Tenant-Id': newTenant() };
  const height = await storedHeight(hub.database);

  const answers = await Promise.all(
    Array.from({ length: RACERS }, () => hub.post('/v1/events', event, asTenant)),
  );

  const statuses = answers.map((answer) => answer.status);
  assert.equal(countEqual(statuses, 201), 1);
  assert.equal(countEqual(statuses, 200), RACERS - 1);
  const replays = answers.map((answer) => answer.headers.get('idempotent-replay'));
  assert.equal(countEqual(replays, 'true'), RACERS - 1);
  assert.equal(await storedHeight(hub.database), height + 1);
  const { blockHash } = await storedBlock(hub.database, height + 1);
  for (const answer of answers) {
    assert.equal(valueAt(answer.json, 'chain', 'block_hash'), blockHash);
    assert.equal(answer.json['id'], height + 1);
  }
});

test('racing posts of one external_id with different contents keep one of them', async () => {
  const asTenant = { 'X-Tenant-Id': newTenant() };

  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      hub.post('/v1/events', anEvent({ external_id: 'race', reference: `R-${index}` }), asTenant),
    ),
  );

  const statuses = answers.map((answer) => answer.status);
  assert.equal(countEqual(statuses, 201), 1);
  assert.equal(countEqual(statuses, 400), 49);
});

test('racing batches that share external ids store each once', async () => {
  const tenant = newTenant();
  const height = await storedHeight(hub.database);
  // Batch i holds the ids i to i + 9, so every id is in up to ten of them.
  const batches = Array.from({ length: 20 }, (_, first) =>
    Array.from({ length: 10 }, (_, offset) => anEvent({ external_id: `id-${first + offset}` })),
  );

  const answers = await Promise.all(
    batches.map((batch) => hub.post('/v1/events/batch', batch, { 'X-Tenant-Id': tenant })),
  );

  assert.ok(answers.every((answer) => answer.status === 200 || answer.status === 201));
  const accepted = answers.reduce(
    (sum, answer) => sum + Number(valueAt(answer.json, 'accepted')),
    0,
  );
  assert.equal(accepted, 29);
  assert.equal(await storedHeight(hub.database), height + 29);
  const rows = await hub.database.rows(
    'select external_id from events where height > ? group by external_id having count(*) > 1',
    height,
  );
  assert.deepEqual(rows, []);
});

interface Acknowledged {
  readonly tenant: string;
  readonly externalId: unknown;
  readonly height: number;
  readonly hash: unknown;
}

function ofSingle(tenant: string, answer: Answer): readonly Acknowledged[] {
  assert.equal(answer.status, 201, answer.text);
  return [
    {
      tenant,
      externalId: answer.json['external_id'],
      height: Number(valueAt(answer.json, 'chain', 'block_height')),
      hash: valueAt(answer.json, 'chain', 'block_hash'),
    },
  ];
}

function ofBatch(tenant: string, answer: Answer): readonly Acknowledged[] {
  assert.equal(answer.status, 201, answer.text);
  const results = valueAt(answer.json, 'results');
  assert.ok(Array.isArray(results));
  return results.map((result) => ({
    tenant,
    externalId: valueAt(result, 'external_id'),
    height: Number(valueAt(result, 'block_height')),
    hash: valueAt(result, 'block_hash'),
  }));
}

test('posts and batches of several tenants interleave into one right chain', async () => {
  const tenants = Array.from({ length: 5 }, newTenant);
  const firstHeight = (await storedHeight(hub.database)) + 1;
  const posts = tenants.flatMap((tenant) =>
    Array.from({ length: 30 }, async (_, index) => {
      const asTenant = { 'X-Tenant-Id': tenant };
      if (index % 10 === 9) {
        const batch = Array.from({ length: 40 }, (_, place) =>
          anEvent({ external_id: `b-${index}-${place}` }),
        );
        const query = index % 20 === 9 ? '' : '?on_error=proceed';
        return ofBatch(tenant, await hub.post(`/v1/events/batch${query}`, batch, asTenant));
      }
      const lines = [aLine({ lot_code: `LOT-${index}` }), aLine({ direction: 'out' })];
      const event = anEvent({ external_id: `s-${index}`, event_type: 'PRODUCE', lines });
      return ofSingle(tenant, await hub.post('/v1/events', event, asTenant));
    }),
  );

  const acknowledged = (await Promise.all(posts)).flat();

  assert.equal(await findChainFault(hub.database), undefined);
  const heights = acknowledged.map((one) => one.height).toSorted((a, b) => a - b);
  assert.deepEqual(
    heights,
    Array.from({ length: 5 * (27 + 3 * 40) }, (_, index) => firstHeight + index),
  );
  const blocks = new Map((await storedBlocks(hub.database)).map((block) => [block.height, block]));
  for (const one of acknowledged) {
    const block = blocks.get(one.height)!;
    const payload = valueAt(JSON.parse(block.canonical), 'payload');
    assert.equal(block.blockHash, one.hash);
    assert.equal(valueAt(payload, 'brand'), one.tenant);
    assert.equal(valueAt(payload, 'event', 'external_id'), one.externalId);
  }
});

test('a batch that is kept whole takes heights without a gap, whoever else posts', async () => {
  const [tenant, other] = [newTenant(), newTenant()];
  const batch = Array.from({ length: 100 }, (_, index) => anEvent({ external_id: `w-${index}` }));

  const [answer] = await Promise.all([
    hub.post('/v1/events/batch', batch, { 'X-Tenant-Id': tenant }),
    ...Array.from({ length: 50 }, () =>
      hub.post('/v1/events', anEvent(), { 'X-Tenant-Id': other }),
    ),
  ]);

  const heights = ofBatch(tenant, answer).map((one) => one.height);
  assert.deepEqual(
    heights,
    heights.map((_, index) => heights[0]! + index),
  );
});

test('who reads while others write sees whole events only', async () => {
  const tenant = newTenant();
  const asTenant = { 'X-Tenant-Id': tenant };
  const lines = Array.from({ length: 20 }, (_, index) => aLine({ lot_code: `L-${index}` }));
  let writing = true;
  const writers = Array.from({ length: 40 }, () =>
    hub.post('/v1/events', anEvent({ lines }), asTenant),
  );
  const finished = Promise.all(writers).then(() => {
    writing = false;
  });

  let reads = 0;
  do {
    const answer = await hub.call('/v1/events?limit=200', { headers: asTenant });
    const events = valueAt(answer.json, 'events');
    assert.ok(Array.isArray(events));
    for (const event of events) {
      const read = valueAt(event, 'lines');
      assert.ok(Array.isArray(read) && read.length === lines.length);
    }
    reads += 1;
  } while (writing);
  await finished;

  assert.ok(reads > 0);
});

test('the counters of the hub agree with its rows after all of this', async () => {
  const answer = await hub.call('/public/explorer');

  const count = async (query: string): Promise<unknown> =>
    Object.values((await hub.database.rows(query))[0]!)[0];
  const stats = answer.json['stats'];
  assert.equal(valueAt(stats, 'blocks'), await count('select count(*) from blocks'));
  assert.equal(valueAt(stats, 'transactions'), await count('select count(*) from lines'));
  assert.equal(valueAt(stats, 'lots'), await count('select count(*) from lots'));
  assert.equal(valueAt(stats, 'brands'), await count('select count(*) from tenants'));
  assert.equal(valueAt(stats, 'chain_valid'), true);
});
