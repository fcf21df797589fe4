// GET /v1/lots/{lot_code}/genealogy over HTTP, from docs/interface/traceability.md#genealogy.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { resolveReferences } from '@lothub/kit/test/description/resolve-references';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { aLine, anEvent, boot, newTenant, valueAt, type Answer } from '../boot.ts';

const hub = await openForFile(boot());

type Members = Readonly<Record<string, unknown>>;

/** One tenant, its events and what it asks. */
class Tenant {
  readonly id = newTenant();
  readonly #headers = { 'X-Tenant-Id': this.id };

  /** Posts one event for each list of lines; answers their ids. */
  async post(...events: readonly Members[]): Promise<readonly number[]> {
    const answer = await hub.post('/v1/events/batch', { events }, this.#headers);
    assert.equal(answer.status, 201, answer.text);
    return Object.values(answer.json['results'] ?? {}).map((result) => Number(result['id']));
  }

  async postTo(path: string, body: unknown): Promise<Answer> {
    return await hub.post(path, body, this.#headers);
  }

  async genealogy(lotCode: string, query = ''): Promise<Answer> {
    const path = `/v1/lots/${encodeURIComponent(lotCode)}/genealogy${query}`;
    return await hub.call(path, { headers: this.#headers });
  }
}

const line = (direction: 'in' | 'out', lotCode: string, changes: Members = {}): Members =>
  aLine({ lot_code: lotCode, product_sku: lotCode.replace(/-.*$/, ''), direction, ...changes });

const event = (type: string, lines: readonly Members[], changes: Members = {}): Members =>
  anEvent({ event_type: type, lines, ...changes });

const MILL = { supplier_name: 'Mill Brandt', supplier_lot_code: 'BR-118' };

/** Texts of one member of a list of an answer. */
function members(answer: Answer, list: string, name: string): readonly unknown[] {
  return Object.values(answer.json[list] ?? {}).map((item) => valueAt(item, name));
}

async function bakery(): Promise<{ readonly tenant: Tenant; readonly ids: readonly number[] }> {
  const tenant = new Tenant();
  const ids = await tenant.post(
    event('RECEIVE', [line('in', 'FLOUR-1', MILL)], { reference: 'PO-1' }),
    event('PRODUCE', [line('in', 'FLOUR-1'), line('out', 'DOUGH-1')], { reference: 'WO-1' }),
    event('CONSUME', [line('in', 'DOUGH-1')], { reference: 'WO-2' }),
    event('PRODUCE', [line('out', 'BREAD-1')], { reference: 'WO-2' }),
  );
  return { tenant, ids };
}

test('it has nodes, edges and both directions of a lot', async () => {
  const { tenant, ids } = await bakery();

  const answer = await tenant.genealogy('DOUGH-1');

  const lot = { type: 'lot', status: 'active', hold_status: 'released' };
  const self = { lot_code: 'DOUGH-1', product_sku: 'DOUGH', relation: 'self', distance: 0 };
  const flour = { lot_code: 'FLOUR-1', product_sku: 'FLOUR', relation: 'upstream', distance: 1 };
  const bread = { lot_code: 'BREAD-1', product_sku: 'BREAD', relation: 'downstream', distance: 1 };
  const supplierLot = {
    supplier_name: 'Mill Brandt',
    origin_facility: null,
    supplier_lot_code: 'BR-118',
  };
  const mill = {
    lot_code: 'BR-118',
    product_sku: 'FLOUR',
    type: 'supplier_lot',
    relation: 'upstream',
    distance: 2,
    status: null,
    hold_status: null,
    ...supplierLot,
  };
  const occurred = { occurred_at: '2026-03-02T06:15:00Z' };
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json; charset=utf-8$/);
  const depleted = { ...lot, status: 'depleted' };
  assert.deepEqual(answer.json, {
    lot_code: 'DOUGH-1',
    depth: 10,
    nodes: [{ ...self, ...depleted }, { ...bread, ...lot }, { ...flour, ...depleted }, mill],
    edges: [
      {
        from: 'BR-118',
        to: 'FLOUR-1',
        from_type: 'supplier_lot',
        basis: 'event',
        event_id: ids[0],
        block_height: ids[0],
        event_type: 'RECEIVE',
        reference: 'PO-1',
        ...occurred,
        ...supplierLot,
      },
      {
        from: 'FLOUR-1',
        to: 'DOUGH-1',
        from_type: 'lot',
        basis: 'event',
        event_id: ids[1],
        block_height: ids[1],
        event_type: 'PRODUCE',
        reference: 'WO-1',
        ...occurred,
      },
      {
        from: 'DOUGH-1',
        to: 'BREAD-1',
        from_type: 'lot',
        basis: 'reference',
        event_id: ids[3],
        in_event_id: ids[2],
        block_height: ids[3],
        event_type: 'PRODUCE',
        reference: 'WO-2',
        ...occurred,
      },
    ],
    upstream: [{ ...flour, ...depleted }, mill],
    downstream: [{ ...bread, ...lot }],
    truncated: false,
    frontier: [],
    cycles: 0,
  });
});

test('depth counts hops, and what is cut off is named', async () => {
  const { tenant } = await bakery();

  const answer = await tenant.genealogy('BREAD-1', '?depth=2');

  assert.equal(answer.json['depth'], 2);
  assert.deepEqual(members(answer, 'nodes', 'lot_code'), ['BREAD-1', 'DOUGH-1', 'FLOUR-1']);
  assert.equal(answer.json['truncated'], true);
  assert.deepEqual(answer.json['frontier'], ['FLOUR-1']);
});

for (const depth of ['0', '51', '-1', '1.5', 'all', '']) {
  test(`a depth of "${depth}" is refused`, async () => {
    const { tenant } = await bakery();

    const answer = await tenant.genealogy('BREAD-1', `?depth=${depth}`);

    assert.equal(answer.status, 422, answer.text);
    assert.deepEqual(valueAt(answer.json, 'detail', 0, 'loc'), ['query', 'depth']);
  });
}

for (const depth of [1, 50]) {
  test(`a depth of ${depth} is followed`, async () => {
    const { tenant } = await bakery();

    const answer = await tenant.genealogy('BREAD-1', `?depth=${depth}`);

    assert.deepEqual([answer.status, answer.json['depth']], [200, depth]);
  });
}

test('a lot code that is not known, and one of another tenant, are answered alike', async () => {
  await bakery();
  const stranger = new Tenant();
  await stranger.post(event('RECEIVE', [line('in', 'OATS-1')]));

  const answers = [
    await new Tenant().genealogy('FLOUR-1'),
    await stranger.genealogy('FLOUR-1'),
    await stranger.genealogy('BR-118'),
    await stranger.genealogy('NOTHING-1'),
  ];

  for (const { status, text } of answers) {
    assert.deepEqual([status, text], [404, '{"detail":"No lot of this code is known"}']);
  }
});

test('a lot code with a slash is written %2F', async () => {
  const tenant = new Tenant();
  await tenant.post(event('PRODUCE', [line('in', 'A/1'), line('out', 'B/2 é')]));

  const answer = await tenant.genealogy('A/1');

  assert.equal(answer.json['lot_code'], 'A/1');
  assert.deepEqual(members(answer, 'downstream', 'lot_code'), ['B/2 é']);
});

test('the code of a supplier’s lot leads to what it came into, and to nothing upstream', async () => {
  const { tenant } = await bakery();
  await tenant.post(
    event('RECEIVE', [line('in', 'RYE-1', { ...MILL, supplier_name: 'Mill Thal' })]),
    event('PRODUCE', [line('in', 'RYE-1'), line('out', 'DOUGH-1')]),
  );

  const answer = await tenant.genealogy('BR-118', '?depth=2');

  const places = Object.values(answer.json['nodes'] ?? {}).map((node) =>
    ['lot_code', 'type', 'relation', 'distance', 'supplier_name'].map((name) => node[name]),
  );
  assert.deepEqual(places, [
    ['BR-118', 'supplier_lot', 'self', 0, 'Mill Brandt'],
    ['BR-118', 'supplier_lot', 'self', 0, 'Mill Thal'],
    ['FLOUR-1', 'lot', 'downstream', 1, undefined],
    ['RYE-1', 'lot', 'downstream', 1, undefined],
    ['DOUGH-1', 'lot', 'downstream', 2, undefined],
  ]);
  assert.deepEqual(answer.json['upstream'], []);
  assert.deepEqual(answer.json['frontier'], ['DOUGH-1']);
});

test('an own lot wins over a supplier’s lot of the same code', async () => {
  const tenant = new Tenant();
  const code = { supplier_lot_code: 'X-1' };
  await tenant.post(
    event('RECEIVE', [line('in', 'FLOUR-1', code)]),
    event('RECEIVE', [line('in', 'X-1', code)]),
  );

  const answer = await tenant.genealogy('X-1');

  assert.deepEqual(members(answer, 'nodes', 'type'), ['lot', 'supplier_lot']);
  assert.deepEqual(members(answer, 'nodes', 'lot_code'), ['X-1', 'X-1']);
  assert.deepEqual(members(answer, 'edges', 'from_type'), ['supplier_lot']);
});

test('a supplier that gave no lot code is a node without one', async () => {
  const tenant = new Tenant();
  await tenant.post(event('RECEIVE', [line('in', 'FLOUR-1', { origin_facility: 'Mill 2' })]));

  const answer = await tenant.genealogy('FLOUR-1');

  assert.deepEqual(members(answer, 'nodes', 'lot_code'), ['FLOUR-1', null]);
  assert.deepEqual(members(answer, 'edges', 'from'), [null]);
  assert.deepEqual(members(answer, 'edges', 'origin_facility'), ['Mill 2']);
});

test('rework makes a cycle, which is counted and ends', async () => {
  const tenant = new Tenant();
  await tenant.post(
    event('PRODUCE', [line('in', 'DOUGH-1'), line('out', 'BREAD-1')]),
    event('PRODUCE', [line('in', 'BREAD-1'), line('out', 'CRUMBS-1')]),
    event('PRODUCE', [line('in', 'CRUMBS-1'), line('out', 'DOUGH-1')]),
    event('PACK', [line('in', 'BREAD-1'), line('out', 'CRATE-1')]),
    event('PACK', [line('in', 'CRATE-1'), line('out', 'CRATE-1')]),
  );

  const answer = await tenant.genealogy('CRATE-1');

  assert.equal(answer.json['cycles'], 1);
  assert.deepEqual(members(answer, 'upstream', 'lot_code'), ['BREAD-1', 'DOUGH-1', 'CRUMBS-1']);
});

test('a lot that is an ancestor and a descendant is in both lists, by its distance in each', async () => {
  const tenant = new Tenant();
  await tenant.post(
    event('PRODUCE', [line('in', 'SOUR-1'), line('out', 'DOUGH-1')]),
    event('PRODUCE', [line('in', 'DOUGH-1'), line('out', 'BREAD-1')]),
    event('PRODUCE', [line('in', 'BREAD-1'), line('out', 'SOUR-1')]),
  );

  const answer = await tenant.genealogy('SOUR-1');

  const places = (list: string): readonly unknown[] =>
    Object.values(answer.json[list] ?? {}).map((node) =>
      ['lot_code', 'relation', 'distance'].map((name) => node[name]),
    );
  assert.deepEqual(places('nodes'), [
    ['SOUR-1', 'self', 0],
    ['BREAD-1', 'upstream', 1],
    ['DOUGH-1', 'downstream', 1],
  ]);
  assert.deepEqual(places('upstream'), [
    ['BREAD-1', 'upstream', 1],
    ['DOUGH-1', 'upstream', 2],
  ]);
  assert.deepEqual(places('downstream'), [
    ['DOUGH-1', 'downstream', 1],
    ['BREAD-1', 'downstream', 2],
  ]);
});

test('what a correction says counts at once', async () => {
  const { tenant, ids } = await bakery();
  const correct = (id: number | undefined, field: string, from: string, to: string) =>
    tenant.postTo('/v1/corrections', {
      corrects_event_id: id,
      reason: 'misread',
      requested_by: 'Ada',
      changes: [{ field, old_value: from, new_value: to }],
    });

  const renamed = await correct(ids[1], 'lines[0].lot_code', 'FLOUR-1', 'FLOUR-2');
  const voided = await correct(ids[3], 'status', 'accepted', 'voided');
  const answer = await tenant.genealogy('DOUGH-1');

  assert.deepEqual([renamed.status, voided.status], [201, 201], renamed.text + voided.text);
  assert.deepEqual(members(answer, 'nodes', 'lot_code'), ['DOUGH-1', 'FLOUR-2']);
});

test('a lot on hold says so in its node', async () => {
  const { tenant } = await bakery();
  const held = await tenant.postTo('/v1/lots/FLOUR-1/hold', { reason: 'moist', by: 'Ada' });

  const answer = await tenant.genealogy('DOUGH-1');

  assert.equal(held.status, 200, held.text);
  assert.deepEqual(members(answer, 'upstream', 'hold_status'), ['on_hold', null]);
});

test('answers have the shape that the description gives them', async () => {
  const { tenant } = await bakery();
  const description: unknown = resolveReferences((await hub.call('/openapi.json')).json);
  const operation = ['paths', '/v1/lots/{lot_code}/genealogy', 'get', 'responses', '200'];
  const media = valueAt(description, ...operation, 'content', 'application/json');
  const schema = valueAt(media, 'schema');
  assert.ok(typeof schema === 'object' && schema !== null);
  const validate = new Ajv2020({ strict: false, allErrors: true }).compile(closed(schema));

  for (const lotCode of ['DOUGH-1', 'BR-118']) {
    const answer = await tenant.genealogy(lotCode);

    assert.ok(validate(answer.json), JSON.stringify(validate.errors));
  }
  assert.ok(validate(valueAt(media, 'example')), JSON.stringify(validate.errors));
});

/** The same schema, but nothing that it does not name is allowed. */
function closed(schema: object): object {
  const parts = Object.entries(schema).map(([name, part]: [string, unknown]) => [
    name,
    typeof part === 'object' && part !== null && !Array.isArray(part) ? closed(part) : part,
  ]);
  const copy = Object.fromEntries(parts) as Members;
  return copy['type'] === 'object' ? { ...copy, additionalProperties: false } : copy;
}

test('more relatives than are shown are named, and other requests are answered meanwhile', async () => {
  const tenant = new Tenant();
  const outs = Array.from({ length: 12_000 }, (_, index) => line('out', `BOTTLE-${index}`));
  for (let from = 0; from < outs.length; from += 4_000) {
    await tenant.post(
      ...[0, 1, 2, 3].map((part) => {
        const lines = outs.slice(from + part * 1_000, from + part * 1_000 + 999);
        return event('PRODUCE', [line('in', 'TANK-1'), ...lines]);
      }),
    );
  }
  let isDone = false;

  const asked = tenant.genealogy('TANK-1').finally(() => (isDone = true));
  let answered = 0;
  while (!isDone) {
    const answer = await hub.call('/health');
    assert.equal(answer.status, 200);
    answered += 1;
  }
  const answer = await asked;

  assert.ok(answered > 5, `${answered} answers meanwhile`);
  assert.equal(members(answer, 'nodes', 'lot_code').length, 10_001);
  assert.equal(members(answer, 'edges', 'to').length, 10_000);
  assert.equal(answer.json['truncated'], true);
  assert.deepEqual(answer.json['frontier'], ['TANK-1']);
});

test('without the key nothing is said', async () => {
  const response = await fetch(`${hub.base}/v1/lots/FLOUR-1/genealogy`);

  assert.equal(response.status, 401);
  assert.deepEqual(await response.json(), { detail: 'Invalid API key' });
});
